extension String {
  /// The text between FSI and PDI if it has a letter that runs from right to left: what is joined to it keeps its place
  /// (Unicode Standard Annex 9, 2.5).
  package var isolated: String {
    // In UTF-8, the letters of all scripts from right to left begin with one of these bytes.
    guard utf8.contains(where: { $0 >= 0xD6 }), unicodeScalars.contains(where: \.isRightToLeft)
    else { return self }
    return "\u{2068}\(self)\u{2069}"
  }
}

extension [String?] {
  /// The parts that are there, in this order for the eye, too, whichever way their letters run.
  package func joined(by separator: String) -> String {
    compactMap(\.self).joined(by: separator)
  }
}

extension [String] {
  /// The parts that are not empty, each isolated.
  package func joined(by separator: String) -> String {
    filter { !$0.isEmpty }.map(\.isolated).joined(separator: separator)
  }
}

extension Unicode.Scalar {
  /// Whether it is in a block whose letters run from right to left (Unicode Character Database, DerivedBidiClass).
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      properties.isAlphabetic
    default: false
    }
  }
}
