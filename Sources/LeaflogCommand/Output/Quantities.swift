internal import Foundation

/// Quantities for people: decimal units, three digits.
enum Quantities {
  static func bytes(_ count: Int) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while value >= 999.5, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    let digits = unit == 0 || value >= 99.95 ? 0 : 1
    return String(format: "%.\(digits)f ", value) + units[unit]
  }

  /// A number with at most this many decimal places, halves rounded up, without trailing zeros.
  static func decimal(_ value: Double, digits: Int) -> String {
    let text = String(format: "%.\(digits)f", value.rounded(toDigits: digits))
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }

  static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "0 %" : "\(Int((100 * Double(part) / Double(whole)).rounded())) %"
  }

  static func count(_ count: Int, _ noun: String) -> String {
    let isIrregular = noun.hasSuffix("y") && !(noun.dropLast().last.map("aeiou".contains) ?? true)
    let plural = isIrregular ? noun.dropLast() + "ies" : noun + "s"
    return "\(count) \(count == 1 ? noun : plural)"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func listing(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  static func entries(_ count: Int) -> String { self.count(count, "entry") }

  /// `2.1 s`, `3:05`, `1:02:03`.
  static func duration(_ seconds: Double) -> String {
    if seconds < 60 { return String(format: "%.1f s", seconds) }
    let whole = Int(seconds.rounded())
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0
      ? String(format: "%d:%02d:%02d", hours, minutes, whole % 60)
      : String(format: "%d:%02d", minutes, whole % 60)
  }
}
