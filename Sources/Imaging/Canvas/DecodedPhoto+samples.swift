internal import CVips

extension DecodedPhoto {
  /// Three bytes a pixel, rows from the top without padding; grey has the same in all three.
  package func rgbSamples() throws -> [UInt8] {
    guard picture.bandFormat == VIPS_FORMAT_UCHAR, [1, 3].contains(picture.bandCount) else {
      throw ImagingError(.unsupported, "The picture is not 8-bit grey or RGB.")
    }
    return try picture.withSamples { samples in
      picture.bandCount == 3 ? Array(samples) : samples.flatMap { [$0, $0, $0] }
    }
  }
}
