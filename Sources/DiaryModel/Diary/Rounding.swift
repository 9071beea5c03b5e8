extension Double {
  /// Rounded to so many digits behind the point, halves away from zero: 7.25 is 7.3. Whatever shows or
  /// writes a mean rounds it with this, so that text, JSON, charts and reports say the same.
  package func rounded(toDigits digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }

  /// As means are told: one digit behind the point.
  package var asMean: Double { rounded(toDigits: 1) }
}
