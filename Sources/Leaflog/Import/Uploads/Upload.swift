internal import BlobStorage
internal import SystemPackage

/// The name of an upload: 32 random lower-case hexadecimal digits.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
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

/// A photo that is being sent.
///
/// One value writes it at a time. Its bytes lie in the library's folder `uploads` until it is imported.
public struct Upload: Sendable {
  public let id: UploadID
  public private(set) var request: UploadRequest
  let file: GrowingFile
  /// The largest size that the library takes, in bytes.
  let maxByteCount: Int

  /// The same upload with more said about its photo.
  public func saying(_ request: UploadRequest) -> Upload {
    var upload = self
    upload.request = request
    return upload
  }

  /// How many bytes have come.
  public var byteCount: Int { file.byteCount }

  /// Adds the next bytes.
  ///
  /// - Throws: `LeaflogError` with code `tooLarge` when they are more than was said, or than the library
  ///   takes; `noSpace` when the disk is full. What is written stays, to go on there.
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

  /// Returns when everything that has come survives a power cut.
  public func sync() throws(LeaflogError) { try translating { try file.sync() } }

  /// Lets others go on with it, now and not when the last copy of this value goes. Nothing may be added afterwards.
  public func release() { file.release() }
}

extension LeaflogError {
  /// A file larger than the library's setting allows.
  static func tooLarge(_ maxByteCount: Int) -> LeaflogError {
    LeaflogError(.tooLarge, "The library takes files of at most \(FileSize.text(maxByteCount)).")
  }
}
