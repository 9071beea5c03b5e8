internal import CVips
package import DiaryModel

extension DecodedPhoto {
  /// The upright picture as a frame of a film: 8-bit sRGB, moved by an alignment, and exposed by it as
  /// far as that suits a film.
  ///
  /// It is fitted into `size`, with black bars if its aspect ratio differs. Where a moved frame does not
  /// reach the edge of the film, its own edge is continued.
  package func filmFrame(by alignment: FrameAlignment, size: PixelSize) throws -> DecodedPhoto {
    let placed = try placed(by: alignment.view, size: size).inMemory()
    let exposed = try placed.exposedWithoutClipping(by: alignment.exposure.tempered)
    return DecodedPhoto(picture: exposed, warnings: warnings, isPlain: true)
  }

  /// A frame of a film, moved and exposed exactly by an alignment.
  package func aligned(by alignment: FrameAlignment, size: PixelSize) throws -> DecodedPhoto {
    let frame = try placed(by: alignment.view, size: size).exposed(by: alignment.exposure)
    return DecodedPhoto(picture: try frame.inMemory(), warnings: warnings, isPlain: true)
  }

  private func placed(by view: Similarity, size: PixelSize) throws -> VipsPicture {
    var source = picture
    if source.bandCount != 3 || source.interpretation != VIPS_INTERPRETATION_sRGB {
      source = try Vips.image { leaflog_to_srgb(source.pointer) }
    }
    let fit = min(
      Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
    // The interpolator reads sixteen pixels, however many of them an output pixel covers.
    if fit < 0.75 { source = try Vips.image { leaflog_resize(source.pointer, fit, fit) } }
    let scale = min(
      Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
    let turn = scale * view.factor
    let from = SIMD2(Double(source.width - 1), Double(source.height - 1)) / 2
    let to = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let moved = Similarity(factor: turn, shift: .zero)(from)
    let shift = to + scale * Double(source.width) * view.shift - moved
    // Another aspect ratio leaves bars, which stay black.
    let slack = max(
      abs(Double(size.width) - scale * Double(source.width)),
      abs(Double(size.height) - scale * Double(source.height)))
    // Wide enough for the largest plausible movement.
    let margin = slack < 4 ? max(source.width, source.height) / 2 : 0
    let wide = try Vips.image { leaflog_extend(source.pointer, CInt(margin)) }
    let offset = Similarity(factor: turn, shift: .zero)(SIMD2(repeating: Double(margin)))
    return try Vips.image {
      leaflog_affine(
        wide.pointer, turn.x, -turn.y, turn.y, turn.x, shift.x - offset.x, shift.y - offset.y,
        CInt(size.width), CInt(size.height))
    }
  }
}
