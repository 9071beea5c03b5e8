internal import BlobStorage
package import DiaryModel
package import Foundation
internal import Synchronization
package import SystemPackage

/// A library's journal on this machine and in its object store. A commit is acknowledged when both have its frame and
/// nobody else has put a successor of the commit before, or, in asynchronous mode, when this machine has it and the
/// store will get it soon.
package final class ObjectJournal: FrameLog {
  private let local: FrameFolder
  private let files: FrameFiles
  private let history: ObjectHistory
  /// The file that says how far the store has the journal.
  private let note: FilePath
  private let mode: ObjectStoreSettings.Journal
  /// The time since which a frame may be waiting to be sent.
  private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)
  /// The last time at which the store had this machine's head, and nothing after it.
  private let seenAlone = Mutex<ContinuousClock.Instant?>(nil)

  /// How long a look at the store counts.
  private static let validity = Duration.seconds(10)

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
    let head: Head
    /// The run of the machine in which it was written: within the same one, no commit after it was acknowledged.
    let boot: String
  }

  /// The mark of this store; nil when nothing is known of it.
  private var mark: Mark? {
    FileManager.default.contents(atPath: note.string)
      .flatMap { SealedJSON.decode(Mark.self, from: $0) }
      .flatMap { $0.owner == history.owner ? $0 : nil }
  }

  /// Records that the store leads to a commit.
  package func setMark(_ lineage: UUID, _ commit: Int, _ head: Head) throws {
    let data = try SealedJSON.encode(
      Mark(
        owner: history.owner, lineage: lineage, commit: commit, head: head, boot: Self.boot))
    try files.store.files.writeUnsynced(data, to: note)
  }

  package func last() throws -> Frame? { try local.last() }

  package func read(
    _ lineage: UUID, after commit: Int, _ body: ([Frame]) throws -> Void
  ) throws { try local.read(lineage, after: commit, body) }

  package func settle(isFinal: Bool, isKnown: (Head) throws -> Bool) throws -> Bool {
    guard let last = try local.last(), last.commit > 0 else { return true }
    if !isFinal, mayWait() { return true }
    if let seen = seenAlone.withLock({ $0 }), .now - seen < Self.validity, mark?.head == last.head {
      return true
    }
    guard try look(upTo: last, isKnown) else { return false }
    let wasPending = mark?.head != last.head
    guard try push(upTo: last, isKnown) else { return false }
    if wasPending { try forgetForks(upTo: last) }
    return true
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

  package func append(_ frame: Frame, isKnown: (Head) throws -> Bool) throws {
    try local.append(frame)
    if mayWait() { return }
    do {
      if try push(upTo: frame, isKnown) { return }
    } catch { throw UnsettledFrame(cause: error) }
    throw JournalError(.failed, "The journal does not lead from the object store's last commit.")
  }

  package func begin(_ start: Frame, keepsAll: Bool) throws {
    try local.begin(start, keepsAll: keepsAll)
  }

  /// Puts a copy of the catalog, and moves the mark forward to it.
  package func push(
    catalogAt path: FilePath, _ commit: Int, _ lineage: UUID, _ head: Head,
    isKnown: (Head) throws -> Bool
  ) throws {
    let mark = mark
    try history.put(catalogAt: path, commit, lineage, head)
    let declaration = mark?.lineage == lineage ? nil : try history.own(lineage)
    let listing = try history.look(from: min(commit, (mark?.commit ?? commit) + 1))
    if let other = try foreign(in: listing, isKnown) {
      try history.withdraw(
        ObjectHistory.Name(.notice, commit: commit, lineage: lineage, head: head), declaration)
      throw forked(other)
    }
    guard listing.names.contains(where: { $0.head == head }) else { throw unlisted }
    if let mark, mark.lineage == lineage, mark.commit >= commit { return }
    try setMark(lineage, commit, head)
    seenAlone.withLock { $0 = .now }
  }

  /// The number of commits up to the given one that the store lacks.
  package func lag(behind commit: Int, of lineage: UUID?) -> Int {
    guard let mark, mark.lineage == lineage else { return commit }
    return max(0, commit - mark.commit)
  }

  /// Deletes everything before the newest catalog from the store, when data is forgotten for good.
  ///
  /// - Throws: `JournalError` with code `forked` while another line of the library has frames there.
  package func forgetBefore(_ lineage: UUID) throws {
    try refuseUnresolved()
    try history.deleteCovered(lineage, keepsOneCatalog: true)
  }

  /// Deletes from the store what two catalogs cover, unless another line of the library may need it.
  package func deleteCovered(_ lineage: UUID) throws {
    guard try history.forked().isEmpty else { return }
    try history.deleteCovered(lineage)
  }

  /// - Throws: `JournalError` with code `forked` while another line of the library may need what the store has.
  package func refuseUnresolved() throws {
    guard try history.forked().isEmpty else { throw unresolved }
  }

  /// Removes from the store what was kept aside of other lines of the library, once it is not needed any more.
  ///
  /// - Parameter isMeant: whether to remove the line that leads to a head.
  package func dropForks(where isMeant: (Head) throws -> Bool) throws {
    for name in try history.forked() where try isMeant(name.head) {
      if name.kind == .notice { try history.client.delete(name.catalog.key) }
      try history.client.delete(name.forkKey)
    }
  }

  /// Looks whether the store has this library's journal, and changes nothing.
  ///
  /// - Throws: `JournalError` with code `forked` or `lost`.
  package func check(isKnown: (Head) throws -> Bool) throws {
    let present = mark
    let listing = try history.look(from: present?.commit ?? 1)
    if let other = try foreign(in: listing, isKnown) { throw forked(other) }
    if present == nil || listing.names.contains(where: { $0.head == present?.head }) { return }
    guard try history.look(from: 1).names.contains(where: { try isKnown($0.head) }) else {
      throw lost
    }
  }
}

