import DiaryCatalog
import DiaryModel
import Foundation
import TestSupport
import Testing

/// The contents of entries of the other kinds are kept, changed, deleted and restored exactly.
@Suite struct DiaryChangeTests {
  private static let contents: [EntryContent] = {
    var log = DailyLog()
    (log.sleepHours, log.stress, log.sugar, log.officeDay) = (7.25, 2, .medium, true)
    guard let severity = try? Severity(2.33, label: "clear") else {
      preconditionFailure("2.33 is a severity")
    }
    return [
      .symptom(
        Symptom(name: "headache", severity: severity, medications: ["tea"])),
      .dailyLog(log), .mood(.grateful),
      .episode(
        Episode(
          endDay: LocalDay("2026-03-08"), type: .cold, symptoms: [.cough, .soreThroat], severity: 3,
          mucus: .yellow, worstTime: .allDay, medications: ["honey"], doctorVisit: "Dr. Moss",
          testResult: "negative")),
      .quote(
        Quote(
          id: QuoteID(stored: "b7"), text: "Grow.", author: "A", source: "W", origin: .bundled)),
    ]
  }()

  /// The contents that replace each of those above later.
  private func other(than content: EntryContent) throws -> EntryContent {
    switch content {
    case .symptom:
      .symptom(Symptom(name: "cough", severity: try Severity(5), medications: ["x", "y", "z"]))
    case .dailyLog: .dailyLog(DailyLog())
    case .mood: .mood(.sad)
    case .episode: .episode(Episode(type: .fever))
    case .photo, .quote, .completion: content  // a favourite stays what it is
    }
  }

  private func time(_ day: String = "2026-03-01") throws -> EntryTime {
    EntryTime(.day(try #require(LocalDay(day))), in: .gmt)
  }

  private func add(_ content: EntryContent, _ catalog: Catalog) throws -> Entry {
    let draft = EntryDraft(time: try time(), notes: "before", content: content)
    return try catalog.add([draft], as: .symptomAdd, now: now)[0]
  }

  @Test(arguments: contents) func `content is read as it was written`(content: EntryContent) throws
  {
    let fixture = try CatalogFixture()
    let entry = try add(content, fixture.catalog)
    #expect(entry.content == content)
    #expect(entry.time.recorded == .day(try #require(LocalDay("2026-03-01"))))
    let page = try fixture.catalog.page(TimelineQuery(), at: .start, limit: 5)
    #expect(page.elements == [entry])
  }

  @Test(arguments: contents) func `making an entry is taken back`(content: EntryContent) throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.write { try $0.settings.set([.policy: "exact"]) }
    let path = fixture.folder.file("catalog.sqlite")
    let before = try dump(path)
    _ = try add(content, fixture.catalog)
    #expect(try dump(path) != before)
    #expect(try fixture.catalog.undo(.symptomAdd) != nil)
    #expect(try dump(path) == before)
  }

  @Test(arguments: contents) func `changing, deleting and restoring are taken back`(
    content: EntryContent
  ) throws {
    let fixture = try CatalogFixture()
    let path = fixture.folder.file("catalog.sqlite")
    let entry = try add(content, fixture.catalog)
    var states = [try dump(path)]
    var change = EntryEdit(entry.id)
    let later = try other(than: content)
    change.content = { _ in later }
    change.notes = "after"
    change.time = (try time("2026-04-01"), .manual)
    for (kind, edit) in [
      (ChangeKind.symptomEdit, change), (.symptomDelete, EntryEdit(entry.id, isDeleted: true)),
      (.symptomRestore, EntryEdit(entry.id, isDeleted: false)),
    ] {
      #expect(try fixture.catalog.apply([edit], as: kind, now: now).count == 1)
      states.append(try dump(path))
    }
    for kind in [ChangeKind.symptomRestore, .symptomDelete, .symptomEdit] {
      states.removeLast()
      #expect(try fixture.catalog.undo(kind) != nil)
      #expect(try dump(path) == states.last)
    }
  }

  @Test func `an entry that was changed since it was made stays`() throws {
    let fixture = try CatalogFixture()
    let entry = try add(Self.contents[0], fixture.catalog)
    var edit = EntryEdit(entry.id)
    edit.notes = "later"
    _ = try fixture.catalog.apply([edit], as: .symptomEdit, now: now)
    let error = #expect(throws: CatalogError.self) { try fixture.catalog.undo(.symptomAdd) }
    #expect(error?.code == .conflict)
    #expect(error?.remedy == .undoFirst(change: 2))
  }

  @Test func `a change that changes nothing is none`() throws {
    let fixture = try CatalogFixture()
    let entry = try add(Self.contents[0], fixture.catalog)
    var edit = EntryEdit(entry.id)
    edit.content = { $0 }
    edit.notes = entry.notes
    #expect(try fixture.catalog.apply([edit], as: .symptomEdit, now: now).isEmpty)
    #expect(try fixture.catalog.undo(.symptomEdit) == nil)
  }

  @Test func `a day has one log and one mood, and as many symptoms as it likes`() throws {
    let fixture = try CatalogFixture()
    for content in Self.contents {
      let first = try add(content, fixture.catalog)
      switch content.kind {
      case .dailyLog, .mood:
        let error = #expect(throws: CatalogError.self) { try add(content, fixture.catalog) }
        #expect(error?.code == .conflict)
        // One in the trash is no blocker, and cannot come back while another is there.
        let gone = EntryEdit(first.id, isDeleted: true)
        _ = try fixture.catalog.apply([gone], as: .logDelete, now: now)
        _ = try add(content, fixture.catalog)
        let back = EntryEdit(first.id, isDeleted: false)
        let conflict = #expect(throws: CatalogError.self) {
          try fixture.catalog.apply([back], as: .logRestore, now: now)
        }
        #expect(conflict?.code == .conflict)
      default: _ = try add(content, fixture.catalog)
      }
    }
  }

