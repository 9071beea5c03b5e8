internal import BlobStorage
public import Foundation
internal import Imaging

/// A picture of a photo, as a file to send.
public struct PictureFile: Sendable {
  /// The source of its bytes.
  public enum Content: Sendable {
    /// A file of the store, by its absolute path. Its name is its digest, so it never changes.
    case file(path: String)
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
}

/// A picture's bytes, of which each part is read separately.
public struct PictureParts: Sendable {
  private let read: @Sendable (Range<Int>) throws -> Data

  init(_ read: @escaping @Sendable (Range<Int>) throws -> Data) { self.read = read }

  /// The bytes in a range of the file. It may wait for the network.
  ///
  /// - Throws: `LeaflogError` with code `unreachable` when the store does not answer, and `damaged` when it has no such
  ///   bytes.
  public subscript(range: Range<Int>) -> Data {
    get throws(LeaflogError) {
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
      let parts = PictureParts { range in
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
