package import DiaryModel
internal import GRDB

/// The owner of `plant` and of its search index, `plantText`.
package struct PlantTable: NamedTable {
  typealias ID = PlantID
  typealias Details = PlantDetails

  static let noun = "plant"
  static let list = Remedy.listPlants

  let database: Database

  static func nameTaken(_ name: String, by holder: String) -> CatalogError {
    CatalogError(.nameTaken, "A plant is called “\(name)” already.", remedy: .mergePlants)
  }

  /// All plants by name, or all deleted ones, the last deleted first.
  package func all(deleted: Bool = false) throws -> [Plant] {
    try all(where: "TRUE", deleted: deleted)
  }

  /// The photo that stands for each plant, by name.
  ///
  /// - Parameter ids: the plants; nil for all.
  package func covers(of ids: Set<PlantID>? = nil) throws -> [PlantCover] {
    let marks = ids.map { "AND p.publicID IN (\($0.map { _ in "?" }.joined(separator: ", ")))" }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT publicID, name, day, (SELECT e.id FROM entry e
          WHERE e.plantID = p.id AND e.localDay = p.day AND e.deletedAt IS NULL AND +e.kind = 'photo'
          ORDER BY e.occurredAt DESC, e.seq DESC LIMIT 1)
        FROM (SELECT p.*, (SELECT max(e.localDay) FROM entry e WHERE e.plantID = p.id
            AND e.deletedAt IS NULL AND e.kind = 'photo') AS day
          FROM plant p WHERE p.deletedAt IS NULL \(marks ?? "")) p ORDER BY foldedName
        """, arguments: StatementArguments(ids?.map(\.description) ?? []))
    var photos = try tables.entries.all(rows: rows.compactMap { $0[3] as Int64? })[...]
    return try rows.map { row in
      let plant = PlantReference(id: PlantID(stored: row[0]), name: row[1])
      let newest = (row[3] as Int64?) == nil ? nil : photos.popFirst()
      return PlantCover(
        plant: plant, lastPhotoDay: try (row[2] as String?).map(LocalDay.init(stored:)),
        photo: try newest.map { try tables.timeline.light($0, in: TimelineQuery(plant: plant.id)) })
    }
  }

  /// The names and ids of all plants, by name.
  package func references() throws -> [PlantReference] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT publicID, name FROM plant WHERE deletedAt IS NULL ORDER BY foldedName")
    ).map { PlantReference(id: PlantID(stored: $0[0]), name: $0[1]) }
  }

  /// The plants whose own texts match every term.
  package func matching(_ text: SearchText) throws -> [Plant] {
    guard !text.terms.isEmpty else { return [] }
    let found = text.terms.map { _ in "SELECT rowid FROM plantText WHERE plantText MATCH ?" }
    return try all(
      where: "p.id IN (\(found.joined(separator: " INTERSECT ")))",
      StatementArguments(text.terms.map(\.match)))
  }

  /// The plant with this name, regardless of case, or with this id or an unambiguous start of it.
  package func named(_ nameOrID: String, among scope: PlantScope = .undeleted) throws -> Plant {
    try plant(find(nameOrID, inTrash: scope.places).row)
  }

  /// The plant with this id.
  package func plant(_ id: PlantID, among scope: PlantScope = .undeleted) throws -> Plant {
    try plant(find(id, inTrash: scope.places).row)
  }

  /// The plant that `named` finds, without counting its photos.
  package func reference(
    named nameOrID: String, among scope: PlantScope = .undeleted
  ) throws -> PlantReference {
    let found = try find(nameOrID, inTrash: scope.places)
    return PlantReference(id: found.id, name: found.name)
  }

  /// The plant that `plant` finds, without counting its photos.
  package func reference(
    _ id: PlantID, among scope: PlantScope = .undeleted
  ) throws -> PlantReference {
    let found = try find(id, inTrash: scope.places)
    return PlantReference(id: found.id, name: found.name)
  }

  /// How many plants there are.
  package func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM plant WHERE deletedAt IS NULL") ?? 0
  }

  /// The days on which a plant was photographed, as far as they are known, oldest first.
  package func photoDays(of plant: PlantID) throws -> [LocalDay] {
    try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT localDay FROM entry
        WHERE plantID = (SELECT id FROM plant WHERE publicID = ?) AND deletedAt IS NULL
          AND kind = 'photo' AND datePrecision IS NULL ORDER BY localDay
        """, arguments: [plant.description]
    ).map(LocalDay.init(stored:))
  }

  /// How many entries on the timeline belong to a plant, by kind.
  package func entryCounts(of plant: PlantID) throws -> [EntryKind: Int] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT kind, count(*) FROM entry
        WHERE plantID = (SELECT id FROM plant WHERE publicID = ?) AND deletedAt IS NULL
        GROUP BY kind
        """, arguments: [plant.description])
    return try rows.reduce(into: [:]) { try $0[EntryKind(stored: $1[0])] = $1[1] }
  }

  /// The number of activities, and of entries by kind, that would be deleted with a plant.
  package func holdings(of plant: PlantID) throws -> (activities: Int, entries: [EntryKind: Int]) {
    let row = try row(of: plant)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT kind, count(*) FROM entry WHERE deletedAt IS NULL AND id IN (
          SELECT id FROM entry WHERE plantID = ?1 AND deletedAt IS NULL
          UNION SELECT c.entryID FROM completion c JOIN activity a ON a.id = c.activityID
            WHERE a.plantID = ?1 AND a.deletedAt IS NULL)
        GROUP BY kind
        """, arguments: [row])
    return try (
      tables.activities.rows(ofPlant: row, orDeleted: false).count,
      rows.reduce(into: [:]) { try $0[EntryKind(stored: $1[0])] = $1[1] }
    )
  }
}

