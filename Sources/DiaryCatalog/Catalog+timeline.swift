package import DiaryModel
internal import GRDB

extension Catalog {
  /// A page of the timeline: a keyset query, so its cost does not depend on how deep it lies.
  package func page(
    _ query: TimelineQuery, at position: TimelinePosition, limit: Int
  ) throws -> Page<Entry> {
    try page(query, at: position, limit: limit, where: nil)
  }

  /// With a condition that the query does not know.
  func page(
    _ query: TimelineQuery, at position: TimelinePosition, limit: Int, where condition: String?,
    _ arguments: StatementArguments = []
  ) throws -> Page<Entry> {
    try read { database in
      try Self.page(at: position, query.order.heading, limit) { cursor, heading, count in
        // One index range for each kind asked for: a rare kind among a million photos is found at once.
        let kinds = query.kinds.sorted { $0.rawValue < $1.rawValue }
        let filters = (kinds.isEmpty ? [nil] : kinds.map(Optional.some)).map { kind in
          var filter = Filter(query, kind: kind)
          if let condition { filter.add(condition, arguments) }
          return filter
        }
        return try Self.fetch(filters, from: cursor, heading, count, database)
      }
    }
  }

  /// `fetch` gets a place, the way to go from it and how many entries to bring at the most.
  static func page(
    at position: TimelinePosition, _ reading: DiaryModel.Cursor.Heading, _ limit: Int,
    fetch: (DiaryModel.Cursor?, DiaryModel.Cursor.Heading, Int) throws -> [Entry]
  ) rethrows -> Page<Entry> {
    precondition(limit > 0)
    func run(
      from cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading, _ limit: Int
    ) throws -> Run {
      let found = try fetch(cursor, heading, limit + 1)
      return Run(entries: Array(found.prefix(limit)), hasMore: found.count > limit)
    }
    switch position {
    case .start:
      let run = try run(from: nil, reading, limit)
      return Page(elements: run.entries, next: run.last(reading), previous: nil)
    case .cursor(let cursor) where cursor.heading == reading:
      let run = try run(from: cursor, reading, limit)
      let first = run.entries.first?.cursor(heading: reading.reversed) ?? cursor.reversed
      return Page(elements: run.entries, next: run.last(reading), previous: first)
    case .cursor(let cursor):
      let run = try run(from: cursor, cursor.heading, limit)
      let entries = Array(run.entries.reversed())
      return Page(
        elements: entries, next: entries.last?.cursor(heading: reading) ?? cursor.reversed,
        previous: run.last(cursor.heading))
    case .around(let place):
      let back = place.facing(reading.reversed)
      let behind = try run(from: back, back.heading, limit / 2)
      let ahead = try run(from: place.facing(reading), reading, limit - behind.entries.count)
      return Page(
        elements: behind.entries.reversed() + ahead.entries, next: ahead.last(reading),
        previous: behind.last(back.heading))
    }
  }

  /// How many entries there are in each span, in the query's order.
  package func buckets(_ query: TimelineQuery, by unit: BucketUnit) throws -> [Bucket] {
    let filter = Filter(query, kind: nil)
    let kinds = query.kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let kindFilter = kinds.isEmpty ? "" : " AND e.kind IN (\(kinds))"
    let days = try readOnce { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT e.localDay, count(*) FROM entry e WHERE \(filter.sql)\(kindFilter)
          GROUP BY e.localDay ORDER BY e.localDay
          """, arguments: filter.arguments)
    }
    var buckets: [Bucket] = []
    for row in days {
      guard let day = LocalDay(row[0] as String) else { continue }
      let name = unit.bucketName(of: day)
      let before = buckets.last?.name == name ? buckets.removeLast().count : 0
      buckets.append(Bucket(name: name, count: before + row[1]))
    }
    return query.order == .newestFirst ? buckets.reversed() : buckets
  }

  /// Entries from a place on, at most `limit`, and whether there are more.
  private struct Run {
    let entries: [Entry]
    let hasMore: Bool

    func last(_ heading: DiaryModel.Cursor.Heading) -> DiaryModel.Cursor? {
      hasMore ? entries.last?.cursor(heading: heading) : nil
    }
  }

  private static func fetch(
    _ filters: [Filter], from cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading,
    _ limit: Int, _ database: Database
  ) throws -> [Entry] {
    var found = try filters.flatMap { try fetch($0, cursor, heading, limit, database) }
    if filters.count > 1 {
      found.sort { left, right in
        let ascending =
          (left.time.instant, left.sequence) < (right.time.instant, right.sequence)
        return ascending == (heading == .newer)
      }
    }
    return Array(found.prefix(limit))
  }

  private static func fetch(
    _ filter: Filter, _ cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading,
    _ limit: Int, _ database: Database
  ) throws -> [Entry] {
    let direction = heading == .older ? "DESC" : "ASC"
    var sql = EntrySelection.sql + " WHERE " + filter.sql
    var arguments = filter.arguments
    if let cursor {
      sql += " AND (e.occurredAt, e.seq) \(heading == .older ? "<" : ">") (?, ?)"
      arguments += [cursor.instant.milliseconds, cursor.sequence]
    }
    sql += " ORDER BY e.occurredAt \(direction), e.seq \(direction) LIMIT ?"
    arguments += [limit]
    return try database.entries(sql, arguments)
  }

  /// What a query asks for, as SQL.
  private struct Filter {
    var sql: String
    var arguments: StatementArguments = []

    mutating func add(_ condition: String, _ values: StatementArguments) {
      sql += " AND " + condition
      arguments += values
    }

    init(_ query: TimelineQuery, kind: EntryKind?) {
      sql = query.deleted ? "e.deletedAt IS NOT NULL" : "e.deletedAt IS NULL"
      if let plant = query.plant {
        sql += " AND e.plantID = (SELECT id FROM plant WHERE publicID = ?)"
        arguments += [plant.description]
      }
      if let kind {
        sql += query.plant == nil ? " AND e.kind = ?" : " AND +e.kind = ?"
        arguments += [kind.rawValue]
      }
      // A day's instants depend on each entry's offset: the instant bounds the index, the day decides.
      // The plus keeps the planner from walking the index by days.
      let slack: Int64 = 18 * 3_600_000
      let day: Int64 = 86_400_000
      if let first = query.firstDay {
        sql += " AND e.occurredAt >= ? AND +e.localDay >= ?"
        arguments += [Int64(first.dayNumber) * day - slack, first.description]
      }
      if let last = query.lastDay {
        sql += " AND e.occurredAt < ? AND +e.localDay <= ?"
        arguments += [Int64(last.dayNumber + 1) * day + slack, last.description]
      }
    }
  }
}
