package import DiaryModel
internal import Foundation
internal import GRDB
internal import Glibc
package import Journal

/// The purpose of a copy of the catalog.
package enum CatalogCopyPurpose: Sendable {
  /// An unchanged copy.
  case snapshot
  /// To continue from: without the note that a backup's catalog has.
  case recovery
  /// With a note of when it was made, when the latest change was made and how many commits there were, which
  /// later shows whether the backup itself was changed.
  case backup
  /// To become the catalog of a library in which commits up to `after` were counted, with a new lineage. Blobs that
  /// prune was about to remove wait again from the start, as they may be in use since. No key of an object store that
  /// the library has retired is used again.
  case restoring(
    after: Int?, retiredKeys: [RetiredKeyTable.Retired], replaced: ReplacedLines,
    now: Timestamp)
}

/// Copies of a catalog, made while others read and write it.
extension Catalog {
  /// Copies the state of the catalog at one moment to a new file, which has no log and was checked, but
  /// is not synced yet.
  ///
  /// - Returns: how many commits the copy has seen.
  @discardableResult
  package func copy(to path: String, for purpose: CatalogCopyPurpose) throws -> Int {
    if let transaction { throw transaction.refusal }
    return try using {
      var configuration = Configuration()
      // The file is synced as a whole once it is finished, and discarded otherwise.
      configuration.prepareDatabase {
        Catalog.register(on: $0)
        try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY")
      }
      PrivateFile.create(at: path)
      let target = try DatabaseQueue(path: path, configuration: configuration)
      try reader.backup(to: target)
      let generation = try target.writeWithoutTransaction { database in
        // The copy's header says that it has a write-ahead log, like its source.
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try purpose.adapt(database, now: clock())
        let found = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard found == "ok" else {
          throw CatalogError(.damaged, "The catalog is damaged: \(found ?? "no answer").")
        }
        return try SettingTable(database: database).generation
      }
      try target.close()
      return generation
    }
  }

  /// Replaces all contents with those of another catalog, in one transaction: readers see the one or the other.
  package func replaceContents(with other: Catalog) throws {
    let (writer, lock) = try writing()
    try using { try other.using { try lock.withLock { try other.reader.backup(to: writer) } } }
  }
}

extension CatalogCopyPurpose {
  fileprivate func adapt(_ database: Database, now copied: Timestamp) throws {
    let tables = CatalogTables(database: database)
    let (settings, place) = (tables.settings, tables.place)
    switch self {
    case .snapshot: break
    case .recovery: try place.remove(.backedUp)
    case .backup:
      let note = BackupState(
        work: try tables.workDone, generation: try settings.generation, madeAt: copied,
        head: try tables.heads.current ?? .none)
      try place.set(.backedUp, note.text)
      try tables.blobs.forgetUpkeep()
    case .restoring(let generation, let retiredKeys, let replaced, let now):
      try place.remove(.backedUp)
      try tables.blobs.forgetUpkeep()
      _ = try tables.state.following {
        try tables.retiredKeys.add(retiredKeys)
        try database.execute(
          sql: "UPDATE trashedBlob SET trashedAt = ?", arguments: [now.milliseconds])
      }
      try tables.beginLineage(
        at: max(generation ?? 0, settings.generation) + 1, replacing: replaced, now: now)
    }
  }
}

/// The state of a backup's catalog when it was made.
package struct BackupState: Sendable, Hashable {
  /// The last change, by its id, and the last undo, by its commit; 0 if there is none.
  struct Work: Hashable {
    let change: Int64
    let undo: Int64
  }

  let work: Work
  /// How many commits the library's catalog had seen.
  package let generation: Int
  /// The time of the backup; all commits in it were made by then.
  package let madeAt: Timestamp
  /// The head of the library's newest commit.
  package let head: Head

  init(work: Work, generation: Int, madeAt: Timestamp, head: Head) {
    (self.work, self.generation, self.madeAt, self.head) = (work, generation, madeAt, head)
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 5, let change = Int64(parts[0]), let undo = Int64(parts[1]),
      let generation = Int(parts[2]), let made = Int64(parts[3]), let head = Head(hex: parts[4])
    else { return nil }
    self.init(
      work: Work(change: change, undo: undo), generation: generation,
      madeAt: Timestamp(milliseconds: made), head: head)
  }

  var text: String {
    "\(work.change) \(work.undo) \(generation) \(madeAt.milliseconds) \(head.hex)"
  }
}

/// The write-ahead log of a catalog, a file next to it.
package struct WriteAheadLog {
  /// The path of the catalog.
  private let path: String

  package init(ofCatalogAt path: String) { self.path = path }

  /// The size beyond which the log is checkpointed into the database.
  static let maxByteCount = 16 << 20

  var byteCount: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Merges the log into the catalog's file, which then has no log, and gets none when it is read. Must be called under
  /// the library's lock.
  ///
  /// - Returns: false when the catalog is open elsewhere.
  package func fold() throws -> Bool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    let queue = try Catalog.translating {
      try DatabaseQueue(path: path, configuration: configuration)
    }
    do {
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE")
      }
      try queue.close()
      return true
    } catch let error as DatabaseError
      where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    {
      return false
    } catch let error as DatabaseError {
      throw CatalogError(error)
    }
  }
}
