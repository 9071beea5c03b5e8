internal import BlobStorage
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The file with a library's tokens and sessions.
///
/// It is not part of the catalog, so that no undo, restored backup or replica can bring back a revoked token.
/// Every access checks the file's status and reads the file again if it has changed, so that a token revoked
/// by one process is accepted by no other.
final class AccessFile: Sendable {
  private let layout: LibraryLayout
  private let store: LocalBlobStore
  /// The last record read, and the file's status just before that, which is nil if there was no file.
  private let known = Mutex<(state: FileStatus?, index: AccessIndex)?>(nil)

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    (self.layout, self.store) = (layout, store)
  }

  /// The record, read again only if the file has changed.
  ///
  /// - Throws: `LeaflogError` when the file is damaged or cannot be read; nobody gets access then.
  func read() throws(LeaflogError) -> AccessIndex {
    let state = try state()
    if let known = known.withLock({ $0 }), known.state == state { return known.index }
    let index = AccessIndex(try state == nil ? AccessRecord() : load())
    known.withLock { $0 = (state, index) }
    return index
  }

  /// The record, if the file is as it was when it was last read.
  var unchanged: AccessIndex? {
    guard let known = known.withLock({ $0 }), let state = try? state(), known.state == state else {
      return nil
    }
    return known.index
  }

  /// Whether others than its owner may read the file, as on a file system without modes.
  var isOpenToOthers: Bool { layout.isOpenToOthers(layout.accessFile) }

  /// Changes the record durably, under the library's lock.
  ///
  /// - Parameter patience: how long to wait for the lock.
  func update<Value>(
    patience: Duration = .seconds(30), _ body: (inout AccessRecord) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating {
      try FileLock(layout.lock, patience: patience).withLock {
        let before = try state() == nil ? AccessRecord() : load()
        var record = before
        let value = try body(&record)
        guard record != before else { return value }
        record.format = AccessRecord.currentFormat
        try store.createFolders()
        try store.write(Self.encoded(record), to: layout.accessFile)
        known.withLock { $0 = nil }
        return value
      }
    }
  }

  /// Changes the record if nobody else is writing to the library. Otherwise, or if the disk refuses the
  /// write, only this process sees the change, until it reads the file again.
  func updateIfPossible(_ body: (inout AccessRecord) -> Void) {
    do { try update(patience: .zero, body) } catch {
      known.withLock { known in
        guard let (state, index) = known else { return }
        var record = index.record
        body(&record)
        known = (state, AccessIndex(record))
      }
    }
  }

  private static func encoded(_ record: AccessRecord) throws -> Data {
    try SealedJSON.encode(record)
  }

  /// The file's status; nil when there is no file.
  private func state() throws(LeaflogError) -> FileStatus? {
    do throws(Errno) { return try FileStatus(layout.accessFile) } catch {
      guard error == .noSuchFileOrDirectory else {
        throw failure(.failed, "cannot be read: \(error)")
      }
      return nil
    }
  }

  private func load() throws(LeaflogError) -> AccessRecord {
    guard let data = FileManager.default.contents(atPath: layout.accessFile.string) else {
      throw failure(.failed, "cannot be read")
    }
    guard let record = SealedJSON.decode(AccessRecord.self, from: data) else {
      throw failure(.damaged, "is damaged, so nobody is let in. Remove it, and add tokens anew")
    }
    guard record.format <= AccessRecord.currentFormat else {
      throw failure(.tooNew, "was written by a newer version of Leaflog. Update Leaflog to use it")
    }
    return record
  }

  /// The message omits the folder's path, as the service sends it to any client.
  private func failure(_ code: LeaflogError.Code, _ problem: String) -> LeaflogError {
    LeaflogError(code, "The library's file access.json \(problem).")
  }
}
