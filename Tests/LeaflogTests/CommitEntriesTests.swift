import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// The entries that commits name.
@Suite struct CommitEntriesTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture(policy: .exact) }

  /// The commits that work makes.
  private func commits(_ work: () async throws -> Void) async throws -> [Commit] {
    let start = try library.history.lastPosition()
    try await work()
    return try library.history.commits(after: start, limit: 1000).commits
  }

  private func commit(_ work: () async throws -> Void) async throws -> Commit {
    let found = try await commits(work)
    try #require(found.count == 1)
    return found[0]
  }

  private func fates(_ commit: Commit) -> [EntryID: ChangedThing.Fate]? {
    commit.entries.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.id, $0.fate) }) }
  }

  @Test func `an entry is added, changed and deleted, also by undo and redo`() async throws {
    let diary = library.diary
    var itch: [EntryID] = []
    let added = try await commit {
      itch = [try diary.addSymptom(Symptom(name: "itch", severity: Severity(2))).id]
    }
    #expect(added.entries == [TouchedEntry(id: itch[0], kind: .symptom, fate: .added)])
    func fate(_ work: () async throws -> Void) async throws -> ChangedThing.Fate? {
      let commit = try await commit(work)
      #expect(commit.kinds == [.symptom] && commit.entries?.count == 1)
      return fates(commit)?[itch[0]]
    }
    #expect(
      try await fate {
        _ = try diary.editSymptom(library.entry(itch[0])) { $0.medications = ["balm"] }
      } == .changed)
    #expect(try await fate { _ = try diary.addTags(["skin"], to: itch) } == .changed)
    #expect(try await fate { try library.history.undo() } == .changed)
    #expect(try await fate { _ = try diary.delete(itch, of: .symptom) } == .deleted)
    #expect(try await fate { try library.history.undo() } == .added)
    #expect(try await fate { try library.history.redo() } == .deleted)
    #expect(try await fate { _ = try diary.restore(itch, of: .symptom) } == .added)
    #expect(try await fate { try library.history.undo(.symptomRestore) } == .deleted)
    #expect(try await fate { try library.history.redo() } == .added)
  }

  @Test func `an import that is undone and redone names its photos each time`() async throws {
    let imported = try await commits { _ = try await fixture.run([Fixtures.path("Photos/basil")]) }
    let photos = Set(try library.all().map(\.id))
    func ids(_ commits: [Commit], _ fate: ChangedThing.Fate) -> Set<EntryID> {
      Set(commits.flatMap { $0.entries ?? [] }.filter { $0.fate == fate }.map(\.id))
    }
    #expect(ids(imported, .added) == photos && photos.count == 4)
    let undone = try await commits { try library.history.undo() }
    #expect(undone.count == 1 && ids(undone, .deleted) == photos)
    let redone = try await commits { try library.history.redo() }
    #expect(redone.count == 1 && ids(redone, .added) == photos)
    // The commits from before say the same as before.
    let start = CommitPosition(number: imported[0].id - 1)
    let all = try library.history.commits(after: start, limit: 1000).commits
    #expect(all == imported + undone + redone)
  }

  @Test func `entries that show something else that was changed are named`() async throws {
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let day = LocalDay("2026-03-01")!
    let basil = try library.plants.find(matching: "basil")
    let water = try library.activities.add(
      ActivityDetails(name: "Water", startFrom: day), doneOn: [day])
    let factor = try library.factors.add(FactorDetails(name: "coffee", kind: .flag))
    let log = try library.diary.setDailyLog(on: day) { $0.factors["coffee"] = .flag(true) }
    let quote = try library.quotes.add("Grow.", author: nil).quote
    let favourite = try library.quotes.favourite(quote)
    _ = (log, favourite)
    let entries = try library.all()
    func expect(
      _ kind: EntryKind, _ thing: ChangeCount.Thing, _ work: () throws -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let commit = try await commit(work)
      let ids = Set(entries.filter { $0.kind == kind }.map(\.id))
      #expect(!ids.isEmpty && commit.kinds == [thing], sourceLocation: sourceLocation)
      #expect(
        fates(commit) == Dictionary(uniqueKeysWithValues: ids.map { ($0, .changed) }),
        sourceLocation: sourceLocation)
    }
    try await expect(.photo, .plant) { _ = try library.plants.rename(basil.id, to: "Basil") }
    try await expect(.completion, .activity) {
      _ = try library.activities.edit(water.id) { $0.emoji = "🚿" }
    }
    try await expect(.completion, .activity) { try library.history.undo() }
    try await expect(.dailyLog, .factor) {
      _ = try library.factors.edit(factor.id) { $0.name = "tea" }
    }
    // What entries do not show touches none.
    let edited = try await commit {
      _ = try library.plants.edit(basil.id) { $0.location = "sill" }
    }
    #expect(edited.kinds == [.plant] && edited.entries == [])
  }

  @Test func `an entry that was deleted since is not told as changed`() async throws {
    let entry = try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
    let found = try await commits {
      _ = try library.diary.addTags(["skin"], to: [entry.id])
      _ = try library.diary.delete([entry.id], of: .symptom)
    }
    #expect(found.map { fates($0) } == [[:], [entry.id: .deleted]])
  }

  @Test(arguments: 1...4)
  func `pages of any length have the same commits`(limit: Int) async throws {
    let start = try library.history.lastPosition()
    for number in 1...3 {
      let itch = try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
      _ = try library.diary.delete([itch.id], of: .symptom)
      // The history ends here, and what follows is known again.
      if number < 3 { try library.store.deleteForGood(entries: [itch.id], plants: []) }
    }
    let all = try library.history.commits(after: start, limit: 1000)
    #expect(all.commits.map { $0.kinds == nil } == [true, false, false])
    #expect(all.last == (try library.history.lastPosition()))
    var (found, last): ([Commit], CommitPosition) = ([], start)
    while true {
      let page = try library.history.commits(after: last, limit: limit)
      #expect(page.commits.count <= limit)
      if page.commits.isEmpty { break }
      (found, last) = (found + page.commits, page.last)
    }
    #expect(found == all.commits && last == all.last)
  }

  @Test func `a replica tells the same commits as the library that it follows`() async throws {
    let fixture = try ObjectLibraryFixture(.memory)
    let library = fixture.library
    let replica = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
    ).replica
    let start = try library.history.lastPosition()
    _ = try await fixture.importPhotos([Fixtures.path("Photos/basil")])
    try library.history.undo()
    try library.history.redo()
    try library.history.undo()
    _ = try await fixture.importPhotos([Fixtures.path("Photos/tomato")])
    _ = try Pruner(library).run(PruneRequest(), now: .inHours(0))
    for hours in [25.0, 50] {
      _ = try Pruner(library).run(PruneRequest(), now: .inHours(hours))
    }
    _ = try replica.update()
    let read = try Library.open(
      at: fixture.folder.file("replica"), for: .reading, keys: fixture.keys)
    let told = try library.history.commits(after: start, limit: 1000)
    #expect(try read.history.commits(after: start, limit: 1000) == told)
    #expect(told.commits.contains { $0.kinds == [] } && told.commits.allSatisfy { $0.kinds != nil })
  }

  @Test(arguments: [1000, 1001])
  func `a commit names a thousand entries, or none`(count: Int) async throws {
    var diary = DiaryFixture()
    let start = LocalDay("2020-01-01")!
    for number in 0..<count {
      diary.add(.mood(.happy), at: .day(start.advanced(by: number)))
    }
    let found = try await commits { try diary.write(to: library.path) }
    try #require(found.count == 1 && found[0].kinds == [.mood])
    #expect(found[0].entries?.count == (count == 1000 ? 1000 : nil))
    let undone = try await commit { try library.history.undo() }
    #expect(undone.kinds == [.mood] && undone.entries?.count == found[0].entries?.count)
  }
}

