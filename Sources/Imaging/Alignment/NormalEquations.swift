/// The least-squares equations of one step of ``Registration``, for a change of shift and factor.
struct NormalEquations {
  /// The upper triangle, row by row, of the matrix for (shift x, shift y, factor x, factor y).
  private var matrix = [Double](repeating: 0, count: 10)
  private var vector = SIMD4<Double>()

  /// A difference of this many local standard deviations has a quarter of a small one's weight.
  static let scale: Float = 0.7

  init(reference: FeaturePyramid.Level, warped: FloatPlane, seen: FloatPlane) {
    let (grid, values, known) = (reference.grid, reference.values, reference.weights)
    let perUnit = Float(grid.scale)
    let center = SIMD2<Float>(grid.center)
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let stride = values.stride
    let square = SIMD8<Float>(repeating: Self.scale * Self.scale)
    guard grid.height > 2, grid.width > 9 else { return }
    var sums = [SIMD8<Float>](repeating: .zero, count: 14)
    sums.withUnsafeMutableBufferPointer { sums in
      for y in 1..<(grid.height - 1) {
        let v = SIMD8<Float>(repeating: (Float(y) - center.y) / perUnit)
        // Eight at a time from the second pixel; the last few are left out, as is all the border.
        for x in Swift.stride(from: 1, to: grid.width - 8, by: 8) {
          let at = y * stride + x
          let (a, b) = (values.samples + at, warped.samples + at)
          let s = seen.samples + at
          var weight = FloatPlane.load(known.samples + at) * FloatPlane.load(s)
          weight *= FloatPlane.load(s - 1) * FloatPlane.load(s + 1)
          weight *= FloatPlane.load(s - stride) * FloatPlane.load(s + stride)
          let error = FloatPlane.load(b) - FloatPlane.load(a)
          let robust = square / (square + error * error)
          weight *= robust * robust
          let across =
            FloatPlane.load(a + 1) - FloatPlane.load(a - 1) + FloatPlane.load(b + 1)
            - FloatPlane.load(b - 1)
          let down =
            FloatPlane.load(a + stride) - FloatPlane.load(a - stride) + FloatPlane.load(b + stride)
            - FloatPlane.load(b - stride)
          let (gx, gy) = (across * (perUnit / 4), down * (perUnit / 4))
          let u = (SIMD8(repeating: Float(x) - center.x) + lanes) / perUnit
          let (grow, turn) = (gx * u + gy * v, gy * u - gx * v)
          let (wx, wy, wg, wt) = (weight * gx, weight * gy, weight * grow, weight * turn)
          sums[0] += wx * gx
          sums[1] += wx * gy
          sums[2] += wx * grow
          sums[3] += wx * turn
          sums[4] += wy * gy
          sums[5] += wy * grow
          sums[6] += wy * turn
          sums[7] += wg * grow
          sums[8] += wg * turn
          sums[9] += wt * turn
          sums[10] += wx * error
          sums[11] += wy * error
          sums[12] += wg * error
          sums[13] += wt * error
        }
      }
    }
    for index in 0..<10 { matrix[index] = Double(sums[index].sum()) }
    for index in 0..<4 { vector[index] = -Double(sums[10 + index].sum()) }
  }

  /// The change that solves the equations; nil when they do not determine one.
  func solution() -> (shift: SIMD2<Double>, factor: SIMD2<Double>)? {
    let m = matrix
    var rows: [SIMD4<Double>] = [
      [m[0], m[1], m[2], m[3]], [m[1], m[4], m[5], m[6]], [m[2], m[5], m[7], m[8]],
      [m[3], m[6], m[8], m[9]],
    ]
    let trace = m[0] + m[4]
    guard trace > 0 else { return nil }
    // A thousandth of the shifts' own stiffness holds scale and angle where the picture says nothing
    // about them.
    for index in 0..<4 { rows[index][index] += trace * 0.0005 }
    guard let result = SymmetricEquations(rows: rows, right: vector).solution else { return nil }
    return ([result[0], result[1]], [result[2], result[3]])
  }
}
