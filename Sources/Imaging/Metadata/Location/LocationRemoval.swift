package import DiaryModel

/// Removes the location from an image file without touching a pixel.
package enum LocationRemoval {
  /// The file without its GPS directory (EXIF 2.32, 4.6.6), its maker's notes (MakerNote, 0x927C), XMP,
  /// IPTC, comments and anything after the picture: all of them can reveal locations. EXIF's other tags
  /// and the colour profile stay.
  ///
  /// - Throws: `ImagingError` with code `tellsPlace` when the result still reveals a location, or when the
  ///   file cannot be cleaned with certainty.
  package static func strip(
    _ file: ByteBuffer, format: ImageFormat
  ) throws(ImagingError) -> ByteBuffer {
    let result = try file.withUnsafeBytes { bytes throws(ImagingError) in
      try edits(bytes, format).applied(to: bytes)
    }
    // An independent search for whatever was overlooked above; if it finds anything, the file is not given out.
    if let trace = result.withUnsafeBytes({ PlaceSearch($0, format).trace }) {
      throw refusal(format, "it still has \(trace)")
    }
    let (before, after) = (
      try PhotoFile(bytes: file, format: format), try PhotoFile(bytes: result, format: format)
    )
    guard before.storedSize == after.storedSize, before.pageCount == after.pageCount else {
      throw refusal(format, "its picture would suffer")
    }
    return result
  }

  static func refusal(_ format: ImageFormat, _ reason: String) -> ImagingError {
    ImagingError(
      .tellsPlace,
      "Where it was taken cannot be left out of this \(format.rawValue) file for certain: \(reason)."
    )
  }

  private static func edits(
    _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat
  ) throws(ImagingError) -> ByteEdits {
    switch format {
    case .jpeg: return jpeg(bytes)
    case .png: return png(bytes)
    case .webp: return webp(bytes)
    case .gif: return gif(bytes)
    case .heic, .avif: return try heif(bytes, format)
    case .jxl: return try jxl(bytes)
    case .tiff:
      var edits = ByteEdits()
      guard edits.clean(tiff: bytes, at: 0) else {
        throw refusal(.tiff, "it is a BigTIFF or damaged")
      }
      return edits
    }
  }
}
