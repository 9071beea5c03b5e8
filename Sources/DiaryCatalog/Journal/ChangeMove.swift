internal import DiaryModel
internal import GRDB

/// A step of a change to undo or to redo.
struct ChangeMove {
  let tables: CatalogTables
  let changeset: Changeset
  let isInverted: Bool

  /// The reason why the step cannot be moved, with the rows that prevent it.
  struct Conflict: Error {
    enum Reason {
      case touched, nameTaken(ChangeCount.Thing), dayTaken, blobGone, inUse
      case inTrash(ChangeCount.Thing)
    }

    let reason: Reason
    var keys: Set<Changeset.RowKey> = []
  }

  /// Whether a table is undone and redone. Not the tables of the store, which follow from the others, nor the
  /// files that were seen, which may have been seen again since.
  static func isMoved(_ table: String) -> Bool {
    !["blob", "trashedBlob", "sourceFile"].contains(table)
  }

  func run(now: Timestamp, _ confirm: (Rendition) throws -> Void) throws {
    try takeBlobsFromTrash(now)
    try checkLaterColumns()
    let recorder = try ChangesetRecorder(tables.database)
    do {
      try changeset.apply(
        to: tables.database.sqliteConnection, isInverted: isInverted, includes: Self.isMoved,
        overrules: DerivedRows.isOnlyReworded(tables.database))
    } catch let blocker as Changeset.Blocker {
      throw try conflict(blocker)
    }
    try checkDeletions(recorder.changeset())
    let derived = DerivedRows(tables: tables)
    try derived.retag(changeset, isInverted: isInverted)
    try derived.reword(changeset, isInverted: isInverted)
    try checkNothingStray()
    try checkFactors()
    try settleBlobs(now, confirm)
    try forgetFiles()
  }

  /// Forgets what was taken over from the files of photos whose bytes were moved: these have other metadata again.
  private func forgetFiles() throws {
    let source = try ChangeTally.Columns(tables.database).index("sourceDigest", of: "photo")
    try changeset.forEach { row in
      guard row.table == "photo", row.operation == .update, row.new(source) != nil,
        let photo = row.key.values.first?.integer
      else { return }
      try tables.sourceFiles.forget(ofPhoto: photo)
    }
  }

  /// Checks that nothing was set in columns of rows to be deleted that the changeset does not have, as a later version of
  /// the schema has added them.
  private func checkLaterColumns() throws {
    let database = tables.database
    try changeset.forEach(isInverted: isInverted) { row in
      guard row.operation == .delete, Self.isMoved(row.table) else { return }
      let later = try database.columns(in: row.table).dropFirst(row.columnCount)
        .map { "\($0.name) IS NOT NULL" }
      guard !later.isEmpty else { return }
      let (key, isSet) = (try row.key.condition(database), later.joined(separator: " OR "))
      let found = try Int.fetchOne(
        database, sql: "SELECT 1 FROM \(row.table) WHERE \(key) AND (\(isSet))",
        arguments: row.key.arguments)
      if found != nil { throw Conflict(reason: .touched, keys: [row.key]) }
    }
  }

  private func conflict(_ blocker: Changeset.Blocker) throws -> Conflict {
    switch blocker {
    case .touched(let key): return Conflict(reason: .touched, keys: [key])
    case .taken(let key):
      switch key.table {
      case "plant": return Conflict(reason: .nameTaken(.plant))
      case "activity": return Conflict(reason: .nameTaken(.activity))
      case "factor": return Conflict(reason: .nameTaken(.factor))
      case "entry", "completion": return Conflict(reason: .dayTaken)
      default: return Conflict(reason: .touched, keys: [key])
      }
    case .inUse:
      let isBlobGone = try wantedBlobs().contains { try !tables.blobs.contains($0) }
      return Conflict(reason: isBlobGone ? .blobGone : .inUse)
    }
  }

  /// The rows of the blobs that renditions will refer to.
  private func wantedBlobs() throws -> Set<Int64> {
    var blobs: Set<Int64> = []
    try changeset.forEach(isInverted: isInverted) { row in
      if row.table == "rendition", let blob = row.new(2)?.integer { blobs.insert(blob) }
    }
    return blobs
  }

  /// Takes back the blobs of renditions in the catalog; `confirm` takes back their files later.
  private func takeBlobsFromTrash(_ now: Timestamp) throws {
    for blob in try wantedBlobs() { try tables.trashedBlobs.takeBack(row: blob, now: now) }
  }

  /// Checks that no cascade deleted rows that the change did not make: other changes made them.
  private func checkDeletions(_ done: Changeset) throws {
    var wanted: Set<Changeset.RowKey> = []
    try changeset.forEach(isInverted: isInverted) { row in
      if row.operation == .delete { wanted.insert(row.key) }
    }
    var others: Set<Changeset.RowKey> = []
    try done.forEach { row in
      guard row.operation == .delete, Self.isMoved(row.table), !wanted.contains(row.key) else {
        return
      }
      others.insert(row.key)
    }
    guard others.isEmpty else { throw Conflict(reason: .touched, keys: others) }
  }

