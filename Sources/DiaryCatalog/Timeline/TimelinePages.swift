package import DiaryModel
internal import Foundation
internal import GRDB
internal import Synchronization

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
      let entries = Array(found.prefix(limit))
      return Run(
        entries: entries,
        rest: found.count > limit ? entries.last?.cursor(heading: heading) ?? cursor : nil)
    }
    /// The cursor back from a run, unless nothing is there.
    func back(from run: Run, at cursor: DiaryModel.Cursor) throws -> DiaryModel.Cursor? {
      let heading = cursor.heading.reversed
      let back =
        run.entries.first?.cursor(heading: heading)
        ?? cursor.facing(heading).including(heading)
      return try fetch(back, heading, 1).isEmpty ? nil : back
    }
    switch position {
    case .start:
      let run = try run(from: nil, reading, limit)
      return Page(elements: run.entries, next: run.rest, previous: nil)
    case .cursor(let cursor):
      let run = try run(from: cursor, cursor.heading, limit)
      let back = try back(from: run, at: cursor)
      return cursor.heading == reading
        ? Page(elements: run.entries, next: run.rest, previous: back)
        : Page(elements: run.entries.reversed(), next: back, previous: run.rest)
    case .around(let place):
      let back = place.facing(reading.reversed)
      let behind = try run(from: back, back.heading, limit / 2)
      let ahead = try run(from: place.including(reading), reading, limit - behind.entries.count)
      return Page(
        elements: behind.entries.reversed() + ahead.entries, next: ahead.rest,
        previous: behind.rest)
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
      sql: "SELECT e.id FROM \(filter.source(in: database)) WHERE \(filter.condition) \(order)",
      arguments: filter.arguments)
    let step = Double(rows.count - 1) / Double(max(count - 1, 1))
    let chosen =
      rows.count > count ? (0..<count).map { rows[Int((Double($0) * step).rounded())] } : rows
    return try tables.entries.fetch(
      """
      \(EntrySelection.sql) WHERE e.id IN (\(chosen.map(String.init).joined(separator: ", "))) \(order)
      """, [])
  }

  /// The ids of a query's entries, in its order.
  ///
  /// - Parameter ends: two entries, in any order, between which the others are; they are included where they match. They may
  ///   be in the trash.
  package func ids(
    _ query: TimelineQuery, between ends: (EntryID, EntryID)? = nil
  ) throws -> [EntryID] {
    let filter = TimelineFilter(query)
    var (condition, arguments) = (filter.condition, filter.arguments)
    let span = try ends.map { [try cursor(of: $0.0), try cursor(of: $0.1)] } ?? []
    let ordered = span.sorted {
      ($0.day, $0.instant, $0.sequence) < ($1.day, $1.instant, $1.sequence)
    }
    for (end, heading) in zip(ordered, [DiaryModel.Cursor.Heading.newer, .older]) {
      condition += filter.place(from: end.including(heading), heading, &arguments).condition
    }
    let order = filter.place(from: nil, query.order.heading, &arguments).order
    return try String.fetchAll(
      database,
      sql: "SELECT e.publicID FROM \(filter.source(in: database)) WHERE \(condition) \(order)",
      arguments: arguments
    ).map(EntryID.init(stored:))
  }

  private func cursor(of id: EntryID) throws -> DiaryModel.Cursor {
    guard let entry = try tables.entries.all([id]).first else {
      throw CatalogError(.notFound, "No entry has the id “\(id)”.")
    }
    return entry.cursor(heading: .older)
  }

  /// The kinds of the entries with these ids that are on the timeline.
  package func kinds(of ids: [EntryID]) throws -> [EntryID: EntryKind] {
    let statement = try database.cachedStatement(
      sql: "SELECT kind FROM entry WHERE publicID = ? AND deletedAt IS NULL")
    var kinds: [EntryID: EntryKind] = [:]
    for id in ids {
      let kind = try String.fetchOne(statement, arguments: [id.description])
      kinds[id] = kind.flatMap { EntryKind(rawValue: $0) }
    }
    return kinds
  }

  /// The number of entries in each span, in the query's order.
  package func buckets(_ query: TimelineQuery, by unit: BucketUnit) throws -> [Bucket] {
    let filter = TimelineFilter(query)
    let days = try Row.fetchAll(
      database,
      sql: """
        SELECT e.localDay, count(*) FROM \(filter.source(in: database)) WHERE \(filter.condition)
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

  /// Entries from a position on, at most `limit`, and where more follow; nil if none do.
  private struct Run {
    let entries: [Entry]
    let rest: DiaryModel.Cursor?
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
      \(EntrySelection.columns) FROM \(filter.source(in: database)) \(EntrySelection.joins)
      WHERE \(filter.condition)\(place) \(order) LIMIT ?
      """, arguments + [limit])
  }
}

