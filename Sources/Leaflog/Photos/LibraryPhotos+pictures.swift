internal import BlobStorage
public import DiaryModel
public import Foundation
internal import Imaging

/// A picture of a photo, as a file to send.
public struct PictureFile: Sendable {
  /// The source of its bytes.
  public enum Content: Sendable {
    /// A file of the store, by its absolute path. Its name is its digest, so it never changes.
    case file(path: String)
    /// All bytes, in memory.
    case bytes(Data)
    /// A blob in an object store, which is read on demand and in parts.
    case parts(PictureParts)
  }

  /// The kinds of pictures of a photo.
  public enum Kind: String, Sendable, CaseIterable {
    /// At most 640 px a side, without metadata.
    case thumbnail
    /// At most 2048 px a side, without metadata.
    case preview
    /// The best file that there is: the imported one, if the library has its exact bytes. It has all
    /// metadata, including the location where the photo was taken.
    case original
  }

  /// The bytes, or where to read them.
  public let content: Content
  /// The size of the file, in bytes.
  public let byteCount: Int
  /// The media type of the file, such as `image/jpeg`.
  public let mediaType: String
  /// SHA-256 of its bytes.
  public let digest: BlobID

  /// The usual ending of the name of such a file.
  package var fileExtension: String {
    ImageFormat.allCases.first { $0.mediaType == mediaType }?.fileExtension ?? "bin"
  }
}

/// A picture's bytes, of which each part is read separately.
public struct PictureParts: Sendable {
  private let whole: Range<Int>
  private let read: @Sendable (Range<Int>) throws -> Data

  /// - Parameter whole: the bytes that the file has.
  init(of whole: Range<Int>, _ read: @escaping @Sendable (Range<Int>) throws -> Data) {
    (self.whole, self.read) = (whole, read)
  }

  /// The bytes in a range of the file. It may wait for the network.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a range beyond the file, `unreachable` when the store does not
  ///   answer, and `damaged` when it lacks bytes of the file.
  public subscript(range: Range<Int>) -> Data {
    get throws(LeaflogError) {
      guard whole.contains(range) else {
        throw .invalid("The picture has the bytes \(whole), and not all of \(range).")
      }
      let bytes = try translating { try read(range) }
      guard bytes.count == range.count else {
        throw LeaflogError(
          .damaged, "The picture ended after \(bytes.count) of \(range.count) bytes.")
      }
      return bytes
    }
  }

  /// The recommended number of bytes to read at a time.
  public static let byteCount = 4 << 20
}

extension LibraryPhotos {
  /// A picture of a photo, as a file. This makes a preview, and unpacks a packed original.
  ///
  /// - Parameter packed: whether to return a packed original as it is stored: as the JPEG XL file from which
  ///   the JPEG file's bytes can be restored.
  /// - Throws: `LeaflogError` with code `damaged` when its blob is missing or damaged.
  public func file(
    _ kind: PictureFile.Kind, of photo: Photo, packed: Bool = false
  ) throws(LeaflogError) -> PictureFile {
    switch kind {
    case .thumbnail:
      let rendition = try thumbnailRendition(of: photo)
      let bytes = try thumbnail(of: photo)
      return PictureFile(
        content: .bytes(bytes), byteCount: bytes.count, mediaType: rendition.mediaType,
        digest: rendition.blob)
    case .preview: return PictureFile(made: try preview(of: photo), ImageFormat.jpeg.mediaType)
    case .original:
      let best = try bestRendition(of: photo)
      guard best.role == .packed, !packed else { return try stored(best) }
      let unpacked = try translating { try withImagingThread { try file(best) } }
      return PictureFile(made: Data(unpacked.bytes), unpacked.format.mediaType)
    }
  }

  private func stored(_ rendition: Rendition) throws(LeaflogError) -> PictureFile {
    if library.objects != nil {
      let blobs = library.blobs
      let whole = 0..<rendition.byteCount
      let parts = PictureParts(of: whole) { range in
        // This machine's cache keeps blobs that are read as a whole.
        Data(try blobs.get(rendition.blob, range: range == whole ? nil : range))
      }
      return PictureFile(
        content: .parts(parts), byteCount: rendition.byteCount, mediaType: rendition.mediaType,
        digest: rendition.blob)
    }
    return PictureFile(
      content: .file(path: path(of: rendition)), byteCount: rendition.byteCount,
      mediaType: rendition.mediaType, digest: rendition.blob)
  }
}

extension PictureFile {
  fileprivate init(made bytes: Data, _ mediaType: String) {
    self.init(
      content: .bytes(bytes), byteCount: bytes.count, mediaType: mediaType,
      digest: bytes.withUnsafeBytes { BlobID(hashing: $0) })
  }
}

extension LibraryPhotos {
  /// The thumbnail's JPEG: at most 640 px a side, upright, sRGB, without metadata.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when it is missing or damaged.
  public func thumbnail(of photo: Photo) throws(LeaflogError) -> Data {
    let thumbnail = try thumbnailRendition(of: photo)
    return try translating { Data(try blobs.get(thumbnail.blob, range: nil)) }
  }

