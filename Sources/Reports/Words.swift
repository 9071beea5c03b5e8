internal import DiaryModel

/// A number with one decimal place, or none if that would be zero: `7.3`, `7`.
func decimal(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "–" }
  let tenths = Int((value.asMean * 10).rounded())
  let sign = tenths < 0 ? "-" : ""
  let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
  return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
}

/// `1 day`, `2 days`
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension String {
  /// The text with its first letter capitalized.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