/// The photos of a day.
package struct DayPhotos: Sendable {
  package let day: LocalDay
  package let count: Int
  /// The last few of them, latest first.
  package let latest: [Entry]
}

/// The entries of single days. Each query uses the index by day; the plus keeps the planner from
/// scanning the index by time for the sake of the order.
extension TimelinePages {
  /// The entries of a day except its photos, latest first.
  package func diaryEntries(on day: LocalDay) throws -> [Entry] {
    try tables.entries.fetch(
      EntrySelection.sql + """
         WHERE e.localDay = ? AND e.kind IN (\(Self.diaryKinds)) AND e.deletedAt IS NULL
        ORDER BY +e.occurredAt DESC, e.seq DESC
        """, [day.description])
  }

  private static let diaryKinds = EntryKind.allCases.filter { $0 != .photo }
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// The number of a day's entries except its photos.
  package func entryCount(on day: LocalDay) throws -> Int {
    try tally(TimelineQuery(firstDay: day, lastDay: day)).reduce(0) {
      $0 + ($1.isPhoto ? 0 : $1.count)
    }
  }

  /// The number of a day's photos, and the last few of them.
  package func photos(on day: LocalDay, limit: Int) throws -> DayPhotos {
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM entry
        WHERE localDay = ? AND kind = 'photo' AND deletedAt IS NULL
        """, arguments: [day.description])
    let latest = try tables.entries.fetch(
      EntrySelection.sql + """
         WHERE e.localDay = ? AND e.kind = 'photo' AND e.deletedAt IS NULL
        ORDER BY +e.occurredAt DESC, e.seq DESC LIMIT ?
        """, [day.description, limit])
    return DayPhotos(day: day, count: count ?? 0, latest: latest)
  }

  /// The first day that has an entry; nil without entries.
  package func firstDay() throws -> LocalDay? {
    try String.fetchOne(
      database, sql: "SELECT min(localDay) FROM entry WHERE deletedAt IS NULL"
    ).map(LocalDay.init(stored:))
  }
}

/// Counting entries by day, and reading stacks and the entries outside them.
extension TimelinePages {
  /// The number of entries per day, newest day first.
  package func tally(_ query: TimelineQuery) throws -> [DayTally] {
    let (counts, arguments) = try counts(query)
    let sql = """
      SELECT e.localDay, e.kind = 'photo' AS isPhoto, p.publicID, sum(e.count)
      FROM (\(counts)) e LEFT JOIN plant p ON p.id = e.plantID
      GROUP BY e.localDay, isPhoto, e.plantID ORDER BY e.localDay DESC, isPhoto, p.publicID
      """
    return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
      DayTally(
        day: try LocalDay(stored: row[0]), plant: (row[2] as String?).map(PlantID.init(stored:)),
        isPhoto: row[1], count: row[3])
    }
  }

  /// The numbers of a query's entries by day, kind and, for photos, plant, as SQL: from the totals where these know, or else
  /// counted.
  private func counts(_ query: TimelineQuery) throws -> (sql: String, StatementArguments) {
    if try isInCatalog("dayTotal"), try !CatalogView.limits(database),
      let filter = TimelineFilter(totalsOf: query)
    {
      return ("SELECT * FROM dayTotal e WHERE \(filter.condition)", filter.arguments)
    }
    let filter = TimelineFilter(query)
    let sql = try """
    SELECT e.localDay, e.kind, \(Schema.plant("e")) AS plantID, count(*) AS count
    FROM \(filter.source(in: database)) WHERE \(filter.condition) GROUP BY e.localDay, e.kind, e.plantID
    """
    return (sql, filter.arguments)
  }

  /// The entries of a query that are in none of these stacks, newest first, at most `limit`.
  package func entries(
    _ query: TimelineQuery, outside stacks: [PhotoStack], limit: Int
  ) throws -> [Entry] {
    guard limit > 0 else { return [] }
    let conditions = stacks.map { stack in
      "e.localDay BETWEEN ? AND ?"
        + (stack.plant == nil ? "" : " AND e.plantID IS (SELECT id FROM plant WHERE publicID = ?)")
    }
    let arguments = stacks.flatMap { stack in
      [stack.days.lowerBound.description, stack.days.upperBound.description]
        + (stack.plant.map { [$0.description] } ?? [])
    }
    let condition =
      stacks.isEmpty
      ? nil : "NOT (e.kind = 'photo' AND (\(conditions.joined(separator: " OR "))))"
    return try page(
      query, at: .start, limit: limit, where: condition, StatementArguments(arguments)
    ).elements
  }

  /// The photo of a query that stands for each stack that has one.
  package func covers(
    of stacks: [PhotoStack], in query: TimelineQuery
  ) throws -> [PhotoStack: Entry] {
    var covers: [PhotoStack: Entry] = [:]
    for stack in stacks {
      var own = query
      own.plant = stack.plant ?? query.plant
      (own.firstDay, own.lastDay) = (stack.days.lowerBound, stack.days.upperBound)
      covers[stack] = try cover(of: own)
    }
    return covers
  }
}

/// The photo that stands for others: the latest or, if that is dark, the light one nearest the middle of those of its day.
extension TimelinePages {
  /// The photo that stands for those of a query; nil if it has none.
  package func cover(of query: TimelineQuery) throws -> Entry? {
    var own = query
    (own.kinds, own.order) = ([.photo], .newestFirst)
    return try page(own, at: .start, limit: 1).elements.first.map { try light($0, in: own) }
  }

  /// The photo itself or, if it is dark, the light one of a query nearest the middle of those of the day; itself if all are
  /// dark.
  package func light(_ photo: Entry, in query: TimelineQuery) throws -> Entry {
    guard photo.photo?.isDark == true else { return photo }
    let light = try spread(query, on: photo.time.localDay).filter { !$0.isDark }
    // Those of which only the day is known have no place in it.
    let timed = light.filter(\.hasTime)
    let found = timed.isEmpty ? light : timed
    guard let first = found.first?.instant, let last = found.last?.instant else { return photo }
    let middle = first &+ (last &- first) / 2
    func distance(_ moment: Moment) -> UInt64 { (moment.instant &- middle).magnitude }
    let nearest = found.min { distance($0) < distance($1) }
    return try nearest.flatMap { try tables.entries.all(rows: [$0.row]).first } ?? photo
  }

  /// The most photos of a day that are looked at: a camera may take thousands.
  private static let spreadCount = 24

  private struct Moment {
    let row: Int64
    /// In milliseconds.
    let instant: Int64
    /// Whether the time of day is known.
    let hasTime: Bool
    let isDark: Bool

    init(_ row: Row) {
      (self.row, instant, hasTime) = (row[0], row[1], row[3])
      isDark = (row[2] as Data?)?.first.map(PhotoSummary.isDark) ?? false
    }
  }

  /// All photos of a query on a day or, of many, some that are spread over its time, in order of time. Those are found one
  /// by one in an index.
  private func spread(_ query: TimelineQuery, on day: LocalDay) throws -> [Moment] {
    var own = query
    (own.kinds, own.firstDay, own.lastDay) = ([.photo], nil, nil)
    var filter = TimelineFilter(own)
    let place = filter.place
    filter.add("\(place).localDay = ?", [day.description])
    let source = try "FROM \(filter.source(in: database)) WHERE \(filter.condition)"
    func order(_ direction: String) -> String {
      "ORDER BY \(place).localDay \(direction), \(place).occurredAt \(direction), \(place).seq \(direction)"
    }
    let first = try moments(
      "SELECT e.id \(source) \(order("ASC")) LIMIT ?", filter.arguments + [Self.spreadCount + 1])
    guard first.count > Self.spreadCount else { return first }
    let timed = "SELECT e.id \(source) AND e.timeBasis <> 'day'"
    let ends = try ["ASC", "DESC"].compactMap {
      try moments("\(timed) \(order($0)) LIMIT 1", filter.arguments).first?.instant
    }
    guard ends.count == 2 else { return first }
    let step = (ends[1] &- ends[0]) / Int64(Self.spreadCount - 1)
    let wanted = (0..<Self.spreadCount).map { ends[0] &+ step &* Int64($0) }
    return try moments(
      """
      SELECT DISTINCT (SELECT e.id \(source) AND \(place).occurredAt >= w.value \(order("ASC")) LIMIT 1) AS id
      FROM json_each(?) w
      """, filter.arguments + [RowList(rows: wanted)])
  }

  /// Photos in order of time.
  ///
  /// - Parameter rows: the SQL of the ids of their rows.
  private func moments(_ rows: String, _ arguments: StatementArguments) throws -> [Moment] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT p.id, p.occurredAt, substr(ph.placeholder, 1, 1), p.timeBasis <> 'day'
        FROM (\(rows)) r CROSS JOIN entry p ON p.id = r.id CROSS JOIN photo ph ON ph.entryID = p.id
        ORDER BY p.occurredAt, p.seq
        """)
    return try Row.fetchAll(statement, arguments: arguments).map { Moment($0) }
  }
}

