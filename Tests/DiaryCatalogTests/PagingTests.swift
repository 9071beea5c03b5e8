import DiaryCatalog
import DiaryModel
import Foundation
import TestSupport
import Testing

@Suite struct PagingTests {
  /// 10 000 entries of which half share one timestamp.
  private static func tenThousand() throws -> CatalogFixture {
    let fixture = try CatalogFixture()
    try fixture.catalog.add(
      (0..<10_000).map { madePhoto($0, at: $0.isMultiple(of: 2) ? 1_700_000_000_000 : nil) })
    return fixture
  }

  /// Follows cursors one way to the end.
  private func walk(
    _ catalog: Catalog, _ query: TimelineQuery, from position: TimelinePosition, limit: Int,
    _ way: (Page<Entry>) -> Cursor?, between: () throws -> Void = {}
  ) throws -> [[Entry]] {
    var pages: [[Entry]] = []
    var position = position
    while true {
      let page = try catalog.page(query, at: position, limit: limit)
      pages.append(page.elements)
      guard let next = way(page) else { return pages }
      try between()
      position = .cursor(next)
    }
  }

  @Test func `walking all pages there and back gives every entry once`() throws {
    let fixture = try Self.tenThousand()
    for order in [TimelineQuery.Order.newestFirst, .oldestFirst] {
      for limit in [7, 50, 1000] { try expectOnce(fixture.catalog, order, limit) }
    }
  }

  private func expectOnce(
    _ catalog: Catalog, _ order: TimelineQuery.Order, _ limit: Int
  ) throws {
    let comment: Comment = "\(order), \(limit) a page"
    let query = TimelineQuery(order: order)
    let forward = try walk(catalog, query, from: .start, limit: limit) { $0.next }
    let ids = forward.flatMap { $0 }.map(\.id)
    #expect(ids.count == 10_000, comment)
    #expect(Set(ids).count == 10_000, comment)
    let keys = forward.flatMap { $0 }.map { ($0.time.instant, $0.sequence) }
    #expect(
      zip(keys, keys.dropFirst()).allSatisfy { order == .newestFirst ? $0 > $1 : $0 < $1 }, comment)

