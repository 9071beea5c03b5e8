import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// Small sharp subjects on smooth ground, which tiles that are spread over a picture seldom meet.
@Suite struct SmallSubjectTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil
  static let seeds = 1...(isLong ? 50 : 6)

  @Test(arguments: seeds)
  func `a copy of a photo of a small subject reaches the target`(seed: Int) throws {
    let subject = SmallSubject(seed: UInt64(seed))
    let fixture = JPEGFixture(
      size: subject.size, sampling: seed % 3 == 0 ? (1, 1) : (2, 2), quality: 95,
      picture: subject.pixels())
    try expectTarget(photoFile(fixture.bytes()), subject)
  }

  @Test(arguments: seeds)
  func `a copy of a small subject in another format reaches the target`(seed: Int) throws {
    let subject = SmallSubject(seed: UInt64(1000 + seed))
    let folder = try TemporaryFolder()
    let lossless = JPEGFixture(size: subject.size, quality: 100, picture: subject.pixels())
    let png = folder.file("subject.png")
    try photoFile(lossless.bytes()).decode().write(to: png, as: .png)
    try expectTarget(photoFile(Data(contentsOf: URL(fileURLWithPath: png))), subject)
  }

  /// No copy at all is right as well: then the exact bytes are kept.
  private func expectTarget(_ photo: PhotoFile, _ subject: SmallSubject) throws {
    guard let copy = try photo.read().master(target: .standard, maxByteCount: .max) else { return }
    let score = try photo.decode().score(of: decoded(copy))
    #expect(score >= 79, "\(subject) scores \(score)")
  }
}

/// A picture of several megapixels with one subject of 20 to 200 pixels somewhere on it.
private struct SmallSubject: CustomStringConvertible {
  let size: PixelSize
  private let side: Int
  private let place: (x: Int, y: Int)
  private let kind: Kind
  private let colours: [SIMD3<Float>]
  private let blurs: Bool
  private let noise: Float
  private let seed: UInt64

  private enum Kind: CaseIterable { case squares, rings, leaves, flower, strokes }

  var description: String {
    "\(kind) of \(side) at \(place) on \(size), blurred: \(blurs), noise: \(noise)"
  }

  init(seed: UInt64) {
    var random = SplitMix64(state: seed)
    func below(_ count: Int) -> Int { random.below(count) }
    size =
      [
        PixelSize(width: 2400, height: 1800), PixelSize(width: 1704, height: 2272),
      ][below(2)]
    side = Int((20 * pow(10, Double(below(1000)) / 999)).rounded())
    place = (below(size.width - side), below(size.height - side))
    kind = Kind.allCases[below(Kind.allCases.count)]
    colours = (0..<4).map { _ in SIMD3(Float(below(256)), Float(below(256)), Float(below(256))) }
    blurs = below(2) == 0
    noise = [0, 0, 1, 2.5][below(4)]
    self.seed = seed
  }

  /// RGB, rows from the top without padding.
  func pixels() -> [UInt8] {
    var samples = ground()
    let subject = blurs ? blurred(drawn(on: samples)) : drawn(on: samples)
    for y in 0..<side {
      let start = 3 * ((place.y + y) * size.width + place.x)
      samples.replaceSubrange(
        start..<(start + 3 * side), with: subject[(3 * y * side)...].prefix(3 * side))
    }
    var random = SplitMix64(state: seed)
    return samples.map { sample in
      let grain = Float(random.next() >> 40) / Float(1 << 24) - 0.5
      return UInt8(min(max(sample + grain * (1 + 2 * noise) + 0.5, 0), 255))
    }
  }

  /// One colour that slowly becomes another.
  private func ground() -> [Float] {
    let (first, second) = (
      40 + colours[0] * 0.6, 40 + (colours[0] * 0.75 + colours[1] * 0.25) * 0.6
    )
    var samples = [Float](repeating: 0, count: 3 * size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let part = (Float(x) / Float(size.width) + Float(y) / Float(size.height)) / 2
        let colour = first + (second - first) * part
        for band in 0..<3 { samples[3 * (y * size.width + x) + band] = colour[band] }
      }
    }
    return samples
  }

  /// The square that the subject lies in.
  private func drawn(on ground: [Float]) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(3 * side * side)
    for y in 0..<side {
      for x in 0..<side {
        let behind = 3 * ((place.y + y) * size.width + place.x + x)
        for band in 0..<3 {
          samples.append(colour(x, y).map { colours[$0][band] } ?? ground[behind + band])
        }
      }
    }
    return samples
  }

  /// The number of the colour at a place of the subject; nil for the ground.
  private func colour(_ x: Int, _ y: Int) -> Int? {
    let (across, down) = (Float(x) - Float(side) / 2, Float(y) - Float(side) / 2)
    let distance = (across * across + down * down).squareRoot()
    let angle = atan2(down, across)
    switch kind {
    case .squares: return (x / 5 + y / 5) % 2 == 0 ? 2 : 3
    case .rings: return distance * 2 > Float(side) ? nil : Int(distance) / 3 % 2 == 0 ? 2 : 3
    case .leaves:
      if abs(across) * 4 < Float(side), down * 4 > Float(side) { return 1 }
      return distance * 2 < Float(side) && cos(angle * 11) > 0.3 ? 2 + y / 2 % 2 : nil
    case .flower:
      if distance * 6 < Float(side) { return 3 }
      return distance * 2 < Float(side) * abs(cos(angle * 3)) ? 2 : nil
    case .strokes: return (x + 2 * y) % 13 < 2 ? 2 : (3 * x - y + 3 * side) % 17 < 2 ? 3 : nil
    }
  }

  /// Each sample as the mean of its neighbours, as through a lens.
  private func blurred(_ samples: [Float]) -> [Float] {
    func mean(_ samples: [Float], _ step: Int, _ position: (Int) -> Int) -> [Float] {
      samples.indices.map { at in
        let before = position(at) > 0 ? samples[at - step] : samples[at]
        let after = position(at) < side - 1 ? samples[at + step] : samples[at]
        return (before + 2 * samples[at] + after) / 4
      }
    }
    let rows = mean(samples, 3) { $0 / 3 % side }
    return mean(rows, 3 * side) { $0 / 3 / side }
  }
}
