extension Double {
  /// Rounds to a number of decimal places, halves away from zero: 7.25 becomes 7.3. All means are rounded
  /// this way, so that text, JSON, charts and reports agree.
  package func rounded(toDigits digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }

  /// Rounded to one decimal place, as means are shown.
  package var asMean: Double { rounded(toDigits: 1) }
}
