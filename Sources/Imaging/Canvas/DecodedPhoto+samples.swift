internal import CVips

extension DecodedPhoto {
  /// Samples of 8-bit grey or RGB as three bytes per pixel, rows from the top without padding; grey is repeated.
  ///
  /// - Throws: `ImagingError` with code `unsupported` for other pictures.
  package func rgbSamples() throws -> [UInt8] {
    guard picture.bandFormat == VIPS_FORMAT_UCHAR, [1, 3].contains(picture.bandCount) else {
      throw ImagingError(.unsupported, "The picture is not 8-bit grey or RGB.")
    }
    return try picture.withSamples { samples in
      picture.bandCount == 3 ? Array(samples) : samples.flatMap { [$0, $0, $0] }
    }
  }
}