  private func thumbnailRendition(of photo: Photo) throws(LeaflogError) -> Rendition {
    guard let thumbnail = photo.renditions.first(where: { $0.role == .thumbnail }) else {
      throw LeaflogError(.damaged, "The photo \(photo.entry.id) has no thumbnail.")
    }
    return thumbnail
  }

  /// The thumbnail's pixels: at most 640 a side, upright, sRGB.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the thumbnail is missing or does not decode.
  public func thumbnailPixels(of photo: Photo) throws(LeaflogError) -> RGBPicture {
    let bytes = SharedBytes(copying: try thumbnail(of: photo))
    return try translating {
      try withImagingThread {
        let decoded = try PhotoFile(bytes: bytes, format: .jpeg).decode()
        return RGBPicture(size: decoded.size, samples: try decoded.rgbSamples())
      }
    }
  }

  /// The preview's JPEG: at most 2048 px a side, upright, sRGB, without metadata. It is made on the first
  /// request, and kept in the library's cache.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the photo's file is missing or damaged.
  public func preview(of photo: Photo) throws(LeaflogError) -> Data {
    try translating {
      if let kept = try keptPreview(of: photo) { return kept }
      let source = try bestRendition(of: photo).blob
      let preview = try withImagingThread {
        let (file, share) = try open(bestRendition(of: photo), .ofProcess) {
          $0.memory.importByteCount(ImageLimits())
        }
        defer { share.release() }
        return Data(try file.decode().preview().bytes)
      }
      try previewCache.put(preview, for: photo.entry.id, of: source)
      return preview
    }
  }

  /// The preview's JPEG, if it has been made before.
  package func keptPreview(of photo: Photo) throws(LeaflogError) -> Data? {
    previewCache.get(photo.entry.id, of: try bestRendition(of: photo).blob)
  }

  /// The preview, if it has been made before, as a file.
  package func keptPreviewFile(of photo: Photo) throws(LeaflogError) -> PictureFile? {
    try keptPreview(of: photo).map { PictureFile(made: $0, ImageFormat.jpeg.mediaType) }
  }

  /// The best file of the photo: the imported one if the library has its exact bytes.
  func bestFile(of photo: Photo) throws -> (bytes: SharedBytes, format: ImageFormat) {
    try file(bestRendition(of: photo))
  }

  /// A rendition as an image file; a packed one is unpacked.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when the blob does not match its digest.
  func file(_ rendition: Rendition) throws -> (bytes: SharedBytes, format: ImageFormat) {
    // Unpacking is the only work here that takes much.
    let share =
      rendition.role == .packed
      ? MemoryBudget.ofProcess.reserve(rendition.readingByteCount) : nil
    defer { share?.release() }
    return try read(rendition)
  }

  /// The same, for somebody who has reserved the memory.
  private func read(_ rendition: Rendition) throws -> (bytes: SharedBytes, format: ImageFormat) {
    let stored = try blobs.get(rendition.blob, range: nil)
    guard stored.withUnsafeBytes({ BlobID(hashing: $0) }) == rendition.blob else {
      throw LeaflogError(.damaged, "The blob \(rendition.blob) is damaged.")
    }
    let bytes = rendition.role == .packed ? try JPEGPacking.unpack(stored) : stored
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      throw LeaflogError(.damaged, "The blob \(rendition.blob) is not an image.")
    }
    return (bytes, format)
  }

  /// Opens a rendition, with the memory for the work on it, which is known only once its header is read.
  func open(
    _ rendition: Rendition, _ memory: MemoryBudget, needing byteCount: (PhotoFile) -> Int
  ) throws -> (PhotoFile, MemoryBudget.Reservation) {
    let share = memory.reserve(rendition.readingByteCount)
    let stored = try read(rendition)
    let photo = try PhotoFile(bytes: stored.bytes, format: stored.format)
    let needed = max(photo.bytes.count, byteCount(photo))
    share.shrink(to: needed)
    share.enlarge(to: needed)
    return (photo, share)
  }

  /// The picture of a rendition with at most `side` pixels per side.
  func frame(_ rendition: Rendition, side: Int) throws -> DecodedPhoto {
    let (file, share) = try open(rendition, .ofProcess) {
      $0.memory.frameByteCount(side: side, ImageLimits())
    }
    defer { share.release() }
    return try file.frame(side: side)
  }

  /// The rendition that preserves the most of the photo.
  func bestRendition(of photo: Photo) throws(LeaflogError) -> Rendition {
    for role in [RenditionRole.original, .packed, .master] {
      if let found = photo.renditions.first(where: { $0.role == role }) { return found }
    }
    throw LeaflogError(.damaged, "The photo \(photo.entry.id) has no full-size rendition.")
  }

  var previewCache: PreviewCache { PreviewCache(folder: layout.previews.string) }
}

extension Rendition {
  /// The memory that reading it as an image file takes, in bytes.
  var readingByteCount: Int {
    role == .packed ? JPEGPacking.unpackingByteCount(size, byteCount) : byteCount
  }
}

extension Data {
  init(_ bytes: SharedBytes) { self = bytes.withUnsafeBytes { Data($0) } }
}

/// A picture as samples, ready to draw.
public struct RGBPicture: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// Red, green and blue in sRGB, a byte each: rows from the top, pixels from the left, no padding,
  /// so 3 × width × height bytes.
  public let samples: [UInt8]
}