  /// Checks that nothing outside the trash belongs to something in the trash.
  private func checkNothingStray() throws {
    let questions = [
      "entry": """
      SELECT 'plant' FROM entry e JOIN plant p ON p.id = e.plantID
        WHERE e.id = ?1 AND e.deletedAt IS NULL AND p.deletedAt IS NOT NULL
      UNION ALL SELECT 'activity' FROM entry e JOIN completion c ON c.entryID = e.id
        JOIN activity a ON a.id = c.activityID
        WHERE e.id = ?1 AND e.deletedAt IS NULL AND a.deletedAt IS NOT NULL
      """,
      "activity": """
      SELECT 'plant' FROM activity a JOIN plant p ON p.id = a.plantID
        WHERE a.id = ?1 AND a.deletedAt IS NULL AND p.deletedAt IS NOT NULL
      UNION ALL SELECT 'activity' FROM activity a JOIN completion c ON c.activityID = a.id
        WHERE a.id = ?1 AND a.deletedAt IS NOT NULL AND c.day IS NOT NULL
      """,
      "plant": """
      SELECT 'plant' FROM plant p WHERE p.id = ?1 AND p.deletedAt IS NOT NULL
        AND (EXISTS (SELECT 1 FROM entry WHERE plantID = p.id AND deletedAt IS NULL)
          OR EXISTS (SELECT 1 FROM activity WHERE plantID = p.id AND deletedAt IS NULL))
      """,
    ]
    try changeset.forEach { row in
      guard let sql = questions[row.table], let id = row.key.values.first?.integer else { return }
      let owners = try String.fetchAll(tables.database.cachedStatement(sql: sql), arguments: [id])
      // An import may have brought an activity in the trash along with days on which it was done.
      guard let owner = owners.first(where: { isInverted || $0 == "plant" }) else { return }
      throw Conflict(
        reason: .inTrash(owner == "plant" ? .plant : .activity), keys: [row.key])
    }
  }

  /// Checks that the factors of the changeset take all the values that days have.
  private func checkFactors() throws {
    var rows: Set<Int64> = []
    try changeset.forEach(isInverted: isInverted) { row in
      let key = row.key.values
      switch row.table {
      case "factor": if let id = key.first?.integer { rows.insert(id) }
      case "factorValue": if let id = key.last?.integer { rows.insert(id) }
      default: break
      }
    }
    guard !rows.isEmpty else { return }
    for (row, factor) in try tables.factors.byRow() where rows.contains(row) {
      if try tables.factorValues.firstDay(of: factor.id, refusedBy: factor.details) != nil {
        throw Conflict(reason: .inUse)
      }
    }
  }

  /// Condemns blobs that are no longer referenced, and takes back those that are referenced again.
  private func settleBlobs(_ now: Timestamp, _ confirm: (Rendition) throws -> Void) throws {
    var (photos, blobs): (Set<Int64>, Set<Int64>) = ([], [])
    try changeset.forEach(isInverted: isInverted) { row in
      guard row.table == "rendition" else { return }
      for value in [row.old(2), row.new(2)] { if let blob = value?.integer { blobs.insert(blob) } }
      if row.operation != .delete, let photo = row.key.values.first?.integer {
        photos.insert(photo)
      }
    }
    for photo in photos {
      for rendition in try tables.renditions.all(ofPhoto: photo) {
        do { try confirm(rendition) } catch { throw Conflict(reason: .blobGone) }
      }
    }
    for blob in blobs { try tables.blobs.settle(blob, now: now) }
  }
}

extension ChangeMove.Conflict {
  func blocker(
    after step: Int64, besides change: Int64, _ history: HistoryTable
  ) throws -> ChangeBlocker {
    switch reason {
    case .touched:
      .changedLater(by: try history.latest(touching: keys, after: step, besides: change))
    case .nameTaken(let thing): .nameTaken(thing)
    case .dayTaken: .dayTaken
    case .blobGone: .filesGone
    case .inUse: .inUse
    case .inTrash(let owner): .ownerInTrash(owner)
    }
  }
}

extension CatalogError {
  init(_ blocker: ChangeBlocker) {
    let message = "\(blocker.message) Nothing was changed."
    switch blocker {
    case .changedLater(let later):
      self.init(.conflict, message, remedy: later.map { .undoFirst(change: $0) })
    case .nameTaken: self.init(.nameTaken, message)
    case .dayTaken, .filesGone, .inUse, .ownerInTrash: self.init(.conflict, message)
    }
  }
}
