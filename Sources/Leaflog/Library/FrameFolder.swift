internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The journal as files: `journal/000000000123.frames` has the frames from commit 123 on, up to the next
/// file's first.
///
/// Two snapshots have to cover a file before it goes: when the newer one is damaged, the older one and
/// the frames behind it still lead to the last commit.
final class FrameFolder: FrameLog {
  private let layout: LibraryLayout
  private let store: LocalBlobStore
  /// The end of the file that was written last, which need not be read again for as long as it is as
  /// long as it was.
  private let end = Mutex<(path: FilePath, byteCount: Int, frame: Frame)?>(nil)

  init(_ layout: LibraryLayout, _ store: LocalBlobStore) {
    (self.layout, self.store) = (layout, store)
  }

  /// A file of the journal.
  struct Part {
    let path: FilePath
    /// The first commit that it may have.
    let first: Int

    init(_ path: FilePath, first: Int) { (self.path, self.first) = (path, first) }

    init?(_ path: FilePath) {
      guard let name = path.lastComponent?.string, name.hasSuffix(".frames"),
        let first = Int(name.dropLast(7)), first > 0
      else { return nil }
      self.init(path, first: first)
    }
  }

  /// The oldest first.
  func parts() throws -> [Part] {
    try (store.directoryNames(layout.journal) ?? [])
      .compactMap { Part(layout.journal.appending($0)) }.sorted { $0.first < $1.first }
  }

  /// What the store says, in the words that the catalog's callers know.
  private func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as BlobStoreError {
      throw CatalogError(error.code == .noSpace ? .noSpace : .failed, error.message)
    } catch let error as LeaflogError where error.code == .noSpace {
      throw CatalogError(.noSpace, error.message)
    }
  }

  func last() throws -> Frame? {
    guard let part = try parts().last else { return nil }
    let byteCount = try FileStatus(part.path).byteCount
    if let end = end.withLock({ $0 }), end.path == part.path, end.byteCount == byteCount {
      return end.frame
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: part.path.string), options: .mappedIfSafe)
    guard let frame = Frame.last(data) else { return nil }
    end.withLock { $0 = (part.path, byteCount, frame) }
    return frame
  }

  func append(_ frame: Frame) throws {
    guard let part = try parts().last else {
      throw LeaflogError(.damaged, "The journal in \(layout.journal) is gone.")
    }
    let data = try frame.encoded()
    end.withLock { $0 = nil }
    try translating { try store.append(data, to: part.path) }
    let byteCount = try FileStatus(part.path).byteCount
    end.withLock { $0 = (part.path, byteCount, frame) }
  }

  func begin(_ start: Frame, keepsAll: Bool) throws {
    let digits = String(start.commit + 1)
    let name = String(repeating: "0", count: max(0, 12 - digits.count)) + digits + ".frames"
    try translating {
      try store.makeFolder(layout.journal)
      try store.write(start.encoded(), to: layout.journal.appending(name))
      if !keepsAll { try dropCovered(lineage: start.lineage) }
    }
  }

  func keepWhole(_ catalog: Catalog) throws {
    try translating {
      _ = try CatalogSnapshots(layout, store).take(of: catalog, now: catalog.clock(), waits: true)
    }
  }

  /// Removes files all of whose frames the older of the two newest snapshots has, of the present
  /// lineage; snapshots of others say nothing of them.
  private func dropCovered(lineage: UUID) throws {
    let snapshots = try CatalogSnapshots(layout, store).all().lazy.filter {
      $0.lineage == lineage
    }.prefix(2)
    guard snapshots.count == 2, let covered = snapshots.last?.generation else { return }
    let parts = try parts()
    for (part, next) in zip(parts, parts.dropFirst()) where next.first <= covered + 1 {
      try store.remove(part.path)
    }
  }

  /// Removes all of it.
  func removeAll() throws {
    end.withLock { $0 = nil }
    for part in try parts() { try store.remove(part.path) }
  }

  /// What the files hold, in their order.
  func read(_ body: (Frame.Finding) throws -> Void) throws {
    for part in try parts() {
      let data = try Data(
        contentsOf: URL(fileURLWithPath: part.path.string), options: .mappedIfSafe)
      try Frame.read(data, body)
    }
  }
}

extension CatalogSnapshot {
  /// The line of commits that its catalog belongs to; nil when it cannot be read.
  var lineage: UUID? {
    guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else { return nil }
    defer { try? catalog.close() }
    return try? catalog.lineage()
  }
}
