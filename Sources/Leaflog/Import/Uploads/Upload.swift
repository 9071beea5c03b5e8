internal import BlobStorage
internal import SystemPackage

/// The id of an upload: 32 random lower-case hexadecimal digits.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
  /// The digits.
  public let description: String

  /// Nil for anything but 32 lower-case hexadecimal digits.
  public init?(_ text: String) {
    guard text.utf8.count == EntryID.digitCount,
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    description = text
  }

  static func random() -> UploadID {
    guard let id = UploadID(EntryID.random().description) else {
      preconditionFailure("ids of entries have the same form")
    }
    return id
  }
}

/// A photo that is being uploaded.
///
/// Only one value can write it at a time. Its bytes are in the library's folder `uploads` until it is imported.
public struct Upload: Sendable {
  /// Identifies the upload.
  public let id: UploadID
  /// The file, and the options of its import.
  public private(set) var request: UploadRequest
  let file: GrowingFile
  /// The largest size that the library accepts, in bytes.
  let maxByteCount: Int

  /// The same upload with another request, for details of the photo that came later.
  public func saying(_ request: UploadRequest) -> Upload {
    var upload = self
    upload.request = request
    return upload
  }

  /// The number of bytes received.
  public var byteCount: Int { file.byteCount }

  /// Appends the next bytes.
  ///
  /// - Throws: `LeaflogError` with code `tooLarge` when the file would be larger than declared, or than the
  ///   library accepts; `noSpace` when the disk is full. Bytes already written stay, and the upload can
  ///   continue after them.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(LeaflogError) {
    try translating {
      let total = file.byteCount.addingSaturated(bytes.count)
      if let byteCount = request.byteCount, total > byteCount {
        throw LeaflogError(
          .tooLarge, "The file was said to have \(byteCount) bytes, and more came.")
      }
      guard total <= maxByteCount else { throw LeaflogError.tooLarge(maxByteCount) }
      try file.append(bytes)
    }
  }

  /// Makes all received bytes durable: once this returns, they survive a power loss.
  public func sync() throws(LeaflogError) { try translating { try file.sync() } }

  /// Lets others resume the upload now rather than when the last copy of this value is destroyed. Nothing may be
  /// appended afterwards.
  public func release() { file.release() }
}

extension LeaflogError {
  /// The error for a file larger than the library's setting allows.
  static func tooLarge(_ maxByteCount: Int) -> LeaflogError {
    LeaflogError(.tooLarge, "The library takes files of at most \(FileSize.text(maxByteCount)).")
  }
}
