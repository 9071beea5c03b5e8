extension Double {
  /// Rounded to so many digits behind the point, halves away from zero: 7.25 is 7.3. All means are
  /// rounded with this, so that text, JSON, charts and reports agree.
  package func rounded(toDigits digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }

  /// With one decimal, as means are shown.
  package var asMean: Double { rounded(toDigits: 1) }
}
