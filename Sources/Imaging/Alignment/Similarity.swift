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

extension FloatPlane {
  /// Fills two planes of the same size with values and weights, sampled bilinearly at the positions to
  /// which a similarity maps their pixels. Pixels outside have weight 0.
  static func warp(
    _ values: FloatPlane, _ weights: FloatPlane, by pixels: Similarity, into target: FloatPlane,
    _ targetWeights: FloatPlane
  ) {
    let (right, lower) = (Float(values.width - 1), Float(values.height - 1))
    let step = SIMD2<Float>(pixels.factor)
    let stride = values.stride
    for y in 0..<target.height {
      let (output, outputWeights) = (target.row(y), targetWeights.row(y))
      let start = SIMD2<Float>(pixels([0, Double(y)]))
      for x in 0..<target.width {
        let place = start + Float(x) * step
        guard place.x >= 0, place.y >= 0, place.x <= right, place.y <= lower else {
          output[x] = 0
          outputWeights[x] = 0
          continue
        }
        let column = min(Int(place.x), values.width - 2)
        let line = min(Int(place.y), values.height - 2)
        let (u, v) = (place.x - Float(column), place.y - Float(line))
        let at = line * stride + column
        let (a, b, c, d) = ((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)
        output[x] =
          a * values.samples[at] + b * values.samples[at + 1] + c * values.samples[at + stride]
          + d * values.samples[at + stride + 1]
        outputWeights[x] =
          a * weights.samples[at] + b * weights.samples[at + 1] + c * weights.samples[at + stride]
          + d * weights.samples[at + stride + 1]
      }
    }
  }
}
