import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// Reads an image with the format that its bytes have.
func photoFile(_ bytes: some Collection<UInt8>) throws -> PhotoFile {
  let buffer = SharedBytes(copying: bytes)
  guard case .image(let format) = buffer.withUnsafeBytes({ FileType(head: $0) }) else {
    throw ImagingError(.unsupported, "no image")
  }
  return try PhotoFile(bytes: buffer, format: format)
}

/// The code of the error that a call ends with; nil for none, and for one of another kind.
func errorCode(_ body: () throws -> Void) -> ImagingError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? ImagingError)?.code
  }
}

func decoded(_ image: EncodedImage) throws -> DecodedPhoto {
  try PhotoFile(bytes: image.bytes, format: image.format).decode()
}

func expectQuadrants(_ answer: Answers.Picture, _ photo: DecodedPhoto) throws {
  let (width, height) = (photo.size.width, photo.size.height)
  #expect([width, height] == answer.uprightSize)
  let places = [
    (answer.quadrants.topLeft, width / 4, height / 4),
    (answer.quadrants.topRight, 3 * width / 4, height / 4),
    (answer.quadrants.bottomLeft, width / 4, 3 * height / 4),
    (answer.quadrants.bottomRight, 3 * width / 4, 3 * height / 4),
  ]
  for (expected, x, y) in places {
    let pixel = try photo.pixel(x: x, y: y)
    // A grey JPEG has one sample a pixel.
    let rgb = pixel.count == 1 ? [pixel[0], pixel[0], pixel[0]] : pixel
    let difference = zip(rgb, expected).map { abs(Int($0) - $1) }.max() ?? .max
    #expect(difference <= answer.tolerance + 3, "\(rgb) is not \(expected) at \(x), \(y)")
  }
}

@Suite struct ThumbnailTests {
  @Test(arguments: Answers.all.orientation)
  func `every orientation comes out upright`(answer: Answers.Picture) throws {
    let photo = try photoFile(Fixtures.data("Orientation/" + answer.path))
    #expect([photo.uprightSize.width, photo.uprightSize.height] == answer.uprightSize)
    try expectQuadrants(answer, decoded(photo.decode().thumbnail().image))
  }

  @Test(arguments: Answers.all.colour)
  func `every kind of image comes out in the right colours`(answer: Answers.Picture) throws {
    let photo = try photoFile(Fixtures.data("Colour/" + answer.path))
    try expectQuadrants(answer, decoded(photo.decode().thumbnail().image))
  }

  @Test func `a thumbnail is small, has no metadata and is not enlarged`() throws {
    let photo = try photoFile(Fixtures.data("Photos/monstera/IMG_0001.jpg"))
    let thumbnail = try photo.decode().thumbnail().image
    #expect(thumbnail.size == PixelSize(width: 512, height: 384))
    thumbnail.bytes.withUnsafeBytes { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("Exif") && !text.contains("GPS"))
    }
    let small = try photoFile(Fixtures.data("Colour/srgb.jpg"))
    #expect(try small.decode().thumbnail().image.size == PixelSize(width: 160, height: 120))
  }

  @Test func `a preview fits 2048 pixels`() throws {
    let photo = try photoFile(Fixtures.data("Photos/monstera/IMG_0003.jpg"))
    #expect(try photo.decode().preview().size == PixelSize(width: 900, height: 1200))
  }

  @Test func `a placeholder tells the picture's shape and mean colour`() throws {
    let photo = try photoFile(Fixtures.data("Colour/srgb.jpg"))
    let hash = try Placeholder.hash(photo.decode().thumbnail().decoded)
    #expect((20...28).contains(hash.count))
    let header = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
    let mean = Double(header & 63) / 63
    #expect(abs(mean - 0.451) < 0.03)  // the four quadrants' mean of red, green and blue
    #expect(hash[4] & 0x80 != 0)  // landscape
  }
}

@Suite struct MasterTests {
  private let photos = Answers.all.photos.map { "Photos/" + $0.path }

