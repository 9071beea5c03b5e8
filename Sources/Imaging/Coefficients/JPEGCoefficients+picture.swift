internal import CVips
internal import DiaryModel

extension JPEGCoefficients {
  /// The picture at `blockSide` / 8 of its size, rounded up: 8-bit, grey or RGB.
  ///
  /// Each block becomes the inverse transform of its low frequencies alone, which is what a good filter
  /// would leave of it.
  ///
  /// - Parameter blockSide: 1, 2, 4 or 8.
  func picture(blockSide: Int) throws(ImagingError) -> VipsPicture {
    let small = PixelSize(
      width: (size.width * blockSide + 7) / 8, height: (size.height * blockSide + 7) / 8)
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: small.pixelCount * planes.count)
    defer { pixels.deallocate() }
    let parts = planes.map { DecodedPlane($0, blockSide: blockSide, of: small) }
    DecodedPlane.pixels(parts, x: 0, y: 0, size: small, into: pixels)
    return try Vips.image {
      leaflog_from_memory(
        pixels, small.pixelCount * planes.count, CInt(small.width), CInt(small.height),
        CInt(planes.count))
    }
  }
}