/// Sending frames.
extension ObjectJournal {
  /// Puts the frames that the store lacks.
  ///
  /// - Returns: false when the journal does not have all of them.
  private func push(upTo last: Frame, _ isKnown: (Head) throws -> Bool) throws -> Bool {
    let mark = mark
    guard mark?.head != last.head else {
      waitingSince.withLock { $0 = nil }
      return true
    }
    guard let frames = try unsent(upTo: last, since: mark), let first = frames.first else {
      return false
    }
    try history.put(frames)
    let declaration = mark?.lineage == last.lineage ? nil : try history.own(last.lineage)
    let listing = try history.look(from: first.commit)
    if let other = try foreign(in: listing, isKnown) {
      try history.withdraw(frames, declaration)
      throw forked(other)
    }
    guard listing.names.contains(where: { $0.head == last.head }) else { throw unlisted }
    try setMark(last.lineage, last.commit, last.head)
    waitingSince.withLock { $0 = nil }
    seenAlone.withLock { $0 = .now }
    return true
  }

  /// The frames after the mark; nil when the journal does not have all of them.
  private func unsent(upTo last: Frame, since mark: Mark?) throws -> [Frame]? {
    let mark = mark?.lineage == last.lineage ? mark : nil
    if !last.isStart, last.parent == mark?.head ?? .none { return [last] }
    let done = mark?.commit ?? 0
    guard done < last.commit else { return nil }
    var frames: [Frame] = []
    try files.read(last.lineage, (done + 1)...last.commit) { frames += $0 }
    var head = mark?.head ?? .none
    for frame in frames {
      guard frame.parent == head else { return nil }
      head = frame.head
    }
    return head == last.head ? frames : nil
  }
}

