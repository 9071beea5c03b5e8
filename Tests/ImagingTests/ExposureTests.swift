import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// A series drawn by a camera that stands still and exposes as it likes.
private struct DrawnSeries {
  private let scene: DecodedPhoto

  init() throws {
    let photo = try photoFile(Fixtures.data("Photos/monstera/IMG_0001.jpg")).decode()
    scene = try photo.aligned(by: .identity, size: PixelSize(width: 320, height: 240))
  }

  /// Exposed by a factor, clipped as a sensor does.
  func frame(_ gain: Double) throws -> DecodedPhoto {
    try frame(SIMD3(repeating: gain))
  }

  func frame(_ gain: SIMD3<Double>) throws -> DecodedPhoto {
    let alignment = FrameAlignment(
      view: .identity, exposure: Exposure(gain: gain, white: 0))
    return try scene.aligned(by: alignment, size: scene.size)
  }

  /// The frames as they are, and as a film shows them, cropped alike.
  func film(_ frames: [DecodedPhoto]) throws -> [(before: DecodedPhoto, after: DecodedPhoto)] {
    var aligner = FrameAligner()
    for frame in frames { try aligner.add(frame) }
    return try zip(frames, aligner.alignments()).map { frame, alignment in
      var placed = alignment
      placed.exposure = .identity
      return (
        try frame.aligned(by: placed, size: frame.size),
        try frame.filmFrame(by: alignment, size: frame.size)
      )
    }
  }
}

extension DecodedPhoto {
  /// The shares of pixels with a sample of 250 or more: in any channel, in red, green and blue.
  fileprivate func clippedShares() throws -> [Double] {
    let samples = try rgbSamples()
    var counts = [0, 0, 0, 0]
    for at in stride(from: 0, to: samples.count, by: 3) {
      let clipped = (0..<3).map { samples[at + $0] >= 250 }
      if clipped.contains(true) { counts[0] += 1 }
      for channel in 0..<3 where clipped[channel] { counts[channel + 1] += 1 }
    }
    return counts.map { Double($0) / Double(samples.count / 3) }
  }

  fileprivate func meanLevel() throws -> Double {
    let samples = try rgbSamples()
    return Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
  }
}

private func expectNoMoreClipping(
  _ before: DecodedPhoto, _ after: DecodedPhoto, _ comment: Comment
) throws {
  for (old, new) in zip(try before.clippedShares(), try after.clippedShares()) {
    #expect(new <= old + 0.01, comment)
  }
}

@Suite struct ExposureTests {
  @Test func `a bright outlier is drawn to the others, and they stay as they are`() throws {
    let series = try DrawnSeries()
    let film = try series.film([1, 1.05, 3, 0.95, 1].map { try series.frame($0) })
    for index in [0, 1, 3, 4] {
      #expect(try film[index].before.rgbSamples() == film[index].after.rgbSamples())
    }
    let typical = try film[0].before.meanLevel()
    let distances = try [film[2].before, film[2].after].map { abs(try $0.meanLevel() - typical) }
    #expect(distances[1] < distances[0] / 2, "\(distances)")
    try expectNoMoreClipping(film[2].before, film[2].after, "the outlier")
  }

  @Test func `a dark frame is lifted towards the others`() throws {
    let series = try DrawnSeries()
    let film = try series.film([1, 0.15, 1, 1].map { try series.frame($0) })
    let typical = try film[0].before.meanLevel()
    let distances = try [film[1].before, film[1].after].map { abs(try $0.meanLevel() - typical) }
    #expect(distances[1] < distances[0] / 2, "\(distances)")
    try expectNoMoreClipping(film[1].before, film[1].after, "the dark frame")
    #expect(try film[0].before.rgbSamples() == film[0].after.rgbSamples())
  }

