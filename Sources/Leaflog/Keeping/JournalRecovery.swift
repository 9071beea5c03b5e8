internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// Commits that snapshots and the journal do not lead to any more.
public struct JournalLoss: Sendable, Hashable {
  public let commits: ClosedRange<Int>
  /// What they were, as far as it is known: what was typed, or what kind of change it was.
  public let changes: [String]
}

/// Makes the newest catalog that a library's snapshots and frames lead to.
struct JournalRecovery {
  let layout: LibraryLayout
  let store: LocalBlobStore

  struct Result {
    /// What it began with; nil when it began with nothing.
    let snapshot: CatalogSnapshot?
    /// How many frames came after it.
    let frameCount: Int
    let losses: [JournalLoss]
  }

  /// What the journal has, without the changesets.
  private struct Contents {
    /// Of the frame with the highest number: frames of others belong to catalogs that were replaced.
    var lineage: UUID?
    var lastCommit = 0
    /// Of the first commit that there ever was, while its frame is there.
    var firstLineage: UUID?
    /// What is known of frames that are damaged.
    var damaged: [Int: String] = [:]
  }

  /// What a catalog can be made from: frames of a lineage, behind a snapshot of it or from the first.
  private struct Base {
    let lineage: UUID?
    let snapshot: CatalogSnapshot?
  }

  private static let batchCount = 500

  /// Makes it in a new file.
  ///
  /// - Parameter lineage: one that is left out: that of a catalog which has taken the place of a newer one.
  /// - Returns: nil when there is neither a snapshot nor a frame.
  func make(at path: FilePath, besides lineage: UUID? = nil) throws -> Result? {
    let contents = try contents(besides: lineage)
    guard let base = base(contents) else { return nil }
    if let snapshot = base.snapshot { try copy(snapshot, to: path) }
    let catalog = try Catalog(
      path: path.string, access: .readWrite(lock: FileLock(layout.lock)))
    defer { try? catalog.close() }
    var replay = Replay(catalog: catalog, damaged: contents.damaged)
    try self.replay(base.lineage, into: &replay)
    try replay.finish(
      lastCommit: max(
        contents.lastCommit, Catalog.notedGeneration(ofCatalogAt: layout.catalog.string) ?? 0))
    return Result(
      snapshot: base.snapshot, frameCount: replay.frameCount, losses: replay.losses)
  }

  private func contents(besides left: UUID?) throws -> Contents {
    var contents = Contents()
    let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try FrameFolder(layout, store).read { finding in
      switch finding {
      case .frame(let frame) where frame.lineage == left: break
      case .frame(let frame):
        if frame.commit >= contents.lastCommit, frame.lineage != none {
          (contents.lineage, contents.lastCommit) = (frame.lineage, frame.commit)
        }
        if frame.commit == 1, !frame.isStart { contents.firstLineage = frame.lineage }
      case .damage(let commit, let words):
        if let commit { contents.damaged[commit] = words ?? "" }
      }
    }
    return contents
  }

  /// That of the present lineage. Where it has none, what another one leads to is better than nothing,
  /// and the rest is lost.
  private func base(_ contents: Contents) -> Base? {
    if let snapshot = newestGoodSnapshot(of: contents.lineage) {
      return Base(lineage: contents.lineage ?? snapshot.lineage, snapshot: snapshot)
    }
    if let first = contents.firstLineage, first == contents.lineage {
      return Base(lineage: first, snapshot: nil)
    }
    if let snapshot = newestGoodSnapshot(of: nil) {
      return Base(lineage: snapshot.lineage, snapshot: snapshot)
    }
    return contents.firstLineage.map { Base(lineage: $0, snapshot: nil) }
  }

  /// `lineage`: nil takes any.
  private func newestGoodSnapshot(of lineage: UUID?) -> CatalogSnapshot? {
    CatalogSnapshot.all(in: layout).first { snapshot in
      guard let catalog = try? Catalog(path: snapshot.path, access: .readOnlyOfAnyVersion) else {
        return false
      }
      defer { try? catalog.close() }
      if let lineage, (try? catalog.lineage()) != lineage { return false }
      return (try? catalog.isSound()) == true
    }
  }

  private func copy(_ snapshot: CatalogSnapshot, to path: FilePath) throws {
    let file = try OutputFile(path, isPrivate: true)
    try Data(contentsOf: URL(fileURLWithPath: snapshot.path), options: .mappedIfSafe)
      .withUnsafeBytes { try file.write($0) }
    _ = try file.replace()
  }

  private func replay(_ lineage: UUID?, into replay: inout Replay) throws {
    var batch: [Frame] = []
    let generation = try replay.catalog.generation()
    try FrameFolder(layout, store).read { finding in
      guard case .frame(let frame) = finding, !frame.isStart, frame.commit > generation,
        frame.lineage == lineage
      else { return }
      batch.append(frame)
      if batch.count == Self.batchCount {
        try replay.add(batch)
        batch = []
      }
    }
    try replay.add(batch)
  }
}

/// Frames on their way into a catalog.
private struct Replay {
  let catalog: Catalog
  /// What is known of frames that are damaged, by their commits.
  let damaged: [Int: String]
  private(set) var frameCount = 0
  private(set) var losses: [JournalLoss] = []

  init(catalog: Catalog, damaged: [Int: String]) {
    (self.catalog, self.damaged) = (catalog, damaged)
  }

  /// Adds frames in their order. Behind a gap, those that still fit are added.
  mutating func add(_ frames: [Frame]) throws {
    guard let first = frames.first, let last = frames.last else { return }
    let isUnbroken =
      try first.commit == catalog.generation() + 1
      && last.commit - first.commit == frames.count - 1
    if isUnbroken, (try? catalog.apply(frames)) != nil {
      frameCount += frames.count
      return
    }
    for frame in frames { try add(frame) }
  }

  private mutating func add(_ frame: Frame) throws {
    let generation = try catalog.generation()
    if frame.commit > generation + 1 {
      lose((generation + 1)...(frame.commit - 1))
      try catalog.skip(to: frame.commit - 1)
    }
    do {
      try catalog.apply([frame])
      frameCount += 1
    } catch let error as CatalogError where error.code == .conflict {
      lose(frame.commit...frame.commit, frame.label.words)
      try catalog.skip(to: frame.commit)
    }
  }

  /// `lastCommit`: the last that anything tells of.
  mutating func finish(lastCommit: Int) throws {
    let generation = try catalog.generation()
    if lastCommit > generation { lose((generation + 1)...lastCommit) }
  }

  private mutating func lose(_ commits: ClosedRange<Int>, _ words: String? = nil) {
    let known = commits.prefix(1000).compactMap { damaged[$0] }.filter { !$0.isEmpty }
    losses.append(JournalLoss(commits: commits, changes: words.map { [$0] } ?? known))
  }
}
