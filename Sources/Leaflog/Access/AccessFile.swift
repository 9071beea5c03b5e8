internal import BlobStorage
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The file with a library's tokens and sessions.
///
/// It is no part of the catalog: no undo, no restored backup and no replica can then bring back a token that
/// was revoked. Whoever reads it looks at the file each time, and reads it again once it is another one, so
/// that what one process revokes no other accepts.
final class AccessFile: Sendable {
  private let layout: LibraryLayout
  private let store: LocalBlobStore
  /// The record that was read last, with the file's state before that; without a file it has none.
  private let known = Mutex<(state: FileStatus?, record: AccessRecord)?>(nil)

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    (self.layout, self.store) = (layout, store)
  }

  /// - Throws: `LeaflogError` when the file is damaged or cannot be read; nobody is let in then.
  func read() throws(LeaflogError) -> AccessRecord {
    let state = try state()
    if let known = known.withLock({ $0 }), known.state == state { return known.record }
    let record = try state == nil ? AccessRecord() : load()
    known.withLock { $0 = (state, record) }
    return record
  }

  /// Changes it under the library's lock, durably.
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
        try store.createFolders()
        try store.write(Self.encoded(record), to: layout.accessFile)
        known.withLock { $0 = nil }
        return value
      }
    }
  }

  /// Changes it if nobody else is writing to the library; otherwise, or if the disk refuses it, this process
  /// alone knows of it, until it reads the file again.
  func updateIfPossible(_ body: (inout AccessRecord) -> Void) {
    do { try update(patience: .zero, body) } catch {
      known.withLock { known in
        guard var changed = known else { return }
        body(&changed.record)
        known = changed
      }
    }
  }

  private static func encoded(_ record: AccessRecord) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return try encoder.encode(record)
  }

  /// Nil when there is no file.
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
    guard let record = try? JSONDecoder().decode(AccessRecord.self, from: data) else {
      throw failure(.damaged, "is damaged, so nobody is let in. Remove it, and add tokens anew")
    }
    guard record.format <= AccessRecord.currentFormat else {
      throw failure(.tooNew, "was written by a newer version of Leaflog. Update Leaflog to use it")
    }
    return record
  }

  /// Without the folder's path: the service tells it to whoever asks.
  private func failure(_ code: LeaflogError.Code, _ problem: String) -> LeaflogError {
    LeaflogError(code, "The library's file access.json \(problem).")
  }
}
