internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Synchronization

/// Imports uploaded photos, several at a time.
///
/// Use one value for all uploads to a library: they share the qualities of recent photos, and uploads of the same photo
/// wait for each other.
package actor UploadImporter {
  private let reservations = PhotoReservations()
  private let history = QualityHistory()
  private let executor: any TaskExecutor
  /// The photos in progress, and the tasks that wait for each of them.
  private var underWay: [BlobID: [CheckedContinuation<Void, Never>]] = [:]
  private var free = ProcessInfo.processInfo.activeProcessorCount
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// The changes of batches, the newest last. Each sender has its own.
  private var changes: [(batch: Batch, change: OpenChange)] = []

  private struct Batch: Equatable {
    let name: String
    let sender: SenderToken?
  }

  /// The number of batches that are remembered; a further photo of an older one begins a new change.
  private static let maxBatchCount = 100

  /// - Parameter executor: runs decoding and disk work, for as many photos at a time as there are cores.
  package init(on executor: any TaskExecutor) { self.executor = executor }

  /// Imports a complete upload, and removes it unless the library was unable to store the photo.
  ///
  /// - Returns: the outcome, as for an imported file.
  /// - Throws: `LeaflogError` with code `mismatch` when its bytes do not match the declared size or digest.
  package func take(_ upload: Upload, in library: Library) async throws -> FileOutcome {
    let digest = try await withTaskExecutorPreference(executor) { try upload.digest() }
    // The library stores about as much again.
    try UploadSpace.check(upload.byteCount, at: upload.file.path)
    await enter(digest)
    defer { leave(digest) }
    let change = change(of: upload.request.batch, in: library)
    let importer = Importer(library, after: history)
    let reservations = reservations
    return try await withTaskExecutorPreference(executor) {
      let outcome = try await importer.take(upload, in: change, reservations)
      if !outcome.isTrouble { try library.uploads.remove(upload.id) }
      return outcome
    }
  }

  /// Records a photo that was prepared on another machine.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for invalid values, and `mismatch` when the bytes of a
  ///   rendition do not match its digest.
  package func take(_ upload: PreparedUpload, in library: Library) async throws -> FileOutcome {
    let (photo, digest) = (upload.photo, upload.digest)
    await enter(digest)
    defer { leave(digest) }
    let change = change(of: photo.batch, in: library)
    let hold = reservations.hold()
    defer { hold.release(isKnown: true) }
    if let identity = photo.identity {
      let id = EntryID(sourceDigest: digest)
      while case .taken = hold.reserve(identity, as: id) { await hold.wait(for: identity, as: id) }
    }
    return try await withTaskExecutorPreference(executor) {
      let share = MemoryBudget.ofProcess.reserve(upload.parts.reduce(0) { $0 + $1.byteCount })
      defer { share.release() }
      return try PreparedImport(library: library, change: change).record(upload)
    }
  }

  /// Waits until no photo with these bytes is in progress and a core is free.
  private func enter(_ digest: BlobID) async {
    while underWay[digest] != nil {
      await withCheckedContinuation { underWay[digest]?.append($0) }
    }
    underWay[digest] = []
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave(_ digest: BlobID) {
    underWay.removeValue(forKey: digest)?.forEach { $0.resume() }
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }

  private func change(of name: String?, in library: Library) -> OpenChange {
    guard let name else { return OpenChange(.importPhotos) }
    let batch = Batch(name: name, sender: library.catalog.context.sender)
    if let known = changes.first(where: { $0.batch == batch }) { return known.change }
    let change = OpenChange(.importPhotos)
    changes.append((batch, change))
    if changes.count > Self.maxBatchCount { changes.removeFirst() }
    return change
  }
}

extension Upload {
  /// The SHA-256 of the bytes received.
  ///
  /// - Throws: `LeaflogError` with code `mismatch` unless the bytes are complete and match the declared digest.
  fileprivate func digest() throws -> BlobID {
    if let expected = request.byteCount, expected != byteCount {
      throw LeaflogError(
        .mismatch, "The file was said to have \(expected) bytes; \(byteCount) came.")
    }
    let digest = try file.finish()
    guard request.digest ?? digest == digest else {
      throw LeaflogError(
        .mismatch,
        "What came is not the file that was said: its SHA-256 is \(digest.hex). Send it again.")
    }
    return digest
  }
}

extension FileOutcome {
  /// Whether the library was unable to store the photo, for a reason that has nothing to do with the photo.
  fileprivate var isTrouble: Bool {
    switch result {
    case .failed(let reason, _): [.noSpace, .readOnly, .locked, .storeFailed].contains(reason)
    default: false
    }
  }
}
