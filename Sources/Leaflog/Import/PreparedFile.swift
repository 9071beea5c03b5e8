internal import BlobStorage
internal import DiaryCatalog
internal import Imaging

/// A file that waits for another one of the same photo.
struct DeferredFile: Sendable {
  let file: ScannedFile
  let hold: PhotoReservations.Hold
  let identity: PhotoReservations.Identity
  /// The id of its photo, should it be new.
  let photo: EntryID

  /// Waits until the other file is done.
  func wait() async { await hold.wait(for: identity, as: photo) }
}

/// A file that is ready to be written into the library.
struct PreparedFile: Sendable {
  let file: ScannedFile
  let content: ImportRecord.Content
  let blobs: [PendingBlob]
  /// Its reservations, which are released once the file is done; nil if the library has its photo.
  let reserved: PhotoReservations.Hold?
  let memory: MemoryBudget.Reservation?
  let warnings: [ImportWarning]
  /// The file's own facts; nil if they were not read.
  var metadata: FileMetadata?
  /// The request to a service that prepares the file; nil for a photo that was prepared here.
  var sending: UploadRequest?

  var byteCount: Int { blobs.reduce(0) { $0 + $1.bytes.count } }
}

extension ScannedFile {
  /// Whether the name has the extension of an image format. macOS gives the file with a photo's attributes the photo's
  /// name, after `._`.
  var claimsToBeImage: Bool { isNameless || !name.hasPrefix("._") && ImageNames.fit(name) }

  /// Whether it was sent without a name, as a photo.
  var isNameless: Bool { isSent && name == UploadRequest.blank.name }
}

extension FileOutcome {
  /// Whether the library has the photo.
  var isStored: Bool { photo != nil }

  static func failed(_ path: String, _ error: LeaflogError) -> FileOutcome {
    let reason: FailureReason =
      switch error.code {
      case .noSpace: .noSpace
      case .readOnly: .readOnly
      case .locked: .locked
      default: .storeFailed
      }
    return FileOutcome(path: path, result: .failed(reason, message: error.message))
  }
}
