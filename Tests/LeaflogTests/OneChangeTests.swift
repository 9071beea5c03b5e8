import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Several calls as one change, and several reads of one state.
@Suite struct OneChangeTests {
  @Test func `each writing call can be one of several of a change, and is undone with it`()
    async throws
  {
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    var kinds: Set<ChangeKind> = []
    for call in WritingCall.all {
      let before = try things.dump()
      _ = try library.change(call.name) { try call.run($0, things) }
      let change = try #require(try library.history.page(limit: 1).changes.first)
      #expect(try things.dump() != before && change.origin == call.name, "\(call.name)")
      kinds.insert(change.kind)
      try library.history.undo()
      #expect(try things.dump().changes(since: before) == [], "\(call.name)")
    }
    // Changes that no call of a section makes.
    let others: Set<ChangeKind> = [
      .importPhotos, .importDiary, .bringOver, .recompress, .repairThumbnails, .settings,
    ]
    #expect(kinds == Set(ChangeKind.allCases).subtracting(others))
  }

  @Test func `after an error, none of the calls of a change has taken effect`() async throws {
    struct Trouble: Error {}
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    let before = try (things.dump(), library.history.lastCommit())
    for call in WritingCall.all {
      #expect(throws: Trouble.self, "\(call.name)") {
        try library.change(call.name) { library in
          _ = try library.diary.setMood(.tired, on: "2025-01-07".day)
          try call.run(library, things)
          throw Trouble()
        }
      }
      #expect(try things.dump() == before.0 && library.history.lastCommit() == before.1)
    }
  }

  @Test func `a change of all calls is one commit and one row of the history`() async throws {
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    let (before, commit) = try (things.dump(), library.history.lastCommit())
    let changes = try library.history.page(limit: 1000).changes.count
    try library.change("everything at once") { library in
      for call in WritingCall.all { try call.run(library, things) }
    }
    #expect(try library.history.lastCommit() == commit + 1)
    let history = try library.history.page(limit: 1000).changes
    #expect(history.count == changes + 1 && history[0].kind == WritingCall.all[0].kind)
    let after = try things.dump()
    try library.history.undo()
    #expect(try things.dump().changes(since: before) == [])
    try library.history.redo()
    #expect(try things.dump().changes(since: after) == [])
  }

  @Test(arguments: [Library.Access.writing, .writingSerially])
  func `calls of a change see the ones before, and others the former state until its end`(
    access: Library.Access
  ) throws {
    let fixture = try LibraryFixture()
    let library = try Library.open(at: fixture.library.path, for: access)
    defer { try? library.close() }
    try library.change("a new plant") { changed in
      let fern = try changed.plants.add(PlantDetails(name: "fern"))
      #expect(try changed.plants.find(matching: "fern").id == fern.id)
      #expect(try changed.timeline.tally(TimelineQuery()).isEmpty)
      _ = try changed.diary.setMood(.happy, on: library.today)
      #expect(try changed.timeline.tally(TimelineQuery()).map(\.count) == [1])
      #expect(try fixture.library.plants.all().isEmpty)
      #expect(try fixture.library.timeline.tally(TimelineQuery()).isEmpty)
    }
    #expect(try library.timeline.tally(TimelineQuery()).map(\.count) == [1])
    #expect(throws: CocoaError.self) {
      try library.change("no") { changed in
        _ = try changed.diary.setMood(.sad, on: "2025-01-07".day)
        #expect(try changed.timeline.tally(TimelineQuery()).count == 2)
        throw CocoaError(.fileNoSuchFile)
      }
    }
    #expect(try library.timeline.tally(TimelineQuery()).count == 1)
  }

  @Test func `things that are deleted in a change have its time`() async throws {
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    try library.change("a plant and a mood") { library in
      _ = try library.diary.delete([things.entry(.mood).id], of: .mood)
      _ = try library.plants.delete(things.fern.id)
    }
    let change = try library.history.page(limit: 1).changes[0]
    #expect(try library.diary.entry(things.entry(.mood).id).deletedAt == change.madeAt)
    let fern = try library.plants.find(things.fern.id, among: .deletedFirst)
    #expect(fern.deletedAt == change.madeAt)
  }

  @Test func `of a call whose error is caught nothing is left, and the change goes on`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    try library.change("two plants") { library in
      let fern = try library.plants.add(PlantDetails(name: "fern"))
      #expect(throws: CocoaError.self) {
        try library.change("within the other") { library in
          _ = try library.diary.setMood(.happy, on: library.today)
          throw CocoaError(.fileNoSuchFile)
        }
      }
      #expect(throws: LeaflogError.self) { try library.plants.rename(fern.id, to: "") }
      #expect(throws: LeaflogError.self) { try library.plants.add(PlantDetails(name: "FERN")) }
      try library.change("within it, too") {
        _ = try $0.plants.add(PlantDetails(name: "moss"))
      }
    }
    #expect(try library.plants.all().map(\.name) == ["fern", "moss"])
    #expect(try library.timeline.page(limit: 1).elements.isEmpty)
    let changes = try library.history.page(limit: 10).changes
    #expect(changes.map(\.origin) == ["two plants"] && changes.map(\.kind) == [.plantAdd])
    var request = VerifyRequest()
    request.readsEverything = true
    #expect(try Verifier(library).run(request) { Issue.record("\($0.message)") }.damageCount == 0)
  }

  @Test func `a change is of the kind of the first call that has changed something`() throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let fern = try library.plants.add(PlantDetails(name: "fern"))
    let count = try library.history.page(limit: 10).changes.count
    try library.change("nothing") { _ = try $0.plants.edit(fern.id) { _ in } }
    #expect(try library.history.page(limit: 10).changes.count == count)
    try library.change("a mood") { library in
      _ = try library.plants.restore(fern.id)
      try? library.change("not this") { library in
        _ = try library.plants.rename(fern.id, to: "moss")
        throw CancellationError()
      }
      _ = try library.diary.setMood(.happy, on: library.today)
      _ = try library.plants.rename(fern.id, to: "ivy")
    }
    #expect(try library.history.page(limit: 1).changes.map(\.kind) == [.moodSet])
  }

  @Test func `a change asks for confirmation as its calls do`() throws {
    let fixture = try LibraryFixture()
    let error = #expect(throws: LeaflogError.self) {
      try fixture.library.change("long ago") { library in
        try library.diary.addSymptom(
          Symptom(name: "ache", severity: Severity(1)),
          at: .day(library.today.advanced(by: -30)))
      }
    }
    #expect(error?.code == .unconfirmed && error?.doubts.count == 1)
  }

  @Test(arguments: ["", " \n", String(repeating: "x", count: 201), "two\nlines"])
  func `the text of a change is one line`(text: String) throws {
    let fixture = try LibraryFixture()
    let error = #expect(throws: LeaflogError.self) { try fixture.library.change(text) { _ in } }
    #expect(error?.code == .invalidRequest)
  }
}

