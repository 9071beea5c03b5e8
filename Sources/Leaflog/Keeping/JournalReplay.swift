internal import DiaryCatalog
internal import Journal

/// Commits that can no longer be restored from snapshots and journals.
public struct JournalLoss: Sendable, Hashable {
  /// The numbers of the commits.
  public let commits: ClosedRange<Int>
  /// The changes that they were part of, as far as these are known: the command as it was typed, or the kind
  /// of change.
  public let changes: [String]
}

/// Applies frames to a catalog, and records the commits that are lost.
struct JournalReplay {
  let catalog: Catalog
  /// The labels of damaged frames, by commit, as far as they can be read.
  let damaged: [Int: String]
  private(set) var frameCount = 0
  private(set) var losses: [JournalLoss] = []

  init(catalog: Catalog, damaged: [Int: String]) {
    (self.catalog, self.damaged) = (catalog, damaged)
  }

  /// Applies frames in order, skipping duplicates. After a gap, those that still fit are applied.
  mutating func add(_ frames: [Frame]) throws {
    guard let first = frames.first, let last = frames.last else { return }
    let isUnbroken =
      try first.commit == catalog.generation() + 1
      && last.commit - first.commit == frames.count - 1
    if isUnbroken, try isFit(frames) { return }
    for frame in frames { try add(frame) }
  }

  private mutating func isFit(_ frames: [Frame]) throws -> Bool {
    do { try catalog.apply(frames, isAfterGap: !losses.isEmpty) } catch let error as CatalogError
      where error.code == .conflict
    {
      return false
    }
    frameCount += frames.count
    return true
  }

  private mutating func add(_ frame: Frame) throws {
    let generation = try catalog.generation()
    guard frame.commit > generation else { return }
    if frame.commit > generation + 1 {
      lose((generation + 1)...(frame.commit - 1))
      try catalog.skip(to: frame.commit - 1)
    }
    guard try !isFit([frame]) else { return }
    lose(frame.commit...frame.commit, FrameLabel.words(in: frame.label))
    try catalog.skip(to: frame.commit)
  }

  /// - Parameter lastCommit: the last commit that is known of.
  mutating func finish(lastCommit: Int) throws {
    let generation = try catalog.generation()
    if lastCommit > generation { lose((generation + 1)...lastCommit) }
  }

  private mutating func lose(_ commits: ClosedRange<Int>, _ words: String? = nil) {
    let known = commits.prefix(1000).compactMap { damaged[$0] }.filter { !$0.isEmpty }
    losses.append(JournalLoss(commits: commits, changes: words.map { [$0] } ?? known))
  }
}
