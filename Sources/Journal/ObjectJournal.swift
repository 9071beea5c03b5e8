internal import BlobStorage
package import DiaryModel
package import Foundation
internal import Synchronization
package import SystemPackage

/// A library's journal on this machine and in its object store. A commit is acknowledged when both have its frame, or,
/// in asynchronous mode, when this machine has it and the store will get it soon.
package final class ObjectJournal: FrameLog {
  private let local: FrameFolder
  private let files: FrameFiles
  private let history: ObjectHistory
  /// The file that says how far the store has the journal.
  private let note: FilePath
  private let mode: ObjectStoreSettings.Journal
  /// The time since which a frame may be waiting to be sent.
  private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter note: the path of the file that says how far the store has the journal.
  package init(
    _ local: FrameFolder, _ files: FrameFiles, _ history: ObjectHistory,
    _ mode: ObjectStoreSettings.Journal, note: FilePath
  ) {
    (self.local, self.files, self.history) = (local, files, history)
    (self.mode, self.note) = (mode, note)
  }

  /// The last commit that the store's frames and catalogs lead to. After a power loss it may be too low, which is
  /// harmless: the same frames are put again.
  private struct Mark: Codable {
    /// The owner's marker that it applies to: another store, or another owner's line in this one, has none of it.
    let owner: String?
    let lineage: UUID
    let commit: Int
  }

  /// The mark of this store; nil when nothing is known of it.
  private var mark: Mark? {
    FileManager.default.contents(atPath: note.string)
      .flatMap { try? JSONDecoder().decode(Mark.self, from: $0) }
      .flatMap { $0.owner == history.owner ? $0 : nil }
  }

  /// Records that the store leads to a commit.
  package func setMark(_ lineage: UUID, _ commit: Int) throws {
    let data = try JSONEncoder().encode(
      Mark(owner: history.owner, lineage: lineage, commit: commit))
    try files.store.files.writeUnsynced(data, to: note)
  }

  package func last() throws -> Frame? { try local.last() }

  package func settle(isFinal: Bool) throws -> Bool {
    guard let last = try local.last(), last.commit > 0 else { return true }
    if !isFinal, mayWait() { return true }
    return try push(upTo: last)
  }

  /// Whether frames may be held back for now.
  private func mayWait() -> Bool {
    guard mode == .async else { return false }
    return waitingSince.withLock { since in
      let start = since ?? .now
      since = start
      return .now - start < ObjectStoreSettings.Journal.maxLag
    }
  }

  package func append(_ frame: Frame) throws {
    try local.append(frame)
    if mayWait() { return }
    do {
      if try push(upTo: frame) { return }
    } catch { throw UnsettledFrame(cause: error) }
    throw JournalError(.failed, "The journal does not lead from the object store's last commit.")
  }

  package func begin(_ start: Frame, keepsAll: Bool) throws {
    try local.begin(start, keepsAll: keepsAll)
  }

  /// Puts a copy of the catalog, and moves the mark forward to it.
  package func push(catalogAt path: FilePath, _ commit: Int, _ lineage: UUID) throws {
    try history.put(catalogAt: path, commit, lineage)
    if mark?.lineage != lineage { try history.own(lineage) }
    if let mark, mark.lineage == lineage, mark.commit >= commit { return }
    try setMark(lineage, commit)
  }

  /// Puts the frames that the store lacks.
  ///
  /// - Returns: false when the journal does not have all of them.
  private func push(upTo last: Frame) throws -> Bool {
    let mark = mark
    let done = mark?.lineage == last.lineage ? mark?.commit ?? 0 : 0
    if mark?.lineage == last.lineage, done >= last.commit {
      waitingSince.withLock { $0 = nil }
      return true
    }
    var frames = [last]
    if done + 1 != last.commit || last.isStart {
      frames = []
      guard done < last.commit else { return false }
      try files.read(last.lineage, (done + 1)...last.commit) {
        frames += $0
      }
      guard frames.map(\.commit) == Array((done + 1)...last.commit) else { return false }
    }
    try history.put(frames)
    if mark?.lineage != last.lineage { try history.own(last.lineage) }
    try setMark(last.lineage, last.commit)
    waitingSince.withLock { $0 = nil }
    return true
  }

  /// The number of commits up to the given one that the store lacks.
  package func lag(behind commit: Int, of lineage: UUID?) -> Int {
    guard let mark, mark.lineage == lineage else { return commit }
    return max(0, commit - mark.commit)
  }

  /// Deletes everything before the newest catalog from the store, when data is forgotten for good.
  package func forgetBefore(_ lineage: UUID) throws {
    try history.deleteCovered(lineage, keepsOneCatalog: true)
  }

  /// Deletes from the store what two catalogs cover.
  package func deleteCovered(_ lineage: UUID) throws { try history.deleteCovered(lineage) }
}