/// A change of several calls, where commits are kept and carried.
@Suite struct CarriedChangeTests {
  /// Makes a change of three calls.
  private func change(_ library: Library) throws {
    try library.change("spring") { library in
      let palm = try library.plants.add(PlantDetails(name: "palm"))
      let photo = try #require(
        library.timeline.page(TimelineQuery(kinds: [.photo]), limit: 1).elements.first)
      _ = try library.photos.move(.photos([photo.id]), to: palm.id)
      _ = try library.diary.setMood(.calm, on: "2025-03-01".day)
    }
  }

  private func check(_ library: Library) throws {
    #expect(try library.plants.find(matching: "palm").photoCount == 1)
    #expect(try library.diary.mood(on: "2025-03-01".day) != nil)
    let change = try library.history.page(limit: 1).changes[0]
    #expect(change.kind == .plantAdd && change.counts.count == 3)
  }

  @Test func `it comes back from the journal when the catalog is lost`() async throws {
    let things = try await ChangedLibrary()
    let path = things.fixture.library.path
    try things.fixture.library.change("everything at once") { library in
      for call in WritingCall.all { try call.run(library, things) }
    }
    let before = try things.dump()
    try things.fixture.library.close()
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + "/catalog.sqlite" + ending)
    }
    let report = try CatalogRescue(at: path).run()
    #expect(report.losses.isEmpty)
    #expect(try things.dump().changes(since: before) == [])
  }

  @Test func `it is in a backup, and comes with the changes of another copy`() async throws {
    let copies = try await DivergedCopies()
    try change(copies.there)
    let backup = copies.base.folder.file("backup")
    _ = try Backup(copies.there).run(BackupRequest(path: backup)) { _ in }
    let kept = try Library.open(at: backup, for: .reading)
    try check(kept)
    try kept.close()
    let survey = try copies.bringOver()
    #expect(!survey.isEmpty)
    #expect(try copies.here.plants.find(matching: "palm").photoCount == 1)
    #expect(try copies.here.diary.mood(on: "2025-03-01".day) != nil)
  }

  @Test func `a replica follows it as one commit`() async throws {
    let fixture = try ObjectLibraryFixture(.memory)
    _ = try await fixture.importPhotos()
    let replica = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
    ).replica
    try change(fixture.library)
    #expect(try replica.update().commitCount == 1)
    #expect(try fixture.rows("replica") == fixture.rows())
    let read = try Library.open(
      at: fixture.folder.file("replica"), for: .reading, keys: fixture.keys)
    try check(read)
    try read.snapshot { try check($0) }
  }
}

