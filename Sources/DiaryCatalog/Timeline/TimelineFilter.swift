internal import DiaryModel
internal import GRDB

/// The conditions of a query as SQL, in which entries are `e`.
struct TimelineFilter {
  private let table: String
  private let isOfFavourites: Bool
  /// The alias whose columns have an entry's position: `e`, or that of the index of tags.
  let place: String
  private(set) var condition: String
  private(set) var arguments: StatementArguments = []

  /// One filter, or one for each requested kind if each is a range of an index, so that a rare kind among a
  /// million photos is found immediately.
  static func all(of query: TimelineQuery) -> [TimelineFilter] {
    guard Lead(query) == .time, !query.deleted, !query.kinds.isEmpty else {
      return [TimelineFilter(query)]
    }
    return query.kinds.sorted { $0.rawValue < $1.rawValue }.map { kind in
      var one = query
      one.kinds = [kind]
      return TimelineFilter(one)
    }
  }

  /// - Parameter isLed: false for only the condition, for entries that come from elsewhere.
  init(_ query: TimelineQuery, isLed: Bool = true) {
    let lead = isLed ? Lead(query) : .time
    condition = query.deleted ? "e.deletedAt IS NOT NULL" : "e.deletedAt IS NULL"
    var tags = Set(query.tags.map(foldedName)).sorted()
    isOfFavourites = lead == .favourite
    switch lead {
    case .plant, .time, .favourite: (table, place) = ("entry e", "e")
    case .tag:
      (table, place) = ("entryTag t CROSS JOIN entry e ON e.id = t.entryID", "t")
      add("t.foldedTag = ? AND t.isDeleted = ?", [tags.removeFirst(), query.deleted])
    }
    addPlant(of: query)
    if query.isWithoutPlant { add("\(lead == .plant ? "" : "+")e.plantID IS NULL") }
    for tag in tags {
      add(
        "EXISTS (SELECT 1 FROM entryTag x WHERE x.entryID = e.id AND x.foldedTag = ?)", [tag])
    }
    // A plus keeps the planner from scanning any index other than the leading one.
    if query.isFavourite { add("\(lead == .favourite ? "" : "+")e.isFavourite = 1") }
    addKinds(of: query, isLed: lead == .time)
    addSpan(of: query)
  }

  /// The condition for rows of `dayTotal`; nil for a query that they do not answer.
  init?(totalsOf query: TimelineQuery) {
    let isKnown = query.plant == nil || query.kinds == [.photo]
    let isByDay = query.first?.moment == nil && query.last?.moment == nil
    guard isKnown, isByDay, query.tags.isEmpty, !query.isFavourite, !query.isWithoutPlant,
      !query.deleted
    else { return nil }
    (table, place, isOfFavourites, condition) = ("dayTotal e", "e", false, "TRUE")
    addPlant(of: query)
    addKinds(of: query, isLed: true)
    addSpan(of: query)
  }

  /// The table or index that entries are read from, in the order of the timeline.
  func source(in database: Database) throws -> String {
    // The index cannot be named where a view stands for the table.
    try table
      + (isOfFavourites && !CatalogView.limits(database) ? " INDEXED BY favouriteEntry" : "")
  }

  /// The condition for entries beyond a position in a direction, and the order of that direction.
  func place(
    from cursor: DiaryModel.Cursor?, _ heading: DiaryModel.Cursor.Heading,
    _ arguments: inout StatementArguments
  ) -> (condition: String, order: String) {
    let direction = heading == .older ? "DESC" : "ASC"
    let columns = ["localDay", "occurredAt", "seq"].map { "\(place).\($0)" }
    let order = "ORDER BY " + columns.map { "\($0) \(direction)" }.joined(separator: ", ")
    guard let cursor else { return ("", order) }
    arguments += [cursor.day.description, cursor.instant.milliseconds, cursor.sequence]
    let sign = heading == .older ? "<" : ">"
    return (" AND (\(columns.joined(separator: ", "))) \(sign) (?, ?, ?)", order)
  }

  mutating func add(_ condition: String, _ values: StatementArguments = []) {
    self.condition += " AND " + condition
    arguments += values
  }

  private mutating func addPlant(of query: TimelineQuery) {
    guard let plant = query.plant else { return }
    add("e.plantID = (SELECT id FROM plant WHERE publicID = ?)", [plant.description])
  }

  private mutating func addKinds(of query: TimelineQuery, isLed: Bool) {
    guard !query.kinds.isEmpty else { return }
    let kinds = query.kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    add("\(isLed ? "" : "+")e.kind IN (\(kinds))")
  }

  private mutating func addSpan(of query: TimelineQuery) {
    for (bound, sign) in [(query.first, ">="), (query.last, "<=")] {
      guard let bound else { continue }
      let day = bound.day.description
      if let moment = bound.moment {
        add(
          "(\(place).localDay, \(place).occurredAt) \(sign) (?, ?)", [day, moment.milliseconds])
      } else {
        add("\(place).localDay \(sign) ?", [day])
      }
    }
  }

  /// The index in whose order entries are read; the rest of the query is checked entry by entry.
  private enum Lead {
    case plant, tag, favourite, time

    init(_ query: TimelineQuery) {
      if query.plant != nil {
        self = .plant
      } else if !query.tags.isEmpty {
        self = .tag
      } else if query.isWithoutPlant {
        self = .plant
      } else {
        self = query.isFavourite && !query.deleted ? .favourite : .time
      }
    }
  }
}
