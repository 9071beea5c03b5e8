internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// Writes incoming bodies into uploads as they arrive.
struct UploadReceiver: Sendable {
  let access: LibraryAccess

  /// Begins an upload, which ends with its request unless it is kept.
  func begin(_ request: UploadRequest, isKept: Bool = false) async throws -> Upload {
    try await access.write { try $0.uploads.begin(request, isKept: isKept) }
  }

  /// Appends a body to an upload. The next piece is read only once this one is in the file.
  func append(_ body: RequestBody, to upload: Upload) async throws {
    for try await piece in body {
      try await access.block { try piece.withUnsafeReadableBytes { try upload.append($0) } }
    }
  }

  /// Imports an upload, and removes it unless it is kept for another attempt.
  func take(_ upload: Upload, origin: String, isKept: Bool = false) async throws -> Taken {
    do {
      let (outcome, change) = try await access.take(upload, origin: origin)
      let taken = Taken(outcome: outcome, change: change)
      if taken.isTrouble, !isKept { try await remove(upload) }
      return taken
    } catch {
      if !isKept { try await remove(upload) }
      throw error
    }
  }

  func remove(_ upload: Upload) async throws {
    try await access.write { try $0.uploads.remove(upload.id) }
  }

  /// The outcome of a file.
  struct Taken: Sendable {
    let outcome: FileOutcome
    /// The number of the change that it is a part of; nil when nothing changed.
    let change: Int64?
  }
}