  @Test(arguments: [
    ("headache", EntryKind.symptom), ("tea", .symptom), ("clear", .symptom), ("honey", .episode),
    ("sore throat", .episode), ("moss", .episode), ("grateful", .mood),
  ])
  func `search finds what a kind says`(word: String, kind: EntryKind) throws {
    let fixture = try CatalogFixture()
    for content in Self.contents { _ = try add(content, fixture.catalog) }
    let found = try fixture.catalog.search(SearchText(word), at: .start, limit: 9).elements
    #expect(found.map(\.kind) == [kind])
    var edit = EntryEdit(found[0].id)
    let later = try other(than: found[0].content)
    edit.content = { _ in later }
    _ = try fixture.catalog.apply([edit], as: .symptomEdit, now: now)
    #expect(try fixture.catalog.search(SearchText(word), at: .start, limit: 9).elements.isEmpty)
    _ = try fixture.catalog.undo(.symptomEdit)
    #expect(try fixture.catalog.search(SearchText(word), at: .start, limit: 9).elements.count == 1)
  }

  @Test func `search finds the words of a favourite quote`() throws {
    let fixture = try CatalogFixture()
    for content in Self.contents { _ = try add(content, fixture.catalog) }
    let found = try fixture.catalog.search(SearchText("grow"), at: .start, limit: 9).elements
    #expect(found.map(\.kind) == [.quote])
  }

