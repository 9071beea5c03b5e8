package import DiaryModel
package import Fields
internal import BlobStorage
package import Foundation
internal import SystemPackage

/// The id of an upload: 32 random lower-case hexadecimal digits.
package struct UploadID: WrittenID {
  /// The digits.
  package let description: String

  /// Nil for anything but 32 lower-case hexadecimal digits.
  package init?(_ text: String) {
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
package struct Upload: Sendable {
  /// Identifies the upload.
  package let id: UploadID
  /// The file, and the options of its import.
  package private(set) var request: UploadRequest
  let file: GrowingFile
  /// The largest size that the library accepts, in bytes.
  let maxByteCount: Int

  /// The same upload with another request, for details of the photo that came later.
  package func with(_ request: UploadRequest) -> Upload {
    var upload = self
    upload.request = request
    return upload
  }

  /// The number of bytes received.
  package var byteCount: Int { file.byteCount }

  /// Appends the next bytes.
  ///
  /// - Throws: `LeaflogError` with code `tooLarge` when the file would be larger than declared, or than the
  ///   library accepts; `noSpace` when only as much is free as edits need. Bytes already written stay, and the upload can
  ///   continue after them.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(LeaflogError) {
    try translating {
      let total = file.byteCount.addingSaturated(bytes.count)
      if let byteCount = request.byteCount, total > byteCount {
        throw LeaflogError(
          .tooLarge, "The file was said to have \(byteCount) bytes, and more came.")
      }
      guard total <= maxByteCount else { throw LeaflogError.tooLarge(maxByteCount) }
      try UploadSpace.check(bytes.count, at: file.path)
      try file.append(bytes)
    }
  }

  /// Makes all received bytes durable: once this returns, they survive a power loss.
  ///
  /// - Throws: `LeaflogError` when the disk refuses it.
  package func sync() throws(LeaflogError) { try translating { try file.sync() } }

  /// Lets others resume the upload now rather than when the last copy of this value is destroyed. Nothing may be
  /// appended afterwards.
  package func release() { file.release() }
}

extension LeaflogError {
  /// The error for a file larger than the library's setting allows.
  static func tooLarge(_ maxByteCount: Int) -> LeaflogError {
    LeaflogError(.tooLarge, "The library takes files of at most \(FileSize.text(maxByteCount)).")
  }
}

/// A photo to upload: its file, and the options of its import.
package struct UploadRequest: Sendable, Hashable {
  /// The file's name, without folders.
  package var name: String
  /// The size of the whole file in bytes, if known.
  package var byteCount: Int?
  /// The SHA-256 of the whole file, if known; a file with another digest is refused.
  package var digest: BlobID?
  /// When the file was last modified, which dates a photo without a date of its own.
  package var modifiedAt: Timestamp?
  /// The name or id of its plant; nil assigns the photo to none.
  package var plant: String?
  /// Notes for a photo that has none.
  package var note: String?
  /// The capture time, set by hand; nil means the photo's own.
  package var time: RecordedTime?
  /// The zone of a wall time without an offset; nil leaves it without one.
  package var assumedTimeZone: TimeZone?
  /// Identifies a batch: photos uploaded with the same value form one change.
  package var batch: String?
  /// Whether a photo that is in the trash is restored.
  package var readmits = true

  /// Creates a request with default options.
  package init(name: String) { self.name = name }

  /// The options of its import.
  var importRequest: ImportRequest {
    var request = ImportRequest()
    if let plant { request.plant = .named(plant) }
    request.note = note
    request.time = time
    request.assumedTimeZone = assumedTimeZone
    request.jobCount = 1
    if !readmits { request.readmission = .none }
    return request
  }
}

extension UploadRequest: Fielded {
  package static let blank = UploadRequest(name: "photo")

  package static let fields = Fields<UploadRequest>([
    Field("name", \.name, .text),
    Field("byteCount", \.byteCount, .whole(0 ... .max)),
    Field("sha256", \.digest, .digest),
    Field("modifiedAt", \.modifiedAt, .offsetMoment),
    Field("plant", \.plant, .text),
    Field("notes", \.note, .notes).formerly("note"),
    Field("occurredAt", \.sentTime, .captureTime).formerly("at"),
    Field("timeZone", \.assumedTimeZone, .timeZone),
    Field("batch", \.batch, .text),
  ]).named("Upload")

  private var sentTime: SentTime? {
    get { time.map { SentTime($0) } }
    set { time = newValue?.time }
  }

  /// The same request, with the file's name without folders.
  package var withoutFolders: UploadRequest {
    var request = self
    request.name = String(name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "photo")
    return request
  }
}