/// Reads of one state, whatever others write meanwhile.
@Suite struct SnapshotReadingTests {
  @Test(arguments: [Library.Access.reading, .writing, .writingSerially])
  func `all reads of a snapshot see the same state`(access: Library.Access) throws {
    let fixture = try LibraryFixture()
    _ = try fixture.library.plants.add(PlantDetails(name: "fern"))
    let library = try Library.open(at: fixture.library.path, for: access)
    defer { try? library.close() }
    try library.snapshot { snapshot in
      let before = try snapshot.plants.all().map(\.name)
      _ = try fixture.library.plants.add(PlantDetails(name: "moss"))
      #expect(try snapshot.plants.all().map(\.name) == before && before == ["fern"])
      #expect(try snapshot.history.page(limit: 9).changes.count == 1)
      #expect(try snapshot.snapshot { try $0.plants.all().count } == 1)
    }
    #expect(try library.plants.all().map(\.name) == ["fern", "moss"])
  }

  @Test func `nothing can be written in a snapshot`() async throws {
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    let before = try (things.dump(), library.history.lastCommit())
    try library.snapshot { snapshot in
      let calls =
        WritingCall.all.map { ($0.name, $0.body) } + CommitOfItsOwn.all.map { ($0.name, $0.run) }
      for (name, call) in calls {
        let error = #expect(throws: LeaflogError.self, "\(name)") {
          _ = try call(snapshot, things)
        }
        #expect(error?.code == .invalidRequest, "\(name): \(error?.message ?? "")")
      }
      #expect(throws: LeaflogError.self) { try snapshot.change("no") { _ in } }
    }
    #expect(try things.dump() == before.0 && library.history.lastCommit() == before.1)
  }
}

