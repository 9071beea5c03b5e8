extension Duration {
  /// A span of time as people write it: numbers with w, d, h, m or s behind each, a sign before all:
  /// `-1h30m`. Nil for anything else.
  package init?(text: String) {
    let isNegative = text.hasPrefix("-")
    let units: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
    var seconds = 0
    var number: Int?
    for character in text.lowercased().drop(while: { "+-".contains($0) }) {
      if let digit = character.wholeNumberValue, character.isASCII {
        number = (number ?? 0) * 10 + digit
      } else if let unit = units[character], let count = number {
        seconds += count * unit
        number = nil
      } else {
        return nil
      }
      // A thousand years, which no clock is wrong by.
      guard number ?? 0 < 1_000_000_000, seconds < 31_557_600_000 else { return nil }
    }
    guard number == nil, text.contains(where: \.isNumber),
      text.filter({ "+-".contains($0) }).count <= 1
    else { return nil }
    self = .seconds(isNegative ? -seconds : seconds)
  }
}
