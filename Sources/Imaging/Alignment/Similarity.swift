internal import Foundation

/// A rotation, a scaling and a shift of the plane, in units of a frame's width with the origin at the
/// frame's centre, x to the right and y down: a point is mapped to `scale · R(angle) · point + shift`.
///
/// In complex numbers that is `factor · z + shift`, which is how it is stored.
package struct Similarity: Sendable, Hashable {
  /// scale · cos(angle) and scale · sin(angle).
  var factor: SIMD2<Double>
  /// The shift to the right and down, in frame widths.
  package var shift: SIMD2<Double>

  package static let identity = Similarity(factor: [1, 0], shift: [0, 0])

  init(factor: SIMD2<Double>, shift: SIMD2<Double>) {
    self.factor = factor
    self.shift = shift
  }

  /// - Parameter angle: in radians, clockwise.
  package init(scale: Double, angle: Double = 0, shift: SIMD2<Double> = [0, 0]) {
    self.init(factor: scale * SIMD2(cos(angle), sin(angle)), shift: shift)
  }

  package var scale: Double { (factor * factor).sum().squareRoot() }
  package var angle: Double { atan2(factor.y, factor.x) }

  package var inverse: Similarity {
    let factor = SIMD2(self.factor.x, -self.factor.y) / (self.factor * self.factor).sum()
    return Similarity(factor: factor, shift: -Self.product(factor, shift))
  }

  /// The composition of `first` and then this one.
  package func after(_ first: Similarity) -> Similarity {
    Similarity(factor: Self.product(factor, first.factor), shift: self(first.shift))
  }

  package func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    Self.product(factor, point) + shift
  }

  private static func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
    [a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x]
  }
}
