import DiaryCatalog
import DiaryModel
import Foundation
import TestSupport
import Testing

/// Tags of entries of every kind, and favourites among photos.
@Suite struct TagTests {
  private static let contents: [EntryContent] = [
    .mood(.calm), .dailyLog(DailyLog()), .episode(Episode(type: .cold)),
    .quote(Quote(id: QuoteID(stored: "b7"), text: "Grow.", author: nil, source: nil, origin: .own)),
  ]

  private func time(_ day: String = "2026-03-01") throws -> EntryTime {
    EntryTime(.day(try #require(LocalDay(day))), in: .gmt)
  }

  private func tagged(_ id: EntryID, _ tags: [String]) -> EntryEdit {
    var edit = EntryEdit(id)
    edit.tags = { _ in tags }
    return edit
  }

  private func ids(
    _ catalog: Catalog, _ query: TimelineQuery, limit: Int = 1000
  ) throws -> [EntryID] {
    try catalog.page(query, at: .start, limit: limit).elements.map(\.id)
  }

  @Test(arguments: contents) func `tags are kept, changed and taken back with any content`(
    content: EntryContent
  ) throws {
    let fixture = try CatalogFixture()
    let path = fixture.folder.file("catalog.sqlite")
    let draft = EntryDraft(
      time: try time(), tags: [" Pain", "b", "pain", "", "c d"], content: content)
    let entry = try fixture.catalog.add([draft], as: .symptomAdd, now: now)[0]
    #expect(entry.tags == ["Pain", "b", "c d"])
    #expect(try fixture.catalog.page(TimelineQuery(), at: .start, limit: 1).elements == [entry])
    var states = [try dump(path)]
    for (kind, edit) in [
      (ChangeKind.tagAdd, tagged(entry.id, ["new"])),
      (.symptomDelete, EntryEdit(entry.id, isDeleted: true)),
      (.tagRemove, tagged(entry.id, [])), (.symptomRestore, EntryEdit(entry.id, isDeleted: false)),
    ] {
      #expect(try fixture.catalog.apply([edit], as: kind, now: now).count == 1)
      states.append(try dump(path))
    }
    #expect(try fixture.catalog.entry(entry.id.description, of: nil).tags == [])
    for kind in [ChangeKind.symptomRestore, .tagRemove, .symptomDelete, .tagAdd] {
      states.removeLast()
      #expect(try fixture.catalog.undo(kind) != nil)
      #expect(try dump(path) == states.last)
    }
    #expect(try fixture.catalog.entry(entry.id.description, of: nil).tags == ["Pain", "b", "c d"])
  }

  @Test func `a tag is one line of at most 100 characters`() throws {
    let catalog = try CatalogFixture().catalog
    for tag in ["two\nlines", String(repeating: "x", count: 101)] {
      #expect(throws: (any Error).self) {
        try catalog.add(
          [EntryDraft(time: time(), tags: [tag], content: .mood(.sad))], as: .moodSet, now: now)
      }
    }
    #expect(try catalog.tags().isEmpty)
  }

  @Test(arguments: [TimelineQuery.Order.newestFirst, .oldestFirst])
  func `pages of a tag have every entry of it once, and no other`(
    order: TimelineQuery.Order
  ) throws {
    let catalog = try CatalogFixture().catalog
    let photos = (0..<300).map { madePhoto($0, at: $0.isMultiple(of: 2) ? 1_700_000_000_000 : nil) }
    try catalog.add(photos)
    let chosen = photos.enumerated().filter { $0.offset % 3 == 0 }.map {
      EntryID(sourceDigest: $0.element.sourceDigest)
    }
    _ = try catalog.apply(chosen.map { tagged($0, ["Spring"]) }, as: .tagAdd, now: now)
    let all = try ids(catalog, TimelineQuery(order: order))
    let query = TimelineQuery(tags: ["SPRING"], order: order)
    var (position, seen, places) = (TimelinePosition.start, [EntryID](), [TimelinePosition]())
    while true {
      let page = try catalog.page(query, at: position, limit: 7)
      seen += page.elements.map(\.id)
      places.append(position)
      guard let next = page.next else { break }
      position = .cursor(next)
    }
    #expect(seen == all.filter(Set(chosen).contains))
    #expect(places.count == 15)
    #expect(
      try catalog.buckets(query, by: .year).map(\.count) == [100])
  }