    let end = try #require(forward.last?.last)
    let last = end.cursor(heading: order == .newestFirst ? .newer : .older)
    let back = try walk(catalog, query, from: .cursor(last), limit: limit) { $0.previous }
    #expect(back.reversed().flatMap { $0 }.map(\.id) == ids.dropLast(), comment)
  }

  @Test func `the ids between two entries are those of the walk between them`() throws {
    let catalog = try Self.tenThousand().catalog
    for order in [TimelineQuery.Order.newestFirst, .oldestFirst] {
      let query = TimelineQuery(order: order)
      let all = try catalog.read { try $0.timeline.ids(query) }
      #expect(
        try all == walk(catalog, query, from: .start, limit: 1000) { $0.next }.joined().map(\.id))
      for (first, last) in [(0, 9_999), (3, 3), (17, 6_200), (4_990, 5_010)] {
        let between = Array(all[first...last])
        for ends in [(all[first], all[last]), (all[last], all[first])] {
          #expect(try catalog.read { try $0.timeline.ids(query, between: ends) } == between)
        }
      }
      // An end that went into the trash is still a place.
      _ = try catalog.change(.photoDelete, now: Timestamp(milliseconds: 1)) { tables, now in
        try tables.entries.apply([EntryEdit(all[20], isDeleted: true)], now: now)
      }
      let found = try catalog.read { tables in
        (
          try tables.timeline.ids(query, between: (all[20], all[25])),
          try tables.timeline.kinds(of: [all[20], all[21], EntryID(stored: "none")])
        )
      }
      #expect(found.0 == Array(all[21...25]))
      #expect(found.1 == [all[21]: .photo])
      _ = try catalog.change(.photoRestore, now: Timestamp(milliseconds: 2)) { tables, now in
        try tables.entries.apply([EntryEdit(all[20], isDeleted: false)], now: now)
      }
    }
    #expect(throws: CatalogError.self) {
      try catalog.read {
        try $0.timeline.ids(
          TimelineQuery(), between: (EntryID(stored: "none"), EntryID(stored: "none")))
      }
    }
  }

  @Test func `an import that runs meanwhile makes nothing appear twice or not at all`() throws {
    let catalog = try Self.tenThousand().catalog
    let before = Set(
      try walk(catalog, TimelineQuery(), from: .start, limit: 1000) { $0.next }
        .flatMap { $0 }.map(\.id))
    var number = 10_000
    for way in [\Page<Entry>.next, \.previous] {
      let forward = way == \.next
      let oldest = try catalog.page(TimelineQuery(order: .oldestFirst), at: .start, limit: 1)
      let start = try #require(oldest.elements.first).cursor(heading: .newer)
      let pages = try walk(
        catalog, TimelineQuery(), from: forward ? .start : .cursor(start), limit: 97,
        { $0[keyPath: way] },
        between: {
          // Before, among and after what is there.
          try catalog.add(
            (0..<5).map { _ in
              number += 1
              return madePhoto(
                number, at: [1_600_000_000_000, 1_700_000_000_000, nil][number % 3])
            })
        })
      let seen = pages.flatMap { $0 }.map(\.id)
      #expect(Set(seen).count == seen.count)
      let missing = before.subtracting(seen).subtracting(forward ? [] : [oldest.elements[0].id])
      #expect(missing.isEmpty)
    }
  }

  @Test func `cursors are null at the ends and nowhere else`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<10).map { madePhoto($0) })
    let first = try catalog.page(TimelineQuery(), at: .start, limit: 5)
    #expect(first.previous == nil)
    let second = try catalog.page(
      TimelineQuery(), at: .cursor(try #require(first.next)), limit: 5)
    #expect(second.next == nil)
    let back = try catalog.page(
      TimelineQuery(), at: .cursor(try #require(second.previous)), limit: 5)
    #expect(back.elements == first.elements)
    #expect(back.previous == nil)
    #expect(back.next == first.next)
    #expect(try CatalogFixture().catalog.page(TimelineQuery(), at: .start, limit: 5).next == nil)
  }

  /// 400 entries whose order by moment is not that by day: their offsets differ by more than a day.
  private static func travels() throws -> CatalogFixture {
    let fixture = try CatalogFixture()
    let offsets = try ["-12:00", "+02:00", "+14:00"].map { try #require(UTCOffset($0)) }
    _ = try fixture.catalog.change(.symptomAdd, now: now) { tables, now in
      let drafts = try (0..<400).map { number in
        let day = LocalDay(dayNumber: 20_000 + number * 7 % 40)
        let wall = LocalDateTime(startOf: day).advanced(byMilliseconds: number * 61_000)
        let recorded: RecordedTime =
          number % 10 == 0 ? .day(day) : .zoned(wall, offsets[number % 3])
        return EntryDraft(
          time: EntryTime(recorded, in: .gmt), tags: number % 4 == 0 ? ["x"] : [],
          content: .symptom(Symptom(name: "cough", severity: try Severity(2))))
      }
      return try tables.entries.add(drafts, now: now)
    }
    return fixture
  }

  @Test(arguments: [TimelineQuery.Order.newestFirst, .oldestFirst], [3, 50])
  func `each day comes once, on all pages, there and back`(
    order: TimelineQuery.Order, limit: Int
  ) throws {
    let catalog = try Self.travels().catalog
    for tags in [[], ["x"]] {
      for query in [
        TimelineQuery(tags: tags, order: order),
        TimelineQuery(kinds: [.symptom, .mood], tags: tags, order: order),
      ] {
        let forward = try walk(catalog, query, from: .start, limit: limit) { $0.next }
          .flatMap { $0 }
        #expect(forward.count == (tags.isEmpty ? 400 : 100))
        let keys = forward.map { ($0.time.place.day, $0.time.place.moment, $0.sequence) }
        #expect(
          zip(keys, keys.dropFirst()).allSatisfy { order == .newestFirst ? $0 > $1 : $0 < $1 })
        let last = try #require(forward.last)
          .cursor(heading: order == .newestFirst ? .newer : .older)
        let back = try walk(catalog, query, from: .cursor(last), limit: limit) { $0.previous }
        #expect(back.reversed().flatMap { $0 }.map(\.id) == forward.dropLast().map(\.id))
      }
    }
    let day = LocalDay(dayNumber: 20_007)
    let one = try catalog.page(
      TimelineQuery(firstDay: day, lastDay: day, order: order), at: .start, limit: 1000
    ).elements
    #expect(one.count == 10 && one.allSatisfy { $0.time.localDay == day })
    let buckets = try catalog.buckets(TimelineQuery(order: order), by: .day)
    #expect(buckets.count == 40 && buckets.allSatisfy { $0.count == 10 })
  }

  @Test func `the order does not depend on the zone, nor does a page that is continued`() throws {
    let catalog = try Self.travels().catalog
    let all = try catalog.page(TimelineQuery(), at: .start, limit: 1000).elements
    let first = try catalog.page(TimelineQuery(), at: .start, limit: 150)
    for zone in ["Etc/GMT+12", "Pacific/Kiritimati", "Europe/Berlin"] {
      try catalog.change(.settings, now: now) { tables, _ in
        try tables.settings.setTimeZone(try #require(TimeZone(identifier: zone)))
      }
      #expect(try catalog.page(TimelineQuery(), at: .start, limit: 1000).elements == all)
      let next = try catalog.page(
        TimelineQuery(), at: .cursor(try #require(first.next)), limit: 1000)
      #expect(first.elements + next.elements == all)
    }
  }

  @Test func `a page around a place has it in its middle`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<100).map { madePhoto($0) })
    let moment = Timestamp(milliseconds: 1_700_000_000_000 + 50 * 60_000)
    func place(_ moment: Timestamp) -> Cursor {
      .time(EntryTime(.instant(moment), in: .gmt), heading: .older)
    }
    let page = try catalog.page(
      TimelineQuery(), at: .around(place(moment)), limit: 10)
    #expect(page.elements.count == 10)
    #expect(page.elements[4].time.instant == moment)
    #expect(page.next != nil && page.previous != nil)
    let edge = try catalog.page(
      TimelineQuery(), at: .around(place(Timestamp(milliseconds: 0))), limit: 10)
    #expect(edge.next == nil)
    #expect(edge.elements.last?.time.instant.milliseconds == 1_700_000_000_000)
  }

  @Test(arguments: [TimelineQuery.Order.newestFirst, .oldestFirst])
  func `a page around an entry has the entry in its middle`(order: TimelineQuery.Order) throws {
    let catalog = try CatalogFixture().catalog
    // Half of them share one time.
    try catalog.add((0..<60).map { madePhoto($0, at: $0 < 30 ? 1_700_000_000_000 : nil) })
    let all = try catalog.page(TimelineQuery(order: order), at: .start, limit: 60).elements
    for index in [0, 1, 29, 30, 45, 59] {
      for heading in [Cursor.Heading.older, .newer] {
        let page = try catalog.page(
          TimelineQuery(order: order), at: .around(all[index].cursor(heading: heading)), limit: 6)
        let first = max(0, index - 3)
        #expect(page.elements.map(\.id) == all[first..<min(60, first + 6)].map(\.id))
      }
    }
  }

  @Test(arguments: [TimelineQuery.Order.newestFirst, .oldestFirst])
  func `pages that a time begins, and what is left of deleted ones, end where entries end`(
    order: TimelineQuery.Order
  ) throws {
    let catalog = try CatalogFixture().catalog
    let added = try catalog.add((0..<6).map { madePhoto($0) })
    func page(_ position: TimelinePosition, _ limit: Int = 50) throws -> Page<Entry> {
      try catalog.page(TimelineQuery(order: order), at: position, limit: limit)
    }
    for (day, heading) in [("1900-01-01", Cursor.Heading.newer), ("2999-01-01", .older)] {
      let time = EntryTime(.day(try #require(LocalDay(day))), in: .gmt)
      let whole = try page(.cursor(.time(time, heading: heading)))
      #expect(whole.elements.count == 6 && whole.next == nil && whole.previous == nil)
      let none = try page(.cursor(.time(time, heading: heading.reversed)))
      #expect(none.elements.isEmpty)
      #expect((none.next == nil) != (none.previous == nil))
    }
    let middle = try page(.start).elements[3].cursor(heading: .older)
    let single = try page(.around(middle), 1)
    #expect(single.elements.count == 1 && single.next != nil && single.previous != nil)
    let before = try #require(single.previous)
    #expect(try page(.cursor(before), 1).elements == [try page(.start).elements[2]])
    let next = try #require(try page(.start, 2).next)
    let first = try page(.start, 2).elements.map { EntryEdit($0.id, isDeleted: true) }
    _ = try catalog.apply(first, as: .photoDelete, now: now)
    #expect(added.count == 6)
    let rest = try page(.cursor(next), 2)
    #expect(rest.previous == nil && rest.elements.count == 2)
    // Where everything after a cursor is gone, the way back begins with the entry that it came from.
    let last = try page(.start, 3)
    let end = try #require(last.next)
    let gone = try page(.cursor(end)).elements.map { EntryEdit($0.id, isDeleted: true) }
    _ = try catalog.apply(gone, as: .photoDelete, now: now)
    let empty = try page(.cursor(end))
    #expect(empty.elements.isEmpty && empty.next == nil)
    #expect(try page(.cursor(try #require(empty.previous))).elements == last.elements)
  }

  @Test func `a cursor whose last digit has other spare bits is none`() throws {
    let cursor = try #require(Cursor("00000ks3000035we5ksm0000000000001m"))
    #expect(cursor.description == "00000ks3000035we5ksm0000000000001m")
    for last in "npq" { #expect(Cursor("00000ks3000035we5ksm0000000000001\(last)") == nil) }
  }

  @Test func `plants, kinds and days filter`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add(
      (0..<100).map { madePhoto($0, at: Int64($0) * 43_200_000, plant: $0 % 4 == 0 ? "fern" : nil) }
    )
    let fern = try catalog.plant("fern").id
    func count(_ query: TimelineQuery) throws -> Int {
      try catalog.page(query, at: .start, limit: 1000).elements.count
    }
    #expect(try count(TimelineQuery(plant: fern)) == 25)
    #expect(try count(TimelineQuery(kinds: [.photo])) == 100)
    #expect(try count(TimelineQuery(kinds: [.photo, .mood])) == 100)
    #expect(try count(TimelineQuery(kinds: [.symptom])) == 0)
    #expect(try count(TimelineQuery(plant: fern, kinds: [.photo])) == 25)
    #expect(try count(TimelineQuery(plant: .random())) == 0)
    let day = LocalDay(dayNumber: 10)
    #expect(try count(TimelineQuery(firstDay: day, lastDay: day)) == 2)
    #expect(try count(TimelineQuery(firstDay: day)) == 80)
    #expect(try count(TimelineQuery(lastDay: day)) == 22)
  }

  @Test func `an entry says how many days its plant has grown since its first photo`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add([0, 1, 41].map { madePhoto($0, at: Int64($0) * 86_400_000) })
    try catalog.add([madePhoto(99, plant: nil)])
    let plant = try catalog.read { try $0.plants.named("monstera") }.id
    // Something about the plant before its first photo is no day of its growth.
    let drafts = [-3, 20].map {
      EntryDraft(
        time: EntryTime(.day(LocalDay(dayNumber: $0)), in: .gmt), plant: plant,
        content: .mood(.happy))
    }
    try catalog.change(.moodSet, now: now) { tables, now in
      _ = try tables.entries.add(drafts, now: now)
    }
    let page = try catalog.page(TimelineQuery(order: .oldestFirst), at: .start, limit: 9)
    #expect(page.elements.map(\.plantDay) == [nil, 1, 2, 21, 42, nil])
  }

  @Test func `an import finds the photos of a moment by the timeline's index`() throws {
    let steps = try CatalogFixture().plan(of: PhotoTable.sameMoment)
    #expect(steps.first == "SEARCH e USING INDEX entryByTime (localDay=? AND occurredAt=?)")
    #expect(steps.allSatisfy { $0.hasPrefix("SEARCH") })
  }

  @Test(arguments: [
    (BucketUnit.day, ["1970-01-04", "1970-01-03", "1970-01-02", "1970-01-01"], [1, 2, 2, 2]),
    (.week, ["1970-W01"], [7]), (.month, ["1970-01"], [7]), (.year, ["1970"], [7]),
  ])
  func `buckets count`(unit: BucketUnit, names: [String], counts: [Int]) throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<7).map { madePhoto($0, at: Int64($0) * 43_200_000) })
    let buckets = try catalog.buckets(TimelineQuery(), by: unit)
    #expect(buckets.map(\.name) == names)
    #expect(buckets.map(\.count) == counts)
    #expect(
      try catalog.buckets(TimelineQuery(kinds: [.mood], order: .oldestFirst), by: unit).isEmpty)
  }
}