  @Test func `a master reaches the target, and not by far`() throws {
    for path in photos {
      let photo = try photoFile(Fixtures.data(path))
      let original = try photo.decode()
      let master = try #require(
        try original.master(of: photo, target: .standard, maxByteCount: .max), "\(path)")
      let score = try original.score(of: decoded(master))
      #expect((78...85).contains(score), "\(path) scores \(score)")
    }
  }

  @Test func `a higher target takes more bytes`() throws {
    let photo = try photoFile(Fixtures.data(photos[0]))
    let original = try photo.decode()
    let sizes = try [70.0, 80, 88].map {
      try original.master(of: photo, target: PerceptualTarget(score: $0), maxByteCount: .max)?
        .bytes.count ?? 0
    }
    #expect(sizes[0] > 0 && sizes[0] < sizes[1] && sizes[1] < sizes[2])
  }

  @Test func `a master keeps its metadata, its profile and its way up`() throws {
    let photo = try photoFile(Fixtures.data("Photos/monstera/IMG_0003.jpg"))
    let master = try #require(
      try photo.decode().master(of: photo, target: .standard, maxByteCount: .max))
    let copy = try PhotoFile(bytes: master.bytes, format: .jpeg)
    #expect(copy.exif == photo.exif)
    #expect(copy.exif.original?.iso8601 == "2025-05-07T07:58:12+02:00")
    #expect(copy.orientation == 6)
    #expect(copy.storedSize == photo.storedSize)

    let wide = try photoFile(Fixtures.data("Colour/display-p3.jpg"))
    let wideMaster = try #require(
      try wide.decode().master(of: wide, target: .standard, maxByteCount: .max))
    let answer = try #require(Answers.all.colour.first { $0.path == "display-p3.jpg" })
    try expectQuadrants(answer, decoded(decoded(wideMaster).thumbnail().image))
  }

  @Test(arguments: ["alpha.png", "animated.gif", "animated.webp", "cmyk.jpg"])
  func `a format that a JPEG cannot hold has no master`(name: String) throws {
    let photo = try photoFile(Fixtures.data("Colour/" + name))
    #expect(try photo.decode().master(of: photo, target: .standard, maxByteCount: .max) == nil)
  }

  @Test func `a master that would not be smaller is none`() throws {
    let photo = try photoFile(Fixtures.data(photos[0]))
    #expect(try photo.decode().master(of: photo, target: .standard, maxByteCount: 1000) == nil)
  }

  @Test func `the score agrees with the reference implementation`() throws {
    // scored.jpg is scored.png as JPEG; score.txt is what PyPI's ssimulacra2 0.3.0 says of the two.
    let original = try photoFile(Fixtures.data("Score/scored.png")).decode()
    let copy = try photoFile(Fixtures.data("Score/scored.jpg")).decode()
    let reference = try #require(
      Double(
        String(decoding: Fixtures.data("Score/score.txt"), as: UTF8.self)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(abs(try original.score(of: copy) - reference) < 1.5)
    #expect(try original.score(of: original) > 99.9)
  }
}

@Suite struct PackingTests {
  @Test func `a JPEG is packed smaller and unpacked byte for byte`() throws {
    let jpeg = SharedBytes(copying: try Fixtures.data("Photos/tomato/DSC_0102.jpg"))
    let packed = try #require(try JPEGPacking.pack(jpeg))
    #expect(packed.count < jpeg.count * 95 / 100)
    let restored = try JPEGPacking.unpack(packed)
    #expect(jpeg.withUnsafeBytes { a in restored.withUnsafeBytes { a.elementsEqual($0) } })
  }

  @Test func `a file that cannot be restored exactly is not packed`() throws {
    let cmyk = SharedBytes(copying: try Fixtures.data("Colour/cmyk.jpg"))
    #expect(try JPEGPacking.pack(cmyk) == nil)
    let trailing = SharedBytes(
      copying: try Fixtures.data("Colour/srgb.jpg") + Data(repeating: 7, count: 100))
    if let packed = try JPEGPacking.pack(trailing) {
      let restored = try JPEGPacking.unpack(packed)
      #expect(trailing.withUnsafeBytes { a in restored.withUnsafeBytes { a.elementsEqual($0) } })
    }
  }
}
