internal import CCoefficients

/// A plane of samples in memory, its rows padded to a multiple of sixteen so that loops need no tail.
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

  /// A plane whose samples are not initialized yet.
  init(unset width: Int, _ height: Int) {
    self.width = width
    self.height = height
    stride = (width + Int(LEAFLOG_LANES) - 1) & ~(Int(LEAFLOG_LANES) - 1)
    samples = .allocateLanes(stride * height)
    // The padding takes part in computations, which would be slow with denormal numbers.
    if stride > width { samples.initialize(repeating: 0, count: stride * height) }
  }

  /// A copy of another plane.
  convenience init(copying other: FloatPlane) {
    self.init(unset: other.width, other.height)
    samples.update(from: other.samples, count: stride * height)
  }

  deinit { samples.deallocate() }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { samples + y * stride }

  /// Loads eight samples from any address, aligned or not.
  @inline(__always)
  static func load(_ address: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  static func store(_ value: SIMD8<Float>, _ address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).storeBytes(of: value, as: SIMD8<Float>.self)
  }

  /// A plane computed sample by sample from this one and another of the same size.
  func combined(
    with other: FloatPlane, _ body: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
  ) -> FloatPlane {
    let result = FloatPlane(unset: width, height)
    for at in Swift.stride(from: 0, to: stride * height, by: 8) {
      Self.store(body(Self.load(samples + at), Self.load(other.samples + at)), result.samples + at)
    }
    return result
  }

  var shape: LeaflogShape {
    LeaflogShape(width: CInt(width), height: CInt(height), stride: stride)
  }

  /// The plane at half its size, rounded up; each sample is the mean of the up to four that it covers.
  func halved() -> FloatPlane {
    let result = FloatPlane(unset: (width + 1) / 2, (height + 1) / 2)
    halve(into: result)
    return result
  }

  /// - Parameter result: a plane of half the size, rounded up.
  func halve(into result: FloatPlane) {
    leaflog_halve_plane(samples, shape, result.samples, result.stride)
  }

  /// A Gaussian blur of σ = 1.5, cut off at five samples, borders mirrored.
  func blurred() -> FloatPlane {
    let result = FloatPlane(unset: width, height)
    // Nothing else keeps the scratch memory alive until the blur is done.
    withExtendedLifetime(PlaneScratch(stride: stride)) { scratch in
      leaflog_blur(samples, shape, result.samples, scratch.samples)
    }
    return result
  }
}

/// Working memory for loops over planes of up to a given stride.
final class PlaneScratch {
  let samples: UnsafeMutablePointer<Float>

  init(stride: Int) {
    let count = leaflog_scratch_count(stride)
    samples = .allocateLanes(count)
    samples.initialize(repeating: 0, count: count)
  }

  deinit { samples.deallocate() }
}

extension UnsafeMutablePointer<Float> {
  /// Memory aligned to a line of the processor's cache, so that no vector in it spans two lines.
  fileprivate static func allocateLanes(_ count: Int) -> Self {
    let (stride, lanes) = (MemoryLayout<Float>.stride, Int(LEAFLOG_LANES))
    return UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: lanes * stride)
      .bindMemory(to: Float.self, capacity: count)
  }
}
