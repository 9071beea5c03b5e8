/// A plane of samples in memory, its rows padded to a multiple of eight so that loops need no tail.
final class FloatPlane {
  let width: Int
  let height: Int
  let stride: Int
  let samples: UnsafeMutablePointer<Float>

  /// A plane of zeros.
  convenience init(width: Int, height: Int) {
    self.init(unset: width, height)
    samples.initialize(repeating: 0, count: stride * height)
  }

  /// A plane whose samples have yet to be set.
  init(unset width: Int, _ height: Int) {
    self.width = width
    self.height = height
    stride = (width + 7) & ~7
    samples = .allocate(capacity: stride * height)
    // The padding takes part in computations, which would be slow with denormal numbers.
    if stride > width { samples.initialize(repeating: 0, count: stride * height) }
  }

  deinit { samples.deallocate() }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { samples + y * stride }

  /// Eight samples from anywhere in memory.
  @inline(__always)
  static func load(_ address: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  static func store(_ value: SIMD8<Float>, _ address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).storeBytes(of: value, as: SIMD8<Float>.self)
  }

  /// A plane made sample by sample from this one and another of the same size.
  func combined(
    with other: FloatPlane, _ body: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
  ) -> FloatPlane {
    let result = FloatPlane(unset: width, height)
    for at in Swift.stride(from: 0, to: stride * height, by: 8) {
      Self.store(body(Self.load(samples + at), Self.load(other.samples + at)), result.samples + at)
    }
    return result
  }

  /// Half the size; each sample is the mean of the up to four that it covers.
  func halved() -> FloatPlane {
    let result = FloatPlane(unset: (width + 1) / 2, (height + 1) / 2)
    for y in 0..<result.height {
      let upper = row(2 * y)
      let lower = row(min(2 * y + 1, height - 1))
      let target = result.row(y)
      for x in 0..<result.width {
        let right = min(2 * x + 1, width - 1)
        target[x] = (upper[2 * x] + upper[right] + lower[2 * x] + lower[right]) / 4
      }
    }
    return result
  }

  /// A Gaussian blur of σ = 1.5, cut off at five samples, borders mirrored.
  func blurred() -> FloatPlane {
    let result = FloatPlane(unset: width, height)
    let weights = Self.gaussian
    let margin = 8
    let line = UnsafeMutablePointer<Float>.allocate(capacity: stride + 2 * margin)
    line.initialize(repeating: 0, count: stride + 2 * margin)
    defer { line.deallocate() }
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: height + 10)
    defer { rows.deallocate() }
    for y in -5..<(height + 5) { (rows + (y + 5)).initialize(to: row(mirrored(y, height))) }
    for y in 0..<height {
      let near = rows + y
      for x in Swift.stride(from: 0, to: stride, by: 8) {
        var sum = weights.0 * Self.load(near[5] + x)
        sum += weights.1 * (Self.load(near[4] + x) + Self.load(near[6] + x))
        sum += weights.2 * (Self.load(near[3] + x) + Self.load(near[7] + x))
        sum += weights.3 * (Self.load(near[2] + x) + Self.load(near[8] + x))
        sum += weights.4 * (Self.load(near[1] + x) + Self.load(near[9] + x))
        sum += weights.5 * (Self.load(near[0] + x) + Self.load(near[10] + x))
        Self.store(sum, line + margin + x)
      }
      for offset in 1...5 {
        line[margin - offset] = line[margin + mirrored(-offset, width)]
        line[margin + width - 1 + offset] = line[margin + mirrored(width - 1 + offset, width)]
      }
      let target = result.row(y)
      for x in Swift.stride(from: 0, to: stride, by: 8) {
        let at = line + margin + x
        var sum = weights.0 * Self.load(at)
        sum += weights.1 * (Self.load(at - 1) + Self.load(at + 1))
        sum += weights.2 * (Self.load(at - 2) + Self.load(at + 2))
        sum += weights.3 * (Self.load(at - 3) + Self.load(at + 3))
        sum += weights.4 * (Self.load(at - 4) + Self.load(at + 4))
        sum += weights.5 * (Self.load(at - 5) + Self.load(at + 5))
        Self.store(sum, target + x)
      }
    }
    return result
  }

  /// exp(-i²/2σ²) for σ = 1.5, normalised over -5...5.
  private static let gaussian: (Float, Float, Float, Float, Float, Float) = (
    0.266_011_72, 0.213_005_54, 0.109_360_69, 0.036_000_77, 0.007_598_76, 0.001_028_38
  )

  private func mirrored(_ index: Int, _ count: Int) -> Int {
    let reflected = index < 0 ? -1 - index : index >= count ? 2 * count - 1 - index : index
    return min(max(reflected, 0), count - 1)
  }
}