  @Test func `frames without colours stay without, by day and by night`() throws {
    let size = PixelSize(width: 320, height: 240)
    func frame(_ sampling: (Int, Int)?, _ gain: Double) throws -> DecodedPhoto {
      var drawn = JPEGFixture(size: size)
      drawn.sampling = sampling
      let exposure = Exposure(gain: SIMD3(repeating: gain), white: 0)
      return try photoFile(drawn.bytes()).decode()
        .aligned(by: FrameAlignment(view: .identity, exposure: exposure), size: size)
    }
    for nights in [[2, 3, 7], [0, 1, 2, 3, 5, 6]] {
      let frames = try (0..<8).map { index in
        try nights.contains(index) ? frame(nil, 0.25) : frame((2, 2), 1)
      }
      for (index, (before, after)) in try DrawnSeries().film(frames).enumerated()
      where nights.contains(index) {
        let tints = try [before, after].map { picture -> Double in
          let samples = try picture.rgbSamples()
          let tint = stride(from: 0, to: samples.count, by: 3).reduce(0) { sum, at in
            sum + Int(samples[at + 2]) - Int(samples[at + 1])
          }
          return abs(Double(tint) / Double(samples.count / 3))
        }
        #expect(tints[1] < 0.5, "\(index): \(tints)")
      }
    }
  }

  @Test func `where most frames are overexposed, the well-exposed few decide`() throws {
    let series = try DrawnSeries()
    let gains = [1.5, 0.5, 1.5, 1.6, 1.5, 0.55, 1.6, 1.5, 0.5, 1.5]
    let film = try series.film(gains.map { try series.frame($0) })
    for (index, gain) in gains.enumerated() {
      let (before, after) = film[index]
      if gain < 1 {
        #expect(try before.rgbSamples() == after.rgbSamples(), "frame \(index)")
      } else {
        #expect(try after.meanLevel() < before.meanLevel() - 20, "frame \(index)")
      }
      try expectNoMoreClipping(before, after, "frame \(index)")
    }
  }

  @Test(arguments: 1...8) func `no frame clips a point more than it did`(seed: Int) throws {
    var random = Random(seed: UInt64(seed))
    let series = try DrawnSeries()
    let frames = try (0..<8).map { _ in
      let stops = Double.random(in: -3...3, using: &random)
      let tint = SIMD3<Double>.random(in: -0.4...0.4, using: &random)
      return try series.frame(
        SIMD3(exp2(stops + tint.x), exp2(stops + tint.y), exp2(stops + tint.z)))
    }
    for (index, frame) in try series.film(frames).enumerated() {
      try expectNoMoreClipping(frame.before, frame.after, "series \(seed), frame \(index)")
    }
  }

  @Test func `a correction told from outside clips no more either`() throws {
    let frame = try DrawnSeries().frame(2)
    for gain in [1.5, 2, 4, 16] {
      for white in [0, 0.5, 1] {
        let alignment = FrameAlignment(
          view: .identity, exposure: Exposure(gain: SIMD3(repeating: gain), white: white))
        let after = try frame.filmFrame(by: alignment, size: frame.size)
        try expectNoMoreClipping(frame, after, "gain \(gain), white \(white)")
      }
    }
  }

  @Test(
    .enabled(if: Fixtures.sharedPhotos != nil, "no shared photos beside this checkout"),
    arguments: [("seedlings", 35), ("windowsill-herbs", 98)])
  func `no frame of a real series clips a point more than it did`(
    name: String, count: Int
  ) throws {
    let folder = try #require(Fixtures.sharedPhotos) + "/series/" + name
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(paths.count == count)
    let frames = try paths.map { path in
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
      return try photoFile(data).frame(side: 320)
    }
    let film = try DrawnSeries().film(frames)
    for (path, frame) in zip(paths, film) {
      try expectNoMoreClipping(frame.before, frame.after, "\(path)")
    }
    if name == "seedlings", let last = film.last {
      #expect(try last.before.rgbSamples() == last.after.rgbSamples())
    }
  }
}

/// Numbers that look random and are the same each time (SplitMix64).
private struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