/// Rows.
extension PlantTable {
  /// The row of the plant with this name, inserted if there is none.
  func rowOrNew(named name: String, now: Timestamp) throws -> Int64 {
    try row(named: name) ?? insert(PlantDetails(name: name), now: now)
  }

  /// The row of a photo's plant, inserted if there is none.
  func rowOrNew(of plant: PhotoPlant, now: Timestamp) throws -> Int64 {
    switch plant {
    case .named(let name): try rowOrNew(named: name, now: now)
    case .folder(let folder, plant: _): try rowOrNew(ofFolder: folder, now: now)
    }
  }

  /// The row of a plant of another library: the one with its id or, unless it is in the trash, with its name. It is
  /// inserted if there is none.
  func rowOrNew(
    _ plant: ExchangedPlant, now: Timestamp
  ) throws -> (row: Int64, isNew: Bool) {
    let details = try plant.details.checked()
    let known =
      try rowIfAny(of: plant.id) ?? (plant.deletedAt == nil ? row(named: details.name) : nil)
    if let known {
      if plant.deletedAt == nil { try addAliases(details.aliases, to: known) }
      return (known, false)
    }
    let row = try insert(
      details, id: plant.id, deletedAt: plant.deletedAt, now: plant.createdAt ?? now)
    return (row, true)
  }

  /// The plant for an entry that is restored from the trash: its own, which is restored with it, or the one
  /// that has the same name by now.
  func undeletedRow(_ row: Int64) throws -> Int64 {
    guard try isDeleted(row) else { return row }
    if let namesake = try namesake(of: row) { return namesake }
    try setDeleted(nil, row)
    return row
  }

  /// The plant on the timeline that has the name of a deleted one by now.
  func namesake(of row: Int64) throws -> Int64? {
    let find = try database.cachedStatement(
      sql: "SELECT name FROM plant WHERE id = ? AND deletedAt IS NOT NULL")
    return try String.fetchOne(find, arguments: [row]).flatMap { try self.row(named: $0) }
  }

  @discardableResult
  func insert(
    _ details: PlantDetails, id: PlantID = .random(), deletedAt: Timestamp? = nil, now: Timestamp
  ) throws -> Int64 {
    let row = try insert(details, id: id, now: now, ["deletedAt": deletedAt?.milliseconds])
    if deletedAt == nil { try removeAlias(details.name) }
    try addAliases(details.aliases, to: row)
    return row
  }

  func setDeleted(_ time: Timestamp?, _ row: Int64) throws {
    if time == nil { try removeAlias(ofNameOf: row) }
    try update("deletedAt", time?.milliseconds, row)
  }
}

/// Finding.
extension PlantTable {
  private func plant(_ row: Int64) throws -> Plant {
    try present(all(where: "p.id = ?", [row], deleted: isDeleted(row)).first)
  }

  private func all(
    where condition: String, _ arguments: StatementArguments = [], deleted: Bool = false
  ) throws -> [Plant] {
    let isThere = deleted ? "IS NOT NULL" : "IS NULL"
    let photos = "e.plantID = p.id AND e.deletedAt \(isThere) AND e.kind = 'photo'"
    // The index by day finds the day of the fourth newest photo, so that only photos from then on are read and sorted.
    let fourth = """
      (SELECT e.localDay FROM entry e WHERE \(photos) ORDER BY e.localDay DESC LIMIT 1 OFFSET 3)
      """
    return try Row.fetchAll(
      database,
      sql: """
        SELECT p.*,
          (SELECT count(*) FROM entry e WHERE \(photos)) AS photoCount,
          \(PlantAge.firstDay(of: "p.id", isThere: isThere)) AS firstPhotoDay,
          (SELECT max(e.localDay) FROM entry e WHERE \(photos)) AS lastPhotoDay,
          (SELECT group_concat(publicID, ' ') FROM (SELECT e.publicID
            FROM entry e WHERE \(photos) AND e.localDay >= coalesce(\(fourth), '')
            ORDER BY e.localDay DESC, +e.occurredAt DESC, +e.seq DESC LIMIT 4)) AS latestPhotos
        FROM plant p WHERE p.deletedAt \(isThere) AND \(condition)
        ORDER BY \(deleted ? "p.deletedAt DESC, p.foldedName" : "p.foldedName")
        """, arguments: arguments
    ).map { try Plant($0, aliases: aliases(of: $0["id"])) }
  }
}

extension Plant {
  fileprivate init(_ row: Row, aliases: [String]) throws {
    self.init(
      id: PlantID(stored: row["publicID"]), details: try PlantDetails(row, aliases: aliases),
      photoCount: row["photoCount"],
      firstPhotoDay: try (row["firstPhotoDay"] as String?).map(LocalDay.init(stored:)),
      lastPhotoDay: try (row["lastPhotoDay"] as String?).map(LocalDay.init(stored:)),
      latestPhotos: (row["latestPhotos"] as String?)?.split(separator: " ")
        .map { EntryID(stored: String($0)) } ?? [],
      deletedAt: Timestamp(stored: row["deletedAt"]))
  }
}

extension PlantScope {
  /// The places to look in, one after the other: the trash, or outside it.
  fileprivate var places: [Bool] {
    switch self {
    case .undeleted: [false]
    case .undeletedFirst: [false, true]
    case .deletedFirst: [true, false]
    }
  }
}
