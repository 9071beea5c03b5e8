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
