internal import CVips
internal import DiaryModel

extension DecodedPhoto {
  /// The side of the square that a thumbnail fits into.
  package static let thumbnailSide = 512
  /// The side of the square that a preview fits into.
  package static let previewSide = 2048

  /// A small copy to list photos with: upright, sRGB, without metadata, so without a location.
  package func thumbnail() throws(ImagingError) -> Thumbnail {
    let small = try shrunk(side: Self.thumbnailSide)
    return Thumbnail(
      picture: small,
      image: try small.jpeg(quality: 76, strip: true, recipe: "thumbnail-1 jpeg q=76"))
  }

  /// The copy to look at on a screen, made like the thumbnail.
  package func preview() throws(ImagingError) -> EncodedImage {
    try shrunk(side: Self.previewSide)
      .jpeg(quality: 80, strip: true, recipe: "preview-1 jpeg q=80")
  }

  /// The full-size copy at the lowest quality that reaches `target`, with its metadata; nil when
  /// there is none that does, or when it would be larger than `maxByteCount`.
  package func master(target: PerceptualTarget, maxByteCount: Int) throws -> EncodedImage? {
    guard isPlain, let choice = try QualitySearch(picture).quality(reaching: target) else {
      return nil
    }
    let master = try picture.jpeg(
      quality: choice.quality, strip: false,
      recipe: "master-1 jpeg q=\(choice.quality) target=\(target)")
    return master.bytes.count <= maxByteCount ? master : nil
  }

  private func shrunk(side: Int) throws(ImagingError) -> VipsPicture {
    var small = try Vips.image { leaflog_thumbnail(picture.pointer, CInt(side)) }
    if small.interpretation != VIPS_INTERPRETATION_sRGB
      && small.interpretation != VIPS_INTERPRETATION_B_W
      || small.bandFormat != VIPS_FORMAT_UCHAR
    {
      small = try Vips.image { leaflog_to_srgb(small.pointer) }
    }
    if small.bandCount == 2 || small.bandCount == 4 {
      small = try Vips.image { leaflog_flatten(small.pointer) }
    }
    return try small.inMemory()
  }
}

/// A thumbnail, as a file and as pixels.
package struct Thumbnail: Sendable {
  let picture: VipsPicture
  package let image: EncodedImage
}

extension VipsPicture {
  /// Encodes as baseline JPEG with Huffman tables made for it.
  func jpeg(quality: Int, strip: Bool, recipe: String) throws(ImagingError) -> EncodedImage {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    let buffer: UnsafeMutableRawPointer = try Vips.call {
      leaflog_save_jpeg(pointer, &bytes, &count, CInt(quality), strip ? 1 : 0) == 0 ? bytes : nil
    }
    return EncodedImage(
      bytes: ByteBuffer(adopting: .init(start: buffer, count: count)) { g_free($0) },
      format: .jpeg, size: PixelSize(width: width, height: height), recipe: recipe)
  }
}
