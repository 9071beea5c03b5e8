/// The appearance of text.
struct TextStyle: Hashable {
  enum Weight: String {
    case regular = ""
    case bold = "Bold"
  }

  enum Alignment: UInt32 {
    case leading = 0
    case centred = 1
    case trailing = 2
  }

  /// In points.
  var size: Double
  var weight = Weight.regular
  var color = Color.ink
  /// The position of a line within the given width. A paragraph written from right to left begins at
  /// the right.
  var alignment = Alignment.leading

  /// Pango's description of the font. Noto Sans is calmer to read than DejaVu Sans, and used if
  /// installed; for characters that neither has, Pango searches all fonts of the system.
  var fontDescription: String { "Noto Sans, DejaVu Sans, Sans \(weight.rawValue)" }

  func with(
    color: Color? = nil, weight: Weight? = nil, alignment: Alignment? = nil
  ) -> TextStyle {
    TextStyle(
      size: size, weight: weight ?? self.weight, color: color ?? self.color,
      alignment: alignment ?? self.alignment)
  }
}

extension TextStyle {
  static let title = TextStyle(size: 21, weight: .bold)
  static let heading = TextStyle(size: 12.5, weight: .bold, color: .accent)
  static let body = TextStyle(size: 9.5)
  static let small = TextStyle(size: 8, color: .quiet)
  static let label = TextStyle(size: 8.5)
}
