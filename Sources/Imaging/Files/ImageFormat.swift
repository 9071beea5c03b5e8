internal import DiaryModel

/// The image formats that Leaflog supports.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, tiff, gif, heic, avif, jxl

  package var mediaType: String { "image/\(rawValue)" }

  /// The usual file extension.
  package var fileExtension: String { self == .jpeg ? "jpg" : self == .tiff ? "tif" : rawValue }
}

/// The type of a file, determined from its bytes and never from its name.
package enum FileType: Sendable, Equatable {
  case image(ImageFormat)
  /// A camera's sensor data.
  case raw
  case video
  /// An image of an unsupported format; the word names it.
  case otherImage(String)
  case other

  /// The number of bytes at the start of a file that determine its type.
  package static let headByteCount = 4096

  /// - Parameter head: the first `headByteCount` bytes, or all of a shorter file.
  package init(head: UnsafeRawBufferPointer) {
    let bytes = head.prefix(Self.headByteCount)
    func starts(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: magic)
    }
    func starts(_ magic: String, at offset: Int = 0) -> Bool {
      starts(Array(magic.utf8), at: offset)
    }
    self =
      if starts([0xFF, 0xD8, 0xFF]) {
        .image(.jpeg)
      } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        .image(.png)
      } else if starts("RIFF"), starts("WEBP", at: 8) {
        .image(.webp)
      } else if starts("GIF87a") || starts("GIF89a") {
        .image(.gif)
      } else if starts([0xFF, 0x0A])
        || starts([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
      {
        .image(.jxl)
      } else if starts("ftyp", at: 4) {
        Self.isoMedia(brands: Self.brands(bytes))
      } else if starts("IIRO") || starts("IIRS") || starts("MMOR") || starts([0x49, 0x49, 0x55, 0])
        || starts("FUJIFILMCCD-RAW") || starts("FOVb")
      {
        .raw  // Olympus, Panasonic, Fujifilm, Sigma
      } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A])
        || starts([0x49, 0x49, 0x2B, 0]) || starts([0x4D, 0x4D, 0, 0x2B])
      {
        starts("CR", at: 8) || Self.holdsSensorData(head)
          ? .raw : .image(.tiff)
      } else if starts([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || starts([0xFF, 0x4F, 0xFF, 0x51])
      {
        .otherImage("JPEG 2000")
      } else if starts("BM"), starts([0, 0, 0, 0], at: 6) {
        .otherImage("BMP")
      } else if starts("8BPS") {
        .otherImage("Photoshop")
      } else if starts([0x1A, 0x45, 0xDF, 0xA3]) || starts("RIFF") && starts("AVI ", at: 8) {
        .video
      } else {
        .other
      }
  }

  private static func holdsSensorData(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Borrowed: `bytes` may be a whole file, and outlives this.
    let borrowed = SharedBytes(adopting: UnsafeMutableRawBufferPointer(mutating: bytes)) { _ in }
    return TIFFStructure(borrowed)?.holdsSensorData == true
  }

  /// The brands of an ISO base media file's `ftyp` box (ISO/IEC 14496-12, 4.3).
  private static func brands(_ bytes: Slice<UnsafeRawBufferPointer>) -> [String] {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let text = bytes.prefix(max(12, size)).dropFirst(8)
    return stride(from: text.startIndex, to: text.endIndex - 3, by: 4)
      .filter { $0 != text.startIndex + 4 }  // the minor version
      .map { String(decoding: text[$0..<($0 + 4)], as: UTF8.self) }
  }

  private static func isoMedia(brands: [String]) -> FileType {
    guard let major = brands.first else { return .other }
    if major == "crx " { return .raw }
    if brands.contains("avif") || brands.contains("avis") { return .image(.avif) }
    let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    return heic.isDisjoint(with: brands) ? .video : .image(.heic)
  }
}

/// The limits of photos that Leaflog accepts, which bound the memory that a file can take. None is above what the process
/// has for photos.
package struct ImageLimits: Sendable {
  /// 16 384 × 16 384, more than any camera has.
  package var maxPixelCount = 268_435_456
  /// Progressive JPEG is decoded from a copy of all its coefficients, two bytes each.
  package var maxProgressiveByteCount = 200_000_000
  /// The memory limit for a progressive JPEG, from its coefficients to its compressed copy. One that
  /// would take more is not decoded at full size: it keeps its exact bytes, and its thumbnail comes from
  /// an eighth of the resolution.
  package var maxProgressiveWorkingByteCount = 220_000_000
  /// The memory limit for other photos, including the file. Those that would take more are treated alike
  /// if their decoder works row by row, and rejected otherwise.
  package var maxWorkingByteCount = Self.mostWorkingByteCount
  /// The memory limit for a photo that is decoded at reduced size, including its file.
  package var maxReducedByteCount = 530_000_000
  /// The memory limit for packing a JPEG without loss.
  package var maxPackingByteCount = 1_000_000_000
  /// The memory limit for packing a JPEG while its picture is in memory.
  package let memory: Int

  /// 440 MB, enough for one photo of 70 megapixels or four of 16.
  package static let mostWorkingByteCount = 440_000_000

  /// - Parameter memory: what there is for photos, in bytes.
  package init(memory: Int = ProcessMemory.forPhotos) {
    self.memory = memory
    maxProgressiveWorkingByteCount = min(maxProgressiveWorkingByteCount, memory / 2)
    maxWorkingByteCount = min(maxWorkingByteCount, memory)
    maxReducedByteCount = min(maxReducedByteCount, memory)
    maxPackingByteCount = min(maxPackingByteCount, memory)
  }

  /// Limits that leave room for a file of a given size, as far as there is memory.
  package init(fileByteCount: Int, memory: Int = ProcessMemory.forPhotos) {
    self.init(memory: memory)
    maxReducedByteCount = min(memory, max(maxReducedByteCount, fileByteCount + 30_000_000))
  }
}
