import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// A change that a test makes to a picture, for the aligner to find.
struct Nudge: Sendable, CustomStringConvertible {
  var shift: SIMD2<Double> = [0, 0]
  var scale = 1.0
  var degrees = 0.0
  var gain: SIMD3<Double> = .one

  var alignment: FrameAlignment {
    FrameAlignment(
      view: Similarity(scale: scale, angle: degrees * .pi / 180, shift: shift),
      exposure: Exposure(gain: gain, white: 0))
  }

  var description: String { "shift \(shift) scale \(scale) turn \(degrees) gain \(gain)" }

  static let all = [
    Nudge(),
    Nudge(shift: [0.1, 0]),
    Nudge(shift: [-0.08, 0.06], gain: [0.5, 0.5, 0.5]),
    Nudge(scale: 0.9, gain: [1.5, 1.5, 1.5]),
    Nudge(scale: 1.1, degrees: 2),
    Nudge(shift: [0.04, -0.05], scale: 1.06, degrees: -1.5, gain: [0.7, 0.8, 0.9]),
    Nudge(shift: [-0.09, -0.03], scale: 0.93, gain: [2, 2, 2]),
    Nudge(shift: [0.003, 0.002], gain: [1.9, 2, 2.1]),
  ]
}

private func frame(_ path: String) throws -> DecodedPhoto {
  try photoFile(Data(contentsOf: URL(fileURLWithPath: path))).decode()
}

/// The parts of a photo that the library has when a film is made.
private func thumbnail(_ photo: DecodedPhoto) throws -> DecodedPhoto {
  try decoded(photo.thumbnail().image)
}

private func alignments(_ frames: [DecodedPhoto]) throws -> [FrameAlignment] {
  var aligner = FrameAligner()
  for frame in frames { try aligner.add(thumbnail(frame)) }
  return aligner.alignments()
}

/// Upright, large enough to be seen and small enough to be quick.
private func upright(_ photo: DecodedPhoto) throws -> DecodedPhoto {
  try decoded(photo.preview())
}

/// Expects that a nudged copy is brought back onto its original: to a pixel of 1280, a hundredth of
/// scale and three hundredths of exposure.
private func expectUndone(
  _ nudge: Nudge, original: FrameAlignment, copy: FrameAlignment, aspect: Double,
  _ comment: Comment
) {
  #expect(original.isMatched && copy.isMatched, comment)
  for corner in [SIMD2(0, 0), [-0.4, -0.4 * aspect], [0.4, -0.4 * aspect], [0.4, 0.4 * aspect]] {
    let error = copy.view(nudge.alignment.view(corner)) - original.view(corner)
    #expect((error * error).sum().squareRoot() * 1280 < 1, comment)
  }
  #expect(abs(copy.view.scale * nudge.scale / original.view.scale - 1) < 0.01, comment)
  for channel in 0..<3 {
    let rest = copy.exposure.gain[channel] * nudge.gain[channel] / original.exposure.gain[channel]
    #expect(abs(rest - 1) < 0.03, comment)
  }
}

@Suite struct AlignmentTests {
  static let fixtures = ["monstera/IMG_0001.jpg", "tomato/DSC_0101.jpg"].map {
    Fixtures.path("Photos/" + $0)
  }

  @Test(arguments: fixtures, Nudge.all)
  func `a known change is found`(path: String, nudge: Nudge) throws {
    try expectFound(nudge, in: path)
  }

  @Test(
    .enabled(if: Fixtures.sharedPhotos != nil, "no shared photos beside this checkout"),
    arguments: [
      "seedlings/20210524T120005+0100.jpg", "seedlings/20210617T120005+0100.jpg",
      "windowsill-herbs/IMG_20210503_121721.jpg", "windowsill-herbs/IMG_20210710_115620.jpg",
    ], Nudge.all)
  func `a known change of a real photo is found`(path: String, nudge: Nudge) throws {
    let folder = try #require(Fixtures.sharedPhotos)
    try expectFound(nudge, in: folder + "/series/" + path)
  }

  private func expectFound(_ nudge: Nudge, in path: String) throws {
    let original = try upright(frame(path))
    let copy = try original.aligned(by: nudge.alignment, size: original.size)
    let found = try alignments([original, copy])
    let aspect = Double(original.size.height) / Double(original.size.width)
    expectUndone(nudge, original: found[0], copy: found[1], aspect: aspect, "\(path) \(nudge)")
  }

  @Test func `a hundred nudges do not add up`() throws {
    let original = try upright(frame(Self.fixtures[0]))
    let small = try original.aligned(by: .identity, size: PixelSize(width: 640, height: 480))
    let nudges = (0..<100).map { (index: Int) -> Nudge in
      let phase = Double(index)
      let shift = SIMD2<Double>(0.02 * sin(phase * 1.7), 0.02 * cos(phase * 2.3))
      let gain = exp2(0.5 * sin(phase * 3.1))
      return Nudge(
        shift: shift, scale: 1 + 0.02 * sin(phase * 0.9), gain: SIMD3(repeating: gain))
    }
    let found = try alignments(nudges.map { try small.aligned(by: $0.alignment, size: small.size) })
    for index in [1, 50, 98, 99] {
      let (first, last) = (nudges[0].alignment.view, nudges[index].alignment.view)
      let point = SIMD2<Double>(0.2, 0.2)
      let error: SIMD2<Double> = found[index].view(last(point)) - found[0].view(first(point))
      #expect((error * error).sum().squareRoot() * 1280 < 1)
    }
    #expect(found.allSatisfy { $0.isMatched })
  }

