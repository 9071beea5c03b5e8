internal import CVips
internal import DiaryModel

extension PhotoFile {
  /// The memory that processing the photo takes.
  package var memory: WorkingMemory { WorkingMemory(photo: self) }
}

/// The memory that processing a photo takes, in bytes, estimated from its header.
package struct WorkingMemory {
  fileprivate let photo: PhotoFile

  /// The memory from its file to its compressed copy.
  package var workingByteCount: Int {
    if case .unread = photo.header { return photo.bytes.count }
    return photo.bytes.count + photo.storedSize.pixelCount
      * (sampleByteCount + max(encoderByteCount, decoderByteCount, turningByteCount))
      + (photo.isProgressive ? photo.progressiveByteCount : 0)
  }

  /// The same for decoding at reduced size; nil when the decoder cannot do that.
  var reducedByteCount: Int? {
    switch photo.format {
    case .jpeg:
      photo.bytes.count + photo.storedSize.pixelCount / 64 * 2 * sampleByteCount + rowByteCount * 64
        + (photo.isProgressive ? photo.progressiveByteCount : 0)
    case .png where !isInterlaced: photo.bytes.count + rowByteCount * cachedRowCount
    case .tiff:
      photo.bytes.count + rowByteCount * cachedRowCount + rowByteCount * 3 * tiffPieceRowCount
    case .png, .webp, .gif, .heic, .avif, .jxl: nil
    }
  }

  /// The memory to reserve for importing it by its coefficients; nil when it is not an ordinary JPEG, or
  /// would take too much.
  package func coefficientByteCount(_ limits: ImageLimits) -> Int? {
    photo.ordinaryFrame(limits).map { photo.bytes.count + $0.byteCount }
  }

  /// The memory to reserve for importing it by its pixels.
  package func importByteCount(_ limits: ImageLimits) -> Int {
    if isUnshown(limits) { return photo.bytes.count }
    return isReduced(limits) ? reducedByteCount ?? workingByteCount : workingByteCount
  }

  /// Whether the photo is kept without being decoded: no decoder here reads its kind, or its decoder works on whole
  /// pictures, and this one takes too much memory. Phones take HEIC photos of 200 megapixels; no other format of cameras
  /// has such decoders.
  func isUnshown(_ limits: ImageLimits) -> Bool {
    if case .unread = photo.header { return true }
    return [.heic, .avif].contains(photo.format) && isReduced(limits)
  }

  /// The memory to reserve for packing a JPEG without loss; none for what is not packed.
  package func packingByteCount(_ limits: ImageLimits) -> Int {
    photo.format == .jpeg && isPackable(limits) ? wholePackingByteCount : 0
  }

  /// Whether a JPEG can be packed without loss within the memory limits, while its picture is in memory.
  package func isPackable(_ limits: ImageLimits) -> Bool {
    let needed = wholePackingByteCount
    return needed <= limits.maxPackingByteCount
      && needed <= limits.memory - min(importByteCount(limits), limits.memory)
  }

  private var wholePackingByteCount: Int {
    JPEGPacking.packingByteCount(photo.storedSize, photo.bytes.count)
  }

  /// The memory to reserve for decoding it with at most `side` pixels per side, as `frame(side:)` does.
  package func frameByteCount(side: Int, _ limits: ImageLimits) -> Int {
    let shrink = photo.shrink(reaching: side)
    guard shrink > 1 else { return importByteCount(limits) }
    return photo.bytes.count + photo.storedSize.pixelCount / (shrink * shrink) * 2 * sampleByteCount
      + rowByteCount * 64 + (photo.isProgressive ? photo.progressiveByteCount : 0)
  }

  /// Whether it takes too much memory to be decoded at full size.
  func isReduced(_ limits: ImageLimits) -> Bool {
    workingByteCount
      > (photo.isProgressive ? limits.maxProgressiveWorkingByteCount : limits.maxWorkingByteCount)
  }

  private var sampleByteCount: Int {
    switch photo.header {
    case .jxl(let header): header.bandCount
    case .unread: 0
    case .vips(let picture): picture.bandCount * Int(vips_format_sizeof(picture.bandFormat))
    }
  }

  private var rowByteCount: Int { photo.storedSize.width * sampleByteCount }

  /// Per pixel: the coefficients of a JPEG with halved chroma, two bytes each.
  private var encoderByteCount: Int { 3 }

  /// Per pixel, in addition to the resulting samples; measured on pictures of 48 megapixels.
  private var decoderByteCount: Int {
    switch photo.format {
    case .jpeg, .tiff: 0
    case .png: isInterlaced ? sampleByteCount : 0
    case .webp, .heic, .avif: 5
    case .jxl: 6
    case .gif: 12
    }
  }

  /// Per pixel: the upright picture besides that as decoded.
  private var turningByteCount: Int {
    photo.format != .jpeg && photo.orientation != 1 ? sampleByteCount : 0
  }

  private var isInterlaced: Bool {
    guard case .vips(let picture) = photo.header else { return false }
    return picture.integer("interlaced") == 1
  }

  /// The number of rows that libvips keeps while it shrinks a picture: several times those that make up one.
  private var cachedRowCount: Int {
    let factor = max(photo.storedSize.width, photo.storedSize.height) / DecodedPhoto.previewSide
    return min(photo.storedSize.height, 8 * factor + 256)
  }

  private var tiffPieceRowCount: Int {
    let rows = TIFFPicture(photo.bytes)?.rowsPerPiece
    return min(photo.storedSize.height, rows ?? photo.storedSize.height)
  }
}
