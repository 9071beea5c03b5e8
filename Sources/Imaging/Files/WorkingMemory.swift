internal import CVips
internal import DiaryModel
internal import Foundation

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

  /// The memory that libjxl takes to pack a JPEG and to unpack it again, measured on photos of 12
  /// megapixels, with some copies of the file.
  package var packingByteCount: Int {
    photo.format == .jpeg && isPackable
      ? 24 * photo.storedSize.pixelCount + 3 * photo.bytes.count : 0
  }

  /// Whether a JPEG can be packed without loss in a gigabyte of memory.
  package var isPackable: Bool {
    24 * photo.storedSize.pixelCount + 3 * photo.bytes.count <= 1_000_000_000
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

/// Settings of the C library's allocator for a process that imports photos.
package enum ProcessMemory {
  /// Keeps all threads in one arena, so that memory freed by one can be used by another, and lets that
  /// arena keep the tens of megabytes that one photo freed for the next, instead of having the kernel
  /// clear fresh pages each time.
  ///
  /// Measured on 23 photos of up to 16 megapixels, two jobs: a tenth less time, a peak of 300 MB instead
  /// of 420. Only programs should call it; a library should not change its host's allocator.
  package static func keepLargeBlocks() {
    leaflog_keep_large_blocks()
  }

  /// Gives free memory back to the system. It takes milliseconds, in which other threads may wait.
  package static func releaseFree() { leaflog_release_free_memory() }

  /// The peak resident memory of the process so far, in bytes (VmHWM in proc(5)); nil where the system
  /// does not report it.
  package static var peakByteCount: Int? {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split { !$0.isNumber }.first.flatMap { Int($0) }
    return kilobytes.map { $0 * 1024 }
  }
}