/// Commits without an effect that anybody sees.
@Suite struct SilentCommitTests {
  private func expectSilent(
    _ library: Library, after start: CommitPosition,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let commits = try library.history.commits(after: start, limit: 1000).commits
    #expect(!commits.isEmpty, sourceLocation: sourceLocation)
    for commit in commits {
      #expect(
        commit.kinds == [] && commit.plants == [] && commit.entries == [],
        sourceLocation: sourceLocation)
    }
  }

  @Test func `a quote of the day that is kept`() async throws {
    let server = try LoopbackServer(.http("200 OK", #"[{"q":"Grow.","a":"Somebody"}]"#))
    let fixture = try LibraryFixture()
    try fixture.library.settings.set(.quotesSource, to: "zenquotes")
    let start = try fixture.library.history.lastPosition()
    let service = QuoteService(
      address: "http://127.0.0.1:\(server.port)/api/today", timeout: .seconds(600))
    #expect(try await fixture.library.quotes.fetch(from: service).problem == nil)
    try expectSilent(fixture.library, after: start)
  }

  @Test func `a prune that only moves files`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let library = fixture.library
    for plant in ["monstera", "tomato", "basil"] {
      _ = try await fixture.run([Fixtures.path("Photos/\(plant)")])
    }
    try library.history.undo()
    _ = try Pruner(library).run(PruneRequest(), now: .inHours(0))
    let start = try library.history.lastPosition()
    for hours in [25.0, 50] {
      let report = try Pruner(library).run(PruneRequest(), now: .inHours(hours))
      #expect(report.trashed.count + report.unlinked.count > 0)
    }
    try expectSilent(library, after: start)
  }

  @Test func `an import that finds what is known`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let photo = try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/1.jpg")
    _ = try await fixture.run()
    let start = try fixture.library.history.lastPosition()
    try FileManager.default.moveItem(
      atPath: photo, toPath: fixture.photos + "/2.jpg")
    let (summary, _) = try await fixture.run()
    #expect(summary.added == 0 && summary.duplicate == 1)
    try expectSilent(fixture.library, after: start)
  }

  @Test func `a deletion for good may have changed anything`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let entry = try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
    _ = try library.diary.delete([entry.id], of: .symptom)
    let start = try library.history.lastPosition()
    try library.store.deleteForGood(entries: [entry.id], plants: [])
    let commits = try library.history.commits(after: start, limit: 10).commits
    #expect(commits.contains { $0.kinds == nil && $0.entries == nil })
  }
}