  @Test func `the typical frame is left as it is, and not the first`() throws {
    let original = try upright(frame(Self.fixtures[0]))
    let outlier = Nudge(shift: [0.05, 0.03], scale: 1.08, gain: [0.5, 0.5, 0.5])
    let odd = try original.aligned(by: outlier.alignment, size: original.size)
    let found = try alignments([odd, original, original, original])
    #expect(abs(found[2].view.scale - found[2].zoom) < 0.002)
    #expect(abs(found[2].exposure.meanGain - 1) < 0.02)
    #expect(abs(found[0].exposure.meanGain - 2) < 0.06)
  }

  @Test func `a profile that does not match is used as it is and disturbs nothing`() throws {
    let original = try upright(frame(Self.fixtures[0]))
    let nudge = Nudge(shift: [0.03, 0.01], gain: [1.2, 1.2, 1.2])
    let copy = try original.aligned(by: nudge.alignment, size: original.size)
    var black = FrameAlignment.identity
    black.exposure = Exposure(gain: .zero, white: 0)
    var white = FrameAlignment.identity
    white.exposure = Exposure(gain: SIMD3(repeating: 1e9), white: 1)
    let found = try alignments([
      original, original.aligned(by: black, size: original.size),
      original.aligned(by: white, size: original.size), upright(frame(Self.fixtures[1])),
      original.aligned(by: .identity, size: PixelSize(width: 400, height: 900)), copy,
    ])
    for index in 1...4 { #expect(found[index] == .identity) }
    let aspect = Double(original.size.height) / Double(original.size.width)
    expectUndone(nudge, original: found[0], copy: found[5], aspect: aspect, "after other frames")
  }

  @Test func `a camera that was moved for good has a new view`() throws {
    let (before, after) = try (upright(frame(Self.fixtures[0])), upright(frame(Self.fixtures[1])))
    let nudge = Nudge(shift: [-0.02, 0.01])
    let moved = try after.aligned(by: nudge.alignment, size: after.size)
    let found = try alignments([before, before, after, moved])
    #expect(found.allSatisfy { $0.isMatched })
    let aspect = Double(after.size.height) / Double(after.size.width)
    expectUndone(nudge, original: found[2], copy: found[3], aspect: aspect, "the second view")
  }

  @Test func `photos of one plant from here and there are not distorted`() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Fixtures.path("Photos/monstera"))
    let photos = try names.filter { $0.hasSuffix(".jpg") }.sorted().map {
      try upright(frame(Fixtures.path("Photos/monstera/" + $0)))
    }
    for alignment in try alignments(photos) {
      #expect((0.8...1.35).contains(alignment.view.scale))
      #expect(abs(alignment.view.angle) < 10.1 * .pi / 180)
    }
  }

  @Test(arguments: [16, 17, 33, 100, 512])
  func `thumbnails of any size are taken, grey ones too`(side: Int) throws {
    let original = try frame(Self.fixtures[0])
    let size = PixelSize(width: side, height: max(16, side * 3 / 4))
    let small = try original.aligned(by: .identity, size: size)
    let grey = try photoFile(Fixtures.data("Colour/grey.jpg")).decode()
    var aligner = FrameAligner()
    for frame in [small, small, grey, grey] { try aligner.add(frame) }
    let found = aligner.alignments()
    #expect(found.count == 4)
    #expect(try grey.aligned(by: found[2], size: size).pixel(x: 0, y: 0).count == 3)
  }

  @Test func `a frame is moved and exposed as it is told`() throws {
    let photo = try photoFile(Fixtures.data("Colour/srgb.jpg")).decode()
    let size = photo.size
    let nudge = Nudge(shift: [0.25, 0], gain: [0.5, 1, 1])
    let frame = try photo.aligned(by: nudge.alignment, size: size)
    let source = try photo.pixel(x: size.width / 4, y: size.height / 4)
    let target = try frame.pixel(x: size.width / 2, y: size.height / 4)
    #expect(abs(Int(target[1]) - Int(source[1])) < 3 && abs(Int(target[2]) - Int(source[2])) < 3)
    let linear = { (value: UInt8) in pow((Double(value) / 255 + 0.055) / 1.055, 2.4) }
    if source[0] > 30 { #expect(abs(linear(target[0]) / linear(source[0]) - 0.5) < 0.05) }
    // The edge continues.
    #expect(try frame.pixel(x: 0, y: size.height / 4) == frame.pixel(x: 20, y: size.height / 4))
    // Another shape has bars beside it.
    let tall = try photo.aligned(by: .identity, size: PixelSize(width: 100, height: 300))
    #expect(try tall.pixel(x: 50, y: 10) == [0, 0, 0])
    #expect(try tall.pixel(x: 50, y: 150) != [0, 0, 0])
  }
}