/// Looking at the store before anything is changed.
extension ObjectJournal {
  /// Looks whether the store has this machine's last acknowledged commit, and none after it that is not known.
  ///
  /// - Returns: false when what the store has does not lead to the journal's frames.
  /// - Throws: `JournalError` with code `forked`, or `lost` when the store has no part of this journal.
  private func look(upTo last: Frame, _ isKnown: (Head) throws -> Bool) throws -> Bool {
    let present = mark
    let listing = try history.look(from: present?.commit ?? 1)
    if let other = try foreign(in: listing, isKnown) {
      try finishWithdrawing(listing, upTo: last, isKnown)
      throw forked(other)
    }
    seenAlone.withLock { $0 = .now }
    if let present, listing.names.contains(where: { $0.head == present.head }) { return true }
    // The commit of the mark is not there: the mark is wrong, or the store has lost the commit.
    let all = present == nil ? listing : try history.look(from: 1)
    guard let newest = try all.names.last(where: { try isKnown($0.head) }) else {
      if present == nil { return true }
      throw lost
    }
    try setMark(newest.lineage, newest.commit, newest.head)
    return true
  }

  /// A name in the store whose head is not known, unless nobody acknowledges it: neither a former owner nor somebody who
  /// has not declared the lineage does. Whoever declares one later looks after that, and finds what was put before.
  private func foreign(
    in listing: ObjectHistory.Listing, _ isKnown: (Head) throws -> Bool
  ) throws -> ObjectHistory.Name? {
    guard let owner = history.owner else { return nil }
    let owners = listing.owners.compactMap(ObjectHistory.declaration)
      .reduce(into: [:]) { $0[$1.lineage] = $1.owner }
    return try listing.names.first { name in
      guard let other = owners[name.lineage], other >= owner[...] else { return false }
      return try !isKnown(name.head)
    }
  }

  /// Keeps frames out of the way that a process could not acknowledge before it was broken off, as somebody else's came
  /// first. After a restart of the machine it is not known whether they were acknowledged: then they stay.
  private func finishWithdrawing(
    _ listing: ObjectHistory.Listing, upTo last: Frame, _ isKnown: (Head) throws -> Bool
  ) throws {
    let present = mark
    guard let frames = try unsent(upTo: last, since: present), !frames.isEmpty else { return }
    let standing = try listing.names.filter {
      try $0.commit > present?.commit ?? 0 && isKnown($0.head)
    }
    guard standing.isEmpty || present.map({ $0.boot == Self.boot }) ?? false else { return }
    try history.quarantine(frames)
    for name in standing { try history.client.delete(name.key) }
  }

  /// The id of this run of the machine (proc(5)); empty where it is not known.
  private static let boot =
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

  /// Removes what was kept out of the way once it is in the journal, as after both sides had stepped back.
  private func forgetForks(upTo last: Frame) throws {
    for name in try history.forked() where name.head == last.head {
      try history.client.delete(name.forkKey)
    }
  }

  private func forked(_ other: ObjectHistory.Name) -> JournalError {
    JournalError(
      .forked,
      "The library has forked: another copy of it has put commit \(other.commit) into the object store at "
        + "\(history.client.location.url), which this copy does not have. What was changed last is kept here only.",
      remedy: .resolveFork)
  }

  /// A store that has acknowledged an object lists it later, or never if its index was not told. Whoever attaches to it
  /// until then does not find the commit, so it is not acknowledged, and put again before the next one.
  private var unlisted: BlobStoreError {
    BlobStoreError(
      code: .unreachable,
      message:
        "The object store at \(history.client.location.url) does not list what was put there.",
      path: ObjectHistory.frames)
  }

  private var lost: JournalError {
    JournalError(
      .lost,
      "The object store at \(history.client.location.url) has no part of this library's journal, which was there before.",
      remedy: .repairStore)
  }

  private var unresolved: JournalError {
    JournalError(
      .forked,
      "Another copy of this library has commits at \(history.client.location.url) that are not in its journal. Nothing "
        + "there was deleted.", remedy: .resolveFork)
  }
}
