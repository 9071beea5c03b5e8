import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// A client that reads what commits name, and nothing else.
private struct Mirror {
  /// The entries on the timeline, in JSON.
  private(set) var entries: [EntryID: String] = [:]
  /// How often it had to read everything.
  private(set) var fullCount = 0
  private var last = CommitPosition(number: 0)
  /// Whether it keeps the line of commits, and not the number alone.
  private let knowsLine: Bool

  init(of library: Library, knowsLine: Bool) throws {
    self.knowsLine = knowsLine
    try readAll(library)
  }

  static func all(_ library: Library) throws -> [EntryID: String] {
    var (all, page): ([EntryID: String], Page<Entry>) = ([:], try library.timeline.page(limit: 100))
    while true {
      for entry in page.elements { all[entry.id] = JSON.line(entry) }
      guard let next = page.next else { return all }
      page = try library.timeline.page(at: .cursor(next), limit: 100)
    }
  }

  mutating func follow(_ library: Library) throws {
    while true {
      let page = try library.history.commits(
        after: knowsLine ? last : CommitPosition(number: last.number), limit: 5)
      guard !page.commits.isEmpty else { return }
      if page.commits.contains(where: { $0.entries == nil }) {
        try readAll(library)
      } else {
        for commit in page.commits { try take(commit, library) }
        last = page.last
      }
    }
  }

  private mutating func readAll(_ library: Library) throws {
    // Before anything is read: what is committed meanwhile is read twice, and not left out.
    last = try library.history.lastPosition()
    entries = try Self.all(library)
    fullCount += 1
  }

  private mutating func take(_ commit: Commit, _ library: Library) throws {
    for entry in commit.entries ?? [] {
      entries[entry.id] = nil
      guard entry.fate != .deleted else { continue }
      do {
        let present = try library.entry(entry.id)
        if present.deletedAt == nil { entries[entry.id] = JSON.line(present) }
      } catch let error as LeaflogError where error.code == .notFound {}
    }
    // The days of a plant begin with its first photo.
    guard commit.kinds?.contains(.photo) ?? false else { return }
    for plant in commit.plants {
      for entry in try library.timeline.page(TimelineQuery(plant: plant), limit: 1000).elements {
        entries[entry.id] = JSON.line(entry)
      }
    }
  }
}

/// Clients that follow commits, beside two writers.
@Suite struct CommitMirrorTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil
  private static let seed = isLong ? UInt64.random(in: 0...UInt64(UInt32.max)) : 1

  @Test(arguments: [seed])
  func `a mirror that follows the commits has the same entries as the library`(
    seed: UInt64
  ) async throws {
    let count = Self.isLong ? 2000 : 300
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    try LibraryMergeTests.fill(fixture.library)
    var random = SplitMix64(state: seed)
    var writers = try [fixture.library, Self.open(fixture)]
    var mirrors = try [true, false].map { try Mirror(of: fixture.library, knowsLine: $0) }
    var places: [String] = []
    for step in 1...count {
      fixture.clock.pass(seconds: 60)
      let writer = writers[random.below(2)]
      // What is not possible is refused.
      do { try Self.change(writer, &random) } catch is LeaflogError {}
      switch step {
      case count / 8, count / 2:
        let photos = Fixtures.path("Photos/" + (step == count / 2 ? "tomato" : "monstera"))
        _ = try await Importer(writer).run(ImportRequest(paths: [photos])) { _ in }
      case count / 4:
        for writer in writers { try writer.close() }
        places = ["there", "common"].map { fixture.folder.file($0) }
        for place in places {
          try FileManager.default.copyItem(atPath: fixture.library.path, toPath: place)
        }
        writers = try [Self.open(fixture), Self.open(fixture)]
      case count * 3 / 8:
        let there = try Library.open(at: places[0], clock: fixture.clock.wallClock)
        for _ in 0..<20 { do { try Self.change(there, &random) } catch is LeaflogError {} }
        try there.close()
        _ = try LibraryMerge(
          from: OpenBackup(.folder(places[0])), into: writer, since: OpenBackup(.folder(places[1]))
        ).run()
      case count * 5 / 8:
        _ = try Backup(writer).run(BackupRequest(path: fixture.folder.file("backup"))) { _ in }
      case count * 6 / 8:
        let trash = try writer.timeline.page(TimelineQuery(deleted: true), limit: 5).elements
        try writer.store.deleteForGood(entries: trash.map(\.id), plants: [])
      case count * 7 / 8:
        for writer in writers { try writer.close() }
        let backup = try Library.open(at: fixture.folder.file("backup"), for: .reading)
        _ = try Restore(backup, to: fixture.library.path).run { _ in }
        try backup.close()
        writers = try [Self.open(fixture), Self.open(fixture)]
      default: break
      }
      guard random.below(4) == 0 || step == count else { continue }
      let all = try Mirror.all(writers[0])
      for index in mirrors.indices {
        try mirrors[index].follow(writers[random.below(2)])
        let known = mirrors[index].entries
        let wrong = Set(all.keys).union(known.keys).filter { all[$0] != known[$0] }
        try #require(
          wrong.isEmpty, "step \(step): \(wrong.map { [all[$0], known[$0]] })")
      }
    }
    // At first, after the deletion for good, and after the restore.
    #expect(mirrors.allSatisfy { $0.fullCount <= 3 }, "\(mirrors.map(\.fullCount))")
    for writer in writers { try writer.close() }
  }

  private static func open(_ fixture: LibraryFixture) throws -> Library {
    try Library.open(at: fixture.library.path, clock: fixture.clock.wallClock)
  }

  private static func change(_ library: Library, _ random: inout SplitMix64) throws {
    switch random.below(10) {
    case 0: try library.history.undo()
    case 1: try library.history.redo()
    case 2:
      let changes = try library.history.page(limit: 20).changes
      let change = changes[random.below(changes.count)]
      _ = try change.isUndone ? library.history.redo(change.id) : library.history.undo(change.id)
    default: try RandomChange(library).make(&random)
    }
  }
}