/// Calls that a change or a snapshot refuses, instead of ending the process.
@Suite struct TransactionRefusalTests {
  @Test func `calls with commits of their own are refused in a change`() async throws {
    let things = try await ChangedLibrary()
    let library = things.fixture.library
    try library.change("a mood, and nothing else") { library in
      for call in CommitOfItsOwn.all {
        let error = #expect(throws: LeaflogError.self, "\(call.name)") {
          _ = try call.run(library, things)
        }
        #expect(error?.code == .invalidRequest, "\(call.name): \(error?.message ?? "")")
      }
      _ = try library.diary.setMood(.tired, on: "2025-01-07".day)
    }
    #expect(try library.diary.mood(on: "2025-01-07".day) != nil)
  }

  @Test(arguments: [Library.Access.reading, .writing, .writingSerially])
  func `the library outside is refused in a snapshot and in a change`(
    access: Library.Access
  ) throws {
    let fixture = try LibraryFixture()
    _ = try fixture.library.plants.add(PlantDetails(name: "fern"))
    let library = try Library.open(at: fixture.library.path, for: access)
    defer { try? library.close() }
    let calls: [() throws -> Void] = [
      { _ = try library.plants.all() },
      { _ = try library.diary.setMood(.sad, on: library.today) },
      { _ = try library.timeline.tally(TimelineQuery()) },
      { try library.snapshot { _ in } },
      { try library.change("no") { _ in } },
      { _ = try library.store.takeSnapshot() },
      { _ = try library.history.page(limit: 1, findsBlockers: true) },
      { try library.close() },
    ]
    func refuseOthers() {
      for call in calls {
        let error = #expect(throws: LeaflogError.self) { try call() }
        #expect(error?.code == .invalidRequest || access == .reading && error?.code == .readOnly)
      }
    }
    try library.snapshot { (snapshot) throws in
      refuseOthers()
      #expect(try snapshot.plants.all().count == 1)
    }
    guard access.allowsWriting else { return }
    try library.change("moss") { changed in
      refuseOthers()
      _ = try changed.plants.add(PlantDetails(name: "moss"))
    }
    #expect(try library.plants.all().count == 2)
  }

  @Test(arguments: [Library.Access.reading, .writing, .writingSerially])
  func `a function that receives an export may read, and write nothing`(
    access: Library.Access
  ) throws {
    let fixture = try LibraryFixture()
    _ = try fixture.library.plants.add(PlantDetails(name: "fern"))
    let library = try Library.open(at: fixture.library.path, for: access)
    defer { try? library.close() }
    let count = Mutex(0)
    _ = try DiaryExporter(library).writeCSV(
      .symptom, to: nil,
      into: .stream { _ in
        let plants = try library.plants.all()
        count.withLock { $0 = plants.count }
        #expect(throws: LeaflogError.self) {
          _ = try library.diary.setMood(.happy, on: library.today)
        }
      })
    #expect(count.withLock { $0 } == 1)
  }

  @Test(arguments: [Library.Access.writing, .writingSerially])
  func `a call that writes in the closure of another is refused, and the other goes on`(
    access: Library.Access
  ) throws {
    let fixture = try LibraryFixture()
    let library = try Library.open(at: fixture.library.path, for: access)
    defer { try? library.close() }
    let fern = try library.plants.add(PlantDetails(name: "fern"))
    func edit(_ library: Library, outer: Library) throws {
      _ = try library.plants.edit(fern.id) { (details) throws in
        for refused in [library, outer] {
          let error = #expect(throws: LeaflogError.self) {
            _ = try refused.diary.setMood(.happy, on: library.today)
          }
          #expect(error?.code == .invalidRequest)
        }
        #expect(throws: LeaflogError.self) { try outer.change("no") { _ in } }
        #expect(throws: LeaflogError.self) { _ = try outer.tokens.add("phone") }
        #expect(throws: LeaflogError.self) { try outer.close() }
        #expect(try library.plants.find(matching: "fern").id == fern.id)
        details.location = "balcony"
      }
      #expect(try library.plants.find(matching: "fern").details.location == "balcony")
    }
    try edit(library, outer: library)
    try library.change("an edit") { try edit($0, outer: library) }
    #expect(try library.timeline.page(limit: 1).elements.isEmpty)
  }

  @Test func `a library of a change or a snapshot is refused afterwards and elsewhere`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let refused: @Sendable (Library) -> Void = { kept in
      for call in [
        { _ = try kept.plants.all() }, { _ = try kept.diary.setMood(.sad, on: kept.today) },
      ]
        as [() throws -> Void]
      {
        let error = #expect(throws: LeaflogError.self) { try call() }
        #expect(error?.code == .closed)
      }
    }
    let kept = try library.change("kept") { changed -> Library in
      let ended = DispatchSemaphore(value: 0)
      let elsewhere = Thread {
        refused(changed)
        ended.signal()
      }
      elsewhere.start()
      ended.wait()
      _ = try changed.diary.setMood(.happy, on: changed.today)
      return changed
    }
    refused(kept)
    refused(try library.snapshot { $0 })
    let error = #expect(throws: LeaflogError.self) { try kept.close() }
    #expect(error?.code == .closed)
    await #expect(throws: LeaflogError.self) { try await kept.read { try $0.plants.all() } }
    // The library itself goes on.
    #expect(try library.timeline.page(limit: 9).elements.count == 1)
    try library.close()
  }
}
