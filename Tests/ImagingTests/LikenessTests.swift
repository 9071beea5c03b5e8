import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// Thumbnails that show the same, whatever compression has changed.
@Suite struct LikenessTests {
  private func thumbnail(_ name: String) throws -> DecodedPhoto {
    let bytes = SharedBytes(copying: try Fixtures.data(name))
    let made = try PhotoFile(bytes: bytes, format: .jpeg).read().thumbnail().image
    return try PhotoFile(bytes: made.bytes, format: .jpeg).decode()
  }

  private func uncompressed(_ name: String) throws -> DecodedPhoto {
    let bytes = SharedBytes(copying: try Fixtures.data(name))
    return try PhotoFile(bytes: bytes, format: .jpeg).read().thumbnail().decoded
  }

  @Test(arguments: [
    "Photos/monstera/IMG_0001.jpg", "Photos/monstera/IMG_0003.jpg", "Colour/srgb.jpg",
    "Colour/grey.jpg",
  ])
  func `a compressed thumbnail is like the picture that it was made from`(name: String) throws {
    #expect(try uncompressed(name).isLike(thumbnail(name)))
    #expect(try thumbnail(name).isLike(uncompressed(name)))
  }

  @Test func `other pictures, other sizes and other colours are not alike`() throws {
    let photo = try uncompressed("Photos/monstera/IMG_0001.jpg")
    #expect(try !photo.isLike(thumbnail("Photos/monstera/IMG_0005.jpg")))
    #expect(try !photo.isLike(thumbnail("Photos/monstera/IMG_0003.jpg")))
    #expect(try !uncompressed("Colour/srgb.jpg").isLike(thumbnail("Colour/grey.jpg")))
    #expect(try !uncompressed("Colour/grey.jpg").isLike(thumbnail("Colour/srgb.jpg")))
  }
}