  @Test func `the catalog itself refuses what is out of range`() throws {
    let fixture = try CatalogFixture()
    var log = DailyLog()
    log.stress = 9
    let draft = EntryDraft(time: try time(), content: .dailyLog(log))
    let error = #expect(throws: CatalogError.self) {
      try fixture.catalog.add([draft], as: .logSet, now: now)
    }
    #expect(error?.code == .invalid)
    #expect(error?.message == "Stress must be 1 to 5, not 9.")
    #expect(try fixture.catalog.page(TimelineQuery(), at: .start, limit: 5).elements.isEmpty)
  }

  @Test func `a new zone places instants anew, and no others`() throws {
    let fixture = try CatalogFixture()
    let instant = RecordedTime.instant(Timestamp(milliseconds: 1_774_823_400_000))
    let times = [
      RecordedTime("2026-03-29"), RecordedTime("2026-03-29T02:30:00"),
      RecordedTime("2026-03-29T12:00:00+09:00"), instant,
    ].compactMap(\.self)
    for time in times {
      let draft = EntryDraft(time: EntryTime(time, in: .gmt), content: Self.contents[0])
      _ = try fixture.catalog.add([draft], as: .symptomAdd, now: now)
    }
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    try fixture.catalog.change(.settings, now: now) { tables, _ in
      try tables.settings.setTimeZone(berlin)
    }
    let entries = try fixture.catalog.read { try $0.entries.all(of: .symptom) }
    #expect(
      Set(entries.map(\.time))
        == Set(times.map { EntryTime($0, in: $0 == instant ? berlin : .gmt) }))
    // Half past ten in the evening is the next day in Berlin.
    #expect(entries.last?.time.localDay == LocalDay("2026-03-30"))
  }

  @Test func `completions move to another zone together, and back`() throws {
    let fixture = try CatalogFixture()
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let details = ActivityDetails(name: "water", startFrom: try #require(LocalDay("2026-03-01")))
    let activity = try fixture.catalog.addActivity(details, plant: nil, now: now)
    // Late in the evening of UTC: a day later in Berlin, all of them.
    for day in 1...3 {
      let time = try #require(RecordedTime("2026-03-0\(day)T23:30:00Z"))
      let moment = EntryTime(.instant(EntryTime(time, in: .gmt).instant), in: .gmt)
      let reference = ActivityReference(id: activity.id, name: "water", emoji: "✅")
      _ = try fixture.catalog.add(
        [
          EntryDraft(
            time: moment, content: .completion(Completion(activity: reference, source: "app")))
        ], as: .activityDone, now: now)
    }
    let entry = try add(Self.contents[0], fixture.catalog)
    var edit = EntryEdit(entry.id)
    let instant = RecordedTime.instant(Timestamp(milliseconds: 1_777_072_000_000))
    edit.time = (EntryTime(instant, in: .gmt), .manual)
    _ = try fixture.catalog.apply([edit], as: .symptomEdit, now: now)
    try fixture.catalog.change(.settings, now: now) { tables, _ in
      try tables.settings.setTimeZone(berlin)
    }
    #expect(
      try fixture.catalog.read { try $0.completions.days(of: activity.id) }.map(\.description)
        == ["2026-03-02", "2026-03-03", "2026-03-04"])
    // The zone has placed it anew since.
    let error = #expect(throws: CatalogError.self) { try fixture.catalog.undo(.symptomEdit) }
    #expect(error?.code == .conflict)
    let before = try dump(fixture.folder.file("catalog.sqlite"))
    let zone = try #require(try fixture.catalog.history(before: nil, limit: 1).changes.first)
    _ = try fixture.catalog.undo(zone.id) { _ in }
    #expect(
      try fixture.catalog.read { try $0.completions.days(of: activity.id) }.map(\.description)
        == ["2026-03-01", "2026-03-02", "2026-03-03"])
    _ = try fixture.catalog.redo(zone.id) { _ in }
    #expect(try dump(fixture.folder.file("catalog.sqlite")) == before)
    _ = try fixture.catalog.undo(zone.id) { _ in }
    _ = try fixture.catalog.undo(.symptomEdit)
    let back = try #require(try fixture.catalog.read { try $0.entries.all(of: .symptom) }.first)
    #expect(back.time == EntryTime(entry.time.recorded, in: .gmt))
  }
}