/// The tallies of recent queries, for one state of the catalog: a page of the timeline needs the whole tally at each
/// visit, and a hundred thousand entries take time to count.
final class TallyCache: Sendable {
  private struct State {
    var generation = 0
    /// The most recently used last.
    var tallies: [(query: TimelineQuery, tally: [DayTally])] = []
  }

  private static let capacity = 16
  private let state = Mutex(State())

  func tally(of query: TimelineQuery, in generation: Int) -> [DayTally]? {
    state.withLock { state in
      guard state.generation == generation,
        let index = state.tallies.firstIndex(where: { $0.query == query })
      else { return nil }
      let found = state.tallies.remove(at: index)
      state.tallies.append(found)
      return found.tally
    }
  }

  func keep(_ tally: [DayTally], of query: TimelineQuery, in generation: Int) {
    state.withLock { state in
      // The tally of a reader that began before the last commit is outdated.
      guard generation >= state.generation else { return }
      if generation > state.generation { state = State(generation: generation) }
      if state.tallies.count == Self.capacity { state.tallies.removeFirst() }
      state.tallies.append((query, tally))
    }
  }
}

extension Catalog {
  /// The number of entries per day, newest day first. Cached in memory until the next commit by any process.
  package func tally(_ query: TimelineQuery) throws -> [DayTally] {
    try read { tables in
      // The calls of a transaction in progress change what is counted without a commit.
      guard transaction == nil else { return try tables.timeline.tally(query) }
      // Read in the same transaction as the entries that are counted.
      let generation = try tables.settings.generation
      if let known = tallies.tally(of: query, in: generation) { return known }
      let tally = try tables.timeline.tally(query)
      tallies.keep(tally, of: query, in: generation)
      return tally
    }
  }
}
