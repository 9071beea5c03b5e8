internal import CCoefficients

extension LeaflogRequantizer {
  /// From coefficients in steps of `steps` to those of `target`.
  init(from steps: [Float], to target: [UInt32], rounding: [Float]) {
    self = leaflog_requantizer(steps, target, rounding)
  }
}

/// How the coefficients of a copy are rounded.
enum DeadZone {
  /// How much less than half is added before the fraction is dropped: what is near zero becomes zero,
  /// and costs nothing.
  static let width: Float = 0.15

  /// For 64 frequencies in natural order; the mean of a block is rounded plainly.
  static let rounding: [Float] = [0.5] + Array(repeating: 0.5 - width, count: 63)
}
