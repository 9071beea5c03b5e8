internal import DiaryModel
internal import Foundation
internal import GRDB

/// Keeps rows as they were before a change, so that it can be taken back.
///
/// A change is one transaction. Everything that it touches gets its time as `updatedAt`, and no two
/// changes have the same time: what has another one was touched again since, and the change cannot be
/// taken back before that.
struct ChangeJournal {
  let kind: ChangeKind
  /// What changed rows are stamped with.
  let madeAt: Timestamp
  private let database: Database
  private var id: Int64?

  init(_ kind: ChangeKind, now: Timestamp, _ database: Database) throws {
    self.kind = kind
    self.database = database
    let last = try Int64.fetchOne(database, sql: "SELECT max(madeAt) FROM change")
    madeAt = max(now, Timestamp(milliseconds: (last ?? .min) &+ (last == nil ? 0 : 1)))
  }

  /// Keeps the entry as it is now.
  mutating func keep(entry row: Int64) throws {
    let find = try database.cachedStatement(sql: "SELECT kind FROM entry WHERE id = ?")
    let kind: EntryKind = try database.known(String.fetchOne(find, arguments: [row]) ?? "")
    let content = try kind == .photo ? nil : text(of: database.content(of: kind, row))
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO changedEntry (changeID, entryID, occurredAt, utcOffset, timeBasis,
          localDay, plantID, notes, tags, isFavourite, updatedAt, deletedAt, captureSource, content)
        SELECT ?, e.id, e.occurredAt, e.utcOffset, e.timeBasis, e.localDay, e.plantID, e.notes,
          e.tags, e.isFavourite, e.updatedAt, e.deletedAt, p.captureSource, ?
        FROM entry e LEFT JOIN photo p ON p.entryID = e.id WHERE e.id = ?
        """
    ).execute(arguments: [begin(), content, row])
  }

  private func text(of content: EntryContent) throws -> String {
    String(decoding: try JSONEncoder().encode(ContentText(content)), as: UTF8.self)
  }

  /// Notes that the change made an entry, which is gone when the change is taken back.
  mutating func made(entry row: Int64) throws {
    try database.cachedStatement(sql: "INSERT INTO madeEntry (changeID, entryID) VALUES (?, ?)")
      .execute(arguments: [begin(), row])
  }

  /// Keeps the activity's row as it is now; one that is about to be made has none.
  mutating func keep(activity row: Int64, isNew: Bool = false) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO changedActivity (changeID, activityID, before)
        SELECT ?, id, iif(?, NULL, json_object(
          'name', name, 'foldedName', foldedName, 'emoji', emoji, 'category', category,
          'startFrom', startFrom, 'plantID', plantID, 'notes', notes, 'everyDays', everyDays,
          'weeklyGoal', weeklyGoal, 'monthlyGoal', monthlyGoal, 'iconName', iconName,
          'rank', rank, 'updatedAt', updatedAt, 'deletedAt', deletedAt))
        FROM activity WHERE id = ?
        """
    ).execute(arguments: [begin(), isNew, row])
  }

  /// Keeps the plant's row as it is now.
  mutating func keep(plant row: Int64) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO changedPlant (changeID, plantID, name, foldedName, scientificName,
          location, notes, updatedAt, deletedAt)
        SELECT ?, id, name, foldedName, scientificName, location, notes, updatedAt, deletedAt
        FROM plant WHERE id = ?
        """
    ).execute(arguments: [begin(), row])
  }

  /// Notes that the change made a row of another table than the entries' and the activities'.
  mutating func made(_ thing: MadeThing) throws {
    let (sql, arguments): (String, StatementArguments) =
      switch thing {
      case .plant(let row): ("INSERT INTO madePlant (changeID, plantID) VALUES (?, ?)", [row])
      case .quote(let row): ("INSERT INTO madeQuote (changeID, quoteID) VALUES (?, ?)", [row])
      case .dayQuote(let day): ("INSERT INTO madeDayQuote (changeID, day) VALUES (?, ?)", [day])
      case .setting(let key, let value):
        ("INSERT INTO madeSetting (changeID, key, value) VALUES (?, ?, ?)", [key, value])
      }
    try database.cachedStatement(sql: sql).execute(arguments: [begin()] + arguments)
  }

  enum MadeThing {
    case plant(Int64)
    case quote(Int64)
    case dayQuote(String)
    case setting(String, String)
  }

  /// The entries that the change made or changed so far.
  func entries() throws -> Set<EntryID> {
    guard let id else { return [] }
    let ids = try String.fetchAll(
      database,
      sql: """
        SELECT publicID FROM entry WHERE id IN (
          SELECT entryID FROM madeEntry WHERE changeID = ?1
          UNION SELECT entryID FROM changedEntry WHERE changeID = ?1)
        """, arguments: [id])
    return Set(ids.map { EntryID(stored: $0) })
  }

  /// A change that changes nothing is none.
  private mutating func begin() throws -> Int64 {
    if let id { return id }
    try database.execute(
      sql: "INSERT INTO change (kind, madeAt) VALUES (?, ?)",
      arguments: [kind.rawValue, madeAt.milliseconds])
    let made = database.lastInsertedRowID
    id = made
    return made
  }
}

extension Catalog {
  /// One transaction whose changes can be taken back.
  func change<Value>(
    _ kind: ChangeKind, now: Timestamp, _ body: (Database, inout ChangeJournal) throws -> Value
  ) throws -> Value {
    try write { database in
      var journal = try ChangeJournal(kind, now: now, database)
      return try body(database, &journal)
    }
  }
}
