internal import Foundation

/// Finds the position of a frame relative to a reference, level by level.
struct Registration {
  /// Features, and how far each can be trusted: little where the pictures so far differed, because
  /// something grows or moves there.
  let reference: [FeaturePyramid.Level]
  let frame: [FeaturePyramid.Level]
  /// The position of the previous frame.
  let last: Similarity

  struct Match {
    /// From the reference's view to the frame's.
    var view: Similarity
    /// The weighted correlation where both are visible, -1...1.
    var correlation: Double
    /// The objective that the steps maximise: 1 when nothing differs, 0 when everything does.
    var agreement: Double
  }

  /// The largest plausible movement of a nudged camera; beyond it, the picture is a different one.
  static let maxShift = 0.25
  static let scales = 0.8...1.25
  static let maxAngle = 5 * Double.pi / 180
  /// The largest sum of a series of nudges; beyond it another scene begins.
  private static let maxTotalAngle = 2 * maxAngle
  /// The share of the reference's or the frame's trusted area that the other must cover.
  private static let minOverlap = 0.4

  /// The best match, starting from the last frame's position and, unless that fits, from a search over all shifts.
  func match() -> Match? {
    guard let coarsest = reference.indices.last else { return nil }
    var candidates = [last, .identity]
    // Most cameras stand still, and a full search takes half the time.
    let near = score(refined(last, level: coarsest, stepCount: 8), level: coarsest)
    if (near?.correlation ?? 0) < Self.sureCorrelation { candidates += search(level: coarsest) }
    var found: [Match] = []
    for level in reference.indices.reversed() {
      found = candidates.compactMap { start in
        let view = refined(start, level: level, stepCount: level == coarsest ? 8 : 5)
        let match = isBelievable(view) ? score(view, level: level) : nil
        // Steps that lead to a clearly worse match have diverged. A slightly worse one is accepted:
        // the reference is made of frames as they were moved before, which favours that movement.
        guard let before = score(start, level: level) else { return match }
        return (match?.agreement ?? 0) + Self.tolerance > before.agreement ? match : before
      }
      // The coarsest level cannot tell close candidates apart; the next one can.
      found.sort { $0.agreement > $1.agreement }
      candidates = Self.distinct(found.map(\.view), count: level == coarsest ? 3 : 1)
    }
    return found.first
  }

  private func isBelievable(_ view: Similarity) -> Bool {
    max(abs(view.shift.x), abs(view.shift.y)) <= Self.maxShift
      && Self.scales.contains(view.scale) && abs(view.angle) <= Self.maxTotalAngle
      && abs(view.angle - last.angle) <= Self.maxAngle
  }

  private static func distinct(_ views: [Similarity], count: Int) -> [Similarity] {
    var result: [Similarity] = []
    for view in views where result.count < count {
      let isNew = result.allSatisfy { other in
        let (shift, factor) = (view.shift - other.shift, view.factor - other.factor)
        return (shift * shift).sum().squareRoot() > 0.01 || (factor * factor).sum() > 0.0004
      }
      if isNew { result.append(view) }
    }
    return result
  }

  /// The most promising of all shifts by whole pixels, at a few scales.
  private func search(level: Int) -> [Similarity] {
    let grid = reference[level].grid
    var best: [Match] = []
    for scale in [0.87, 1, 1.15] {
      let reach = Int(Self.maxShift * grid.scale)
      for y in -min(reach, grid.height / 3)...min(reach, grid.height / 3) {
        for x in -reach...reach {
          let shift = SIMD2(Double(x), Double(y)) / grid.scale
          let view = Similarity(factor: [scale, 0], shift: shift)
          if let match = score(view, level: level) { best.append(match) }
        }
      }
    }
    best.sort { $0.correlation > $1.correlation }
    return Self.distinct(best.prefix(60).map(\.view), count: 5)
  }

  private static let tolerance = 0.02
  /// A correlation at the coarsest level that no chance match comes near.
  private static let sureCorrelation = 0.7

  func score(_ view: Similarity, level: Int) -> Match? {
    let (reference, frame) = (reference[level], frame[level])
    let warped = FloatPlane(width: reference.grid.width, height: reference.grid.height)
    let seen = FloatPlane(width: reference.grid.width, height: reference.grid.height)
    FloatPlane.warp(
      frame.values, frame.weights, by: reference.grid.inPixels(view), into: warped, seen)
    var (product, square1, square2) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
    var (total, frameTotal) = (SIMD8<Float>(), SIMD8<Float>())
    var (overlap, agreement) = (SIMD8<Float>(), SIMD8<Float>())
    let scale = SIMD8<Float>(repeating: NormalEquations.scale * NormalEquations.scale)
    for at in stride(from: 0, to: warped.stride * warped.height, by: 8) {
      let known = FloatPlane.load(reference.weights.samples + at)
      let weight = known * FloatPlane.load(seen.samples + at)
      let a = FloatPlane.load(reference.values.samples + at)
      let b = FloatPlane.load(warped.samples + at)
      total += known
      frameTotal += FloatPlane.load(frame.weights.samples + at)
      overlap += weight
      agreement += weight * scale / (scale + (a - b) * (a - b))
      product += weight * a * b
      square1 += weight * a * a
      square2 += weight * b * b
    }
    // Little of an overexposed frame can be trusted, but most of that must be in view.
    guard overlap.sum() > Float(Self.minOverlap) * min(total.sum(), frameTotal.sum()),
      square1.sum() > 0, square2.sum() > 0
    else { return nil }
    let correlation = product.sum() / (square1.sum() * square2.sum()).squareRoot()
    return Match(
      view: view, correlation: Double(correlation),
      agreement: Double(agreement.sum() / overlap.sum()))
  }

  /// Gauss-Newton steps towards the least robust difference: efficient second-order minimisation
  /// (Benhimane and Malis, "Real-time image-based tracking of planes using efficient second-order
  /// minimization", IROS 2004), which takes the mean of both pictures' gradients, with Geman-McClure
  /// weights, which give outliers (leaves) hardly any influence.
  private func refined(_ start: Similarity, level: Int, stepCount: Int) -> Similarity {
    let grid = reference[level].grid
    let warped = FloatPlane(width: grid.width, height: grid.height)
    let seen = FloatPlane(width: grid.width, height: grid.height)
    var view = start
    for _ in 0..<stepCount {
      FloatPlane.warp(
        frame[level].values, frame[level].weights, by: grid.inPixels(view), into: warped, seen)
      let equations = NormalEquations(reference: reference[level], warped: warped, seen: seen)
      guard let step = equations.solution() else { break }
      let limit = 3 / grid.scale
      let shift = step.shift.clamped(lowerBound: [-limit, -limit], upperBound: [limit, limit])
      let change = Similarity(factor: [1 + step.factor.x, step.factor.y], shift: shift)
      view = view.after(change)
      // A hundredth of a pixel.
      let size = max(abs(shift.x), abs(shift.y), abs(step.factor.x), abs(step.factor.y))
      if size * grid.scale < 0.01 { break }
    }
    return view
  }
}

/// The least-squares equations of one step of ``Registration``, for a change of shift and factor.
private struct NormalEquations {
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
