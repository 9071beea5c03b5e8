package import DiaryModel
internal import GRDB

/// The entries in order of time, a page at a time.
package struct TimelinePages: CatalogTable {
  let database: Database

  /// A page of a query. As a keyset query, its cost does not depend on how deep the page is.
  package func page(
    _ query: TimelineQuery, at position: TimelinePosition, limit: Int
  ) throws -> Page<Entry> {
    try page(query, at: position, limit: limit, where: nil)
  }

  /// A page with an additional SQL condition.
  func page(
    _ query: TimelineQuery, at position: TimelinePosition, limit: Int, where condition: String?,
    _ arguments: StatementArguments = []
  ) throws -> Page<Entry> {
    let filters = TimelineFilter.all(of: query).map { filter in
      var filter = filter
      if let condition { filter.add(condition, arguments) }
      return filter
    }
    return try page(at: position, query.order.heading, limit) { cursor, heading, count in
      try fetch(filters, from: cursor, heading, count)
    }
  }

  /// A page of the entries that `fetch` returns for a position, a direction and a maximum count.
  func page(
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
      let ahead = try run(from: place.including(reading), reading, limit - behind.entries.count)
      return Page(
        elements: behind.entries.reversed() + ahead.entries, next: ahead.last(reading),
        previous: behind.last(back.heading))
    }
  }

  /// A sample of a query's entries, spaced evenly from the first to the last, in the query's order.
  package func sample(_ query: TimelineQuery, count: Int) throws -> [Entry] {
    let filter = TimelineFilter(query)
    let order =
      "ORDER BY "
      + (query.order == .newestFirst ? EntrySelection.newestFirst : EntrySelection.oldestFirst)
    let rows = try Int64.fetchAll(
      database,
      sql: "SELECT e.id FROM \(filter.source) WHERE \(filter.condition) \(order)",
      arguments: filter.arguments)
    let step = Double(rows.count - 1) / Double(max(count - 1, 1))
    let chosen =
      rows.count > count ? (0..<count).map { rows[Int((Double($0) * step).rounded())] } : rows
    return try tables.entries.fetch(
      """
      \(EntrySelection.sql) WHERE e.id IN (\(chosen.map(String.init).joined(separator: ", "))) \(order)
      """, [])
  }

  /// The number of entries in each span, in the query's order.
  package func buckets(_ query: TimelineQuery, by unit: BucketUnit) throws -> [Bucket] {
    let filter = TimelineFilter(query)
    let days = try Row.fetchAll(
      database,
      sql: """
        SELECT e.localDay, count(*) FROM \(filter.source) WHERE \(filter.condition)
        GROUP BY e.localDay ORDER BY e.localDay
        """, arguments: filter.arguments)
    var buckets: [Bucket] = []
    for row in days {
      let name = unit.bucketName(of: try LocalDay(stored: row[0]))
      let before = buckets.last?.name == name ? buckets.removeLast().count : 0
      buckets.append(Bucket(name: name, count: before + row[1]))
    }
    return query.order == .newestFirst ? buckets.reversed() : buckets
  }

  /// Entries from a position on, at most `limit`, and whether there are more.
  private struct Run {
    let entries: [Entry]
    let hasMore: Bool

    func last(_ heading: DiaryModel.Cursor.Heading) -> DiaryModel.Cursor? {
      hasMore ? entries.last?.cursor(heading: heading) : nil
    }
  }

  private func fetch(
    _ filters: [TimelineFilter], from cursor: DiaryModel.Cursor?,
    _ heading: DiaryModel.Cursor.Heading, _ limit: Int
  ) throws -> [Entry] {
    var found = try filters.flatMap { try fetch($0, cursor, heading, limit) }
    if filters.count > 1 {
      found.sort { left, right in
        let (own, other) = (left.time.place, right.time.place)
        let ascending =
          (own.day, own.moment, left.sequence) < (other.day, other.moment, right.sequence)
        return ascending == (heading == .newer)
      }
    }
    return Array(found.prefix(limit))
  }

  private func fetch(
    _ filter: TimelineFilter, _ cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading,
    _ limit: Int
  ) throws -> [Entry] {
    var arguments = filter.arguments
    let (place, order) = filter.place(from: cursor, heading, &arguments)
    return try tables.entries.fetch(
      """
      \(EntrySelection.columns) FROM \(filter.source) \(EntrySelection.joins)
      WHERE \(filter.condition)\(place) \(order) LIMIT ?
      """, arguments + [limit])
  }
}
