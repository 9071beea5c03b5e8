internal import DiaryModel

/// A picture of a kind that no decoder here reads, of which the container tells the size and the metadata.
struct UnreadPicture: Sendable {
  let size: PixelSize
  /// How the picture still has to be turned, as in `PhotoFile`.
  let orientation: Int
  let exifBlock: [UInt8]?
  let exif: EXIF
  let xmp: [UInt8]?
  /// Says what kind it is.
  let error: ImagingError

  /// Nil when the file is damaged, when its size is not known, or when it is a camera's RAW file.
  init?(
    _ file: ByteBuffer, _ format: ImageFormat, _ heif: HEIFStructure?, _ error: ImagingError
  ) {
    guard error.code == .unsupported else { return nil }
    self.error = error
    switch format {
    case .tiff:
      guard let structure = TIFFStructure(file), !structure.holdsSensorData,
        case let picture = TIFFPicture(structure), let size = picture.size
      else { return nil }
      (self.size, exifBlock, xmp) = (size, nil, picture.xmp)
      exif = EXIF(tiffFile: file)
      orientation = PhotoFile.orientation(of: size, picture.orientation, format, nil, nil)
    case .heic, .avif:
      let outline = HEIFOutline(file)
      guard let size = outline.size else { return nil }
      (self.size, exifBlock, xmp) = (size, outline.exif, outline.xmp)
      let tags = outline.exif.flatMap { TIFFStructure(block: $0) }
      exif = EXIF(tags, tags?.main)
      orientation = PhotoFile.orientation(of: size, nil, format, tags, heif)
    case .jpeg, .png, .webp, .gif, .jxl: return nil
    }
  }
}
