internal import DiaryModel

/// Sizes of files as people write them, in decimal units: `512 MB`.
enum FileSize {
  private static let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000), ("B", 1)]

  /// Parses a size, in bytes; nil unless it is at least one byte.
  static func byteCount(_ text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace }.uppercased()
    let (suffix, unit) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Int(text.dropLast(suffix.count)), number > 0 else { return nil }
    let (byteCount, isTooMuch) = number.multipliedReportingOverflow(by: unit)
    return isTooMuch ? nil : byteCount
  }

  /// The size in the largest unit that leaves no remainder.
  static func text(_ byteCount: Int) -> String {
    let (name, unit) = units.first { byteCount % $0.1 == 0 } ?? ("B", 1)
    return "\(byteCount / unit) \(name)"
  }
}
