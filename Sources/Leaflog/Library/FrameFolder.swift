internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// A library's journal.
///
/// A file is removed once two snapshots cover it, and it is old or the journal is large. If the newer
/// snapshot is damaged, the older one and the frames after it still lead to the last commit; and backups
/// that are made now and then find all frames since the previous one.
final class FrameFolder: FrameLog {
  private let layout: LibraryLayout
  private let files: FrameFiles
  /// The last frame of the file that was written last, which need not be read again while the file has the
  /// same length.
  private let end = Mutex<(path: FilePath, byteCount: Int, frame: Frame)?>(nil)

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    self.layout = layout
    files = FrameFiles(layout.journal, store)
  }

  private var store: LocalBlobStore { files.store }

  /// How long files that snapshots cover are kept.
  private static let daysKept = 35
  /// The number of bytes that the journal may take during that time.
  private static let maxByteCount = 64 << 20

  /// Translates errors of the store into those that the catalog's callers know.
  private func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as BlobStoreError {
      throw CatalogError(error.code == .noSpace ? .noSpace : .failed, error.message)
    } catch let error as LeaflogError where error.code == .noSpace {
      throw CatalogError(.noSpace, error.message)
    }
  }

  func last() throws -> Frame? {
    guard let part = try files.parts().last else { return nil }
    let byteCount = try part.byteCount
    if let end = end.withLock({ $0 }), end.path == part.path, end.byteCount == byteCount {
      return end.frame
    }
    guard let frame = try Frame.last(part.data) else { return nil }
    end.withLock { $0 = (part.path, byteCount, frame) }
    return frame
  }

  func append(_ frame: Frame) throws {
    guard let part = try files.parts().last else {
      throw LeaflogError(.damaged, "The journal in \(layout.journal) is gone.")
    }
    let data = try frame.encoded()
    end.withLock { $0 = nil }
    try translating { try store.append(data, to: part.path) }
    let byteCount = try part.byteCount
    end.withLock { $0 = (part.path, byteCount, frame) }
  }

  func begin(_ start: Frame, keepsAll: Bool) throws {
    try translating {
      try store.makeFolder(layout.journal)
      try store.write(start.encoded(), to: files.path(first: start.commit + 1))
      if !keepsAll { try dropCovered(lineage: start.lineage, now: start.madeAt) }
    }
  }

  func keepWhole(_ catalog: Catalog) throws {
    try translating {
      _ = try CatalogSnapshots(layout, store).take(of: catalog, now: catalog.clock(), waits: true)
    }
  }

  /// Removes files whose frames are all in the older of the two newest snapshots of the present lineage;
  /// snapshots of other lineages do not count.
  private func dropCovered(lineage: UUID, now: Timestamp) throws {
    let parts = try files.parts()
    let oldest = now - .seconds(86_400 * Self.daysKept)
    var byteCount = try parts.reduce(0) { try $0 + $1.byteCount }
    var covered: Int?
    for (part, next) in zip(parts, parts.dropFirst()) {
      // It ended when the next one was begun.
      let isOld = try next.begunAt.map { $0 < oldest } ?? true
      guard isOld || byteCount > Self.maxByteCount else { return }
      if covered == nil { covered = try coveredCommit(lineage) }
      guard let covered, next.first <= covered + 1 else { return }
      byteCount -= try part.byteCount
      try store.remove(part.path)
    }
  }

  private func coveredCommit(_ lineage: UUID) throws -> Int? {
    let snapshots = try CatalogSnapshots(layout, store).all().lazy
      .filter { $0.lineage == lineage }.prefix(2)
    return snapshots.count == 2 ? snapshots.last?.generation : nil
  }

  /// Whether a snapshot should begin a new file, as files can only be removed as a whole.
  func isPartFull(now: Timestamp) throws -> Bool {
    guard let part = try files.parts().last else { return true }
    let isOld = try part.begunAt.map { now - .seconds(86_400) >= $0 } ?? true
    return try isOld || part.byteCount > 1 << 20
  }

  /// Removes the whole journal.
  func removeAll() throws {
    end.withLock { $0 = nil }
    try files.removeAll()
  }

  /// Passes `body` the frames and the damage in the files, in order.
  func read(_ body: (Frame.Finding) throws -> Void) throws { try files.read(body) }
}

extension CatalogSnapshot {
  /// The line of commits that its catalog belongs to; nil when it cannot be read.
  var lineage: UUID? {
    guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else { return nil }
    defer { try? catalog.close() }
    return try? catalog.read { try $0.settings.lineage }
  }
}