  @Test func `a moved entry is found at its new place, one in the trash there`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<3).map { madePhoto($0) })
    let all = try ids(catalog, TimelineQuery())
    _ = try catalog.apply(all.map { tagged($0, ["x"]) }, as: .tagAdd, now: now)
    var later = EntryEdit(all[2])
    later.time = (try time("2030-01-01"), .manual)
    _ = try catalog.apply(
      [later, EntryEdit(all[1], isDeleted: true)], as: .photoEdit, now: now)
    #expect(try ids(catalog, TimelineQuery(tags: ["x"])) == [all[2], all[0]])
    #expect(try ids(catalog, TimelineQuery(tags: ["x"], deleted: true)) == [all[1]])
    #expect(try catalog.tags().map(\.count) == [2])
    #expect(try catalog.tags().map(\.lastDay) == [LocalDay("2030-01-01")])
  }

  @Test func `tags, plants, kinds, days and favourites filter together`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<8).map { madePhoto($0, plant: $0 < 4 ? "fern" : nil) })
    let all = try ids(catalog, TimelineQuery(order: .oldestFirst))
    let fern = try catalog.plant("fern").id
    _ = try catalog.apply(
      all.enumerated().map { tagged($1, $0 % 2 == 0 ? ["a", "b"] : ["a"]) }, as: .tagAdd, now: now)
    var marks = [EntryEdit(all[2]), EntryEdit(all[5])]
    for index in marks.indices { marks[index].isFavourite = true }
    _ = try catalog.apply(marks, as: .photoFavourite, now: now)
    _ = try catalog.add(
      [EntryDraft(time: time(), tags: ["a"], content: .mood(.sad))], as: .moodSet, now: now)
    func count(_ query: TimelineQuery) throws -> Int { try ids(catalog, query).count }
    #expect(try count(TimelineQuery(tags: ["a"])) == 9)
    #expect(try count(TimelineQuery(tags: ["a", "B"])) == 4)
    #expect(try count(TimelineQuery(tags: ["a", "c"])) == 0)
    #expect(try count(TimelineQuery(plant: fern, tags: ["b"])) == 2)
    #expect(try count(TimelineQuery(kinds: [.mood], tags: ["a"])) == 1)
    #expect(try count(TimelineQuery(kinds: [.mood, .photo], tags: ["a"])) == 9)
    #expect(try count(TimelineQuery(tags: ["a"], firstDay: LocalDay("2026-03-01"))) == 1)
    #expect(try ids(catalog, TimelineQuery(isFavourite: true)) == [all[5], all[2]])
    #expect(try ids(catalog, TimelineQuery(tags: ["b"], isFavourite: true)) == [all[2]])
    #expect(try ids(catalog, TimelineQuery(plant: fern, isFavourite: true)) == [all[2]])
    #expect(try count(TimelineQuery(kinds: [.mood], isFavourite: true)) == 0)
    #expect(try count(TimelineQuery(isFavourite: true, deleted: true)) == 0)
  }

  @Test func `favourites are marked and unmarked, and each is taken back`() throws {
    let fixture = try CatalogFixture()
    let path = fixture.folder.file("catalog.sqlite")
    try fixture.catalog.add([madePhoto(1)])
    let id = try ids(fixture.catalog, TimelineQuery())[0]
    var states = [try dump(path)]
    for (kind, value) in [(ChangeKind.photoFavourite, true), (.photoUnfavourite, false)] {
      var edit = EntryEdit(id)
      edit.isFavourite = value
      let changed = try fixture.catalog.apply([edit], as: kind, now: now)
      #expect(changed.map { $0.photo?.isFavourite } == [value])
      #expect(try fixture.catalog.apply([edit], as: kind, now: now).isEmpty)
      states.append(try dump(path))
    }
    for kind in [ChangeKind.photoUnfavourite, .photoFavourite] {
      states.removeLast()
      #expect(try fixture.catalog.undo(kind) != nil)
      #expect(try dump(path) == states.last)
    }
  }

  @Test func `a tag is renamed on all of its entries, and two become one`() throws {
    let fixture = try CatalogFixture()
    let (catalog, path) = (fixture.catalog, fixture.folder.file("catalog.sqlite"))
    try catalog.add((0..<3).map { madePhoto($0) })
    let all = try ids(catalog, TimelineQuery())
    _ = try catalog.apply(
      [tagged(all[0], ["a", "B"]), tagged(all[1], ["b", "c"]), tagged(all[2], ["c"])],
      as: .tagAdd, now: now)
    let before = try dump(path)
    #expect(
      try catalog.change(.tagRename, now: now) { try $0.tags.rename("b", to: "A", now: $1) } == 2)
    #expect(try catalog.entry(all[0].description, of: nil).tags == ["a"])
    #expect(try catalog.entry(all[1].description, of: nil).tags == ["A", "c"])
    #expect(try catalog.tags().map(\.count) == [2, 2])
    #expect(
      try catalog.change(.tagRename, now: now) { try $0.tags.rename("b", to: "A", now: $1) } == nil)
    #expect(try catalog.undo(.tagRename) == 2)
    #expect(try dump(path) == before)
  }

  @Test func `search finds tags, among the entries that a query asks for`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<4).map { madePhoto($0, plant: $0 < 2 ? "fern" : "moss") })
    let all = try ids(catalog, TimelineQuery(order: .oldestFirst))
    _ = try catalog.apply(
      [tagged(all[0], ["first frond"]), tagged(all[2], ["Frönde", "x"])], as: .tagAdd, now: now)
    func found(_ text: String, _ query: TimelineQuery = TimelineQuery()) throws -> [EntryID] {
      try catalog.search(SearchText(text), query, at: .start, limit: 9).elements.map(\.id)
    }
    #expect(try found("frond") == [all[2], all[0]])
    #expect(try found("\"first frond\"") == [all[0]])
    #expect(try found("frond", TimelineQuery(tags: ["X"])) == [all[2]])
    #expect(try found("frond", TimelineQuery(plant: catalog.plant("fern").id)) == [all[0]])
    #expect(try found("frond", TimelineQuery(kinds: [.mood])) == [])
    #expect(try found("frond", TimelineQuery(isFavourite: true)) == [])
    #expect(try found("frond", TimelineQuery(order: .oldestFirst)) == [all[0], all[2]])
    _ = try catalog.apply([tagged(all[0], [])], as: .tagRemove, now: now)
    #expect(try found("frond") == [all[2]])
  }
}
