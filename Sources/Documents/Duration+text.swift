extension Duration {
  /// Parses a duration such as `-1h30m`: an optional sign, then numbers, each followed by w, d, h, m
  /// or s. Nil for anything else.
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
      // At most a thousand years: no clock is off by more.
      guard number ?? 0 < 1_000_000_000, seconds < 31_557_600_000 else { return nil }
    }
    guard number == nil, text.contains(where: \.isNumber),
      text.filter({ "+-".contains($0) }).count <= 1
    else { return nil }
    self = .seconds(isNegative ? -seconds : seconds)
  }
}
