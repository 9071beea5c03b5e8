import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct CoefficientTests {
  static let ordinary =
    [(2, 2), (2, 1), (1, 2), (1, 1), nil].flatMap { sampling in
      [
        JPEGFixture(sampling: sampling),
        JPEGFixture(size: PixelSize(width: 640, height: 480), sampling: sampling),
        JPEGFixture(
          size: PixelSize(width: 1021, height: 773), sampling: sampling, isProgressive: true),
        JPEGFixture(
          size: PixelSize(width: 17, height: 9), sampling: sampling, restartInterval: 1),
        JPEGFixture(
          size: PixelSize(width: 600, height: 401), sampling: sampling, restartInterval: 3),
      ]
    }

  @Test(arguments: ordinary)
  func `an inverse transform gives libjpeg's pixels`(fixture: JPEGFixture) throws {
    let photo = try photoFile(fixture.bytes())
    let source = try #require(photo.coefficients())
    #expect(source.isPlain && source.warnings.isEmpty)
    let picture = try source.picture(reaching: 1 << 16)
    #expect(picture.size == fixture.size)
    #expect(try picture.meanDifference(from: photo.decode()) < 0.35)
  }

  @Test(arguments: ordinary)
  func `a copy by coefficients is like one by pixels`(fixture: JPEGFixture) throws {
    let photo = try photoFile(fixture.bytes())
    let original = try photo.decode()
    let byCoefficients = try #require(
      try photo.coefficients()?.master(target: .standard, maxByteCount: .max))
    let byPixels = try #require(
      try photoFile(fixture.bytes()).pixels().master(target: .standard, maxByteCount: .max))
    let copy = try decoded(byCoefficients)
    #expect(copy.warnings.isEmpty)
    #expect(copy.size == fixture.size)
    #expect(byCoefficients.recipe.hasPrefix("master-2 "))
    #expect(byPixels.recipe.hasPrefix("master-1 "))
    guard fixture.size.pixelCount > 10_000 else { return }
    let otherCopy = try decoded(byPixels)
    let scores = [try original.score(of: copy), try original.score(of: otherCopy)]
    #expect(scores.allSatisfy { $0 > 78.9 }, "\(scores)")
    let likeness = try otherCopy.score(of: copy)
    #expect(likeness > 72, "\(likeness)")
    #expect(byCoefficients.bytes.count < byPixels.bytes.count * 21 / 20)
  }

  @Test(arguments: ordinary)
  func `a thumbnail by coefficients is like one by pixels`(fixture: JPEGFixture) throws {
    let photo = try photoFile(fixture.bytes())
    let byCoefficients = try #require(try photo.coefficients()?.thumbnail().image)
    let byPixels = try photo.pixels().thumbnail().image
    #expect(byCoefficients.size == byPixels.size)
    #expect(try decoded(byCoefficients).meanDifference(from: decoded(byPixels)) < 4)
  }

  @Test func `an unusual JPEG is read by its pixels`() throws {
    #expect(try photoFile(JPEGFixture(isAdobeRGB: true).bytes()).coefficients() == nil)
    #expect(try photoFile(Fixtures.data("Colour/cmyk.jpg")).coefficients() == nil)
    #expect(try photoFile(Fixtures.data("Colour/alpha.png")).coefficients() == nil)
    #expect(try photoFile(JPEGFixture(isAdobeRGB: true).bytes()).read().isPlain)
  }

  @Test func `a damaged scan keeps its exact bytes`() throws {
    var bytes = JPEGFixture(restartInterval: 4).bytes()
    for at in stride(from: bytes.count / 2, to: bytes.count / 2 + 40, by: 2) { bytes[at] ^= 0x5A }
    let photo = try photoFile(bytes)
    #expect(photo.coefficients() == nil)
    let source = try photo.read()
    #expect(source.warnings == [.damaged])
    #expect(try source.master(target: .standard, maxByteCount: .max) == nil)
    #expect(try source.thumbnail().image.size == PixelSize(width: 256, height: 186))
  }

  @Test func `a picture of too many coefficients is not read by them`() throws {
    let photo = try photoFile(JPEGFixture().bytes())
    var limits = ImageLimits()
    limits.maxWorkingByteCount = 1_000_000
    #expect(photo.coefficients(limits: limits) == nil)
    #expect(photo.memory.coefficientByteCount(limits) == nil)
    let needed = try #require(photo.memory.coefficientByteCount(ImageLimits()))
    // Two bytes for each of 26 x 19 units of six blocks, and the file.
    #expect(needed >= 2 * 64 * 6 * 26 * 19 + photo.bytes.count)
  }

  @Test func `a photo as coarse as its copy would be is not compressed`() throws {
    let photo = try photoFile(JPEGFixture(quality: 8).bytes())
    let source = try #require(photo.coefficients())
    #expect(try source.master(target: .standard, maxByteCount: .max) == nil)
  }

  @Test func `a small picture without anything else is its own thumbnail`() throws {
    func isOwn(_ bytes: [UInt8]) throws -> Bool {
      try #require(try photoFile(bytes).coefficients()).isOwnThumbnail
    }
    func inserting(_ segment: [UInt8], at place: Int, _ bytes: [UInt8]) -> [UInt8] {
      Array(bytes[..<place] + segment + bytes[place...])
    }
    let bytes = JPEGFixture(isProgressive: true).bytes()
    #expect(try isOwn(bytes))
    #expect(try !isOwn(JPEGFixture(size: PixelSize(width: 641, height: 40)).bytes()))
    let comment: [UInt8] = [0xFF, 0xFE, 0, 6] + Array("here".utf8)
    #expect(try !isOwn(inserting(comment, at: 2, bytes)))
    // Between two scans, where only progressive files have markers.
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    let second = try #require(scans.dropFirst().first)
    #expect(try !isOwn(inserting(comment, at: second, bytes)))
    let fileExtension: [UInt8] = [0xFF, 0xE0, 0, 9] + Array("JFXX\0".utf8) + [0x10, 0]
    #expect(try !isOwn(inserting(fileExtension, at: 20, bytes)))
    // A second picture, such as a camera puts behind the first, may tell a place.
    #expect(try !isOwn(bytes + Fixtures.data("Places/place.jpg")))
    #expect(try !isOwn(bytes + [0]))
  }

  @Test func `a thumbnail is no larger than its photo`() throws {
    for quality in [5, 20, 95] {
      let photo = try photoFile(
        JPEGFixture(size: PixelSize(width: 512, height: 384), quality: quality).bytes())
      let thumbnail = try photo.read().thumbnail()
      #expect(thumbnail.image.bytes.count <= photo.bytes.count)
    }
  }

  @Test func `a thumbnail reaches its target`() throws {
    for path in Answers.all.photos.map({ "Photos/" + $0.path }) {
      let source = try photoFile(Fixtures.data(path)).read()
      let thumbnail = try source.thumbnail()
      let score = try thumbnail.decoded.score(of: decoded(thumbnail.image))
      #expect((68.5...76).contains(score), "\(path) scores \(score)")
    }
  }

  @Test func `photos of a series begin where the last ended`() throws {
    let source = try photoFile(Fixtures.data("Photos/monstera/IMG_0001.jpg")).read()
    let history = QualityHistory()
    let copies = try (0..<3).map { _ in
      try source.master(target: .standard, maxByteCount: .max, after: history)?.bytes.count ?? 0
    }
    #expect(copies[0] > 0)
    #expect(copies.allSatisfy { abs($0 - copies[0]) * 12 < copies[0] })
  }

  @Test func `recipes of both ways are read`() {
    for text in [
      "master-1 jpeg-r13 level=30 target=ssimulacra2:80",
      "master-2 jpeg-r13 level=18 target=ssimulacra2:72.5",
    ] {
      #expect(MasterRecipe(text)?.description == text)
    }
    #expect(MasterRecipe("master-3 jpeg-r13 level=18 target=ssimulacra2:80") == nil)
  }
}
