internal import CSQLiteSession
package import DiaryModel
package import Fields
internal import GRDB
internal import Glibc

/// An error of the catalog.
package struct CatalogError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// SQLite failed; the message includes its own.
    case failed
    /// The disk is full.
    case noSpace
    /// The file or its folder cannot be written.
    case readOnly
    /// The catalog was closed before.
    case closed
    /// The file is not a database, or a damaged one.
    case damaged
    /// A newer Leaflog wrote it.
    case tooNew
    /// An older Leaflog wrote it; opening it for writing brings it up to date.
    case tooOld
    /// A Leaflog between two releases wrote it, and no other opens it.
    case unreleased
    /// No such plant or entry.
    case notFound
    /// The start of an id that matches several.
    case ambiguous
    /// A plant, an activity or a factor of that name already exists.
    case nameTaken
    /// An invalid value.
    case invalid
    /// Conflicts with the existing rows, such as a day that is taken or a later change to what is undone.
    case conflict
  }

  package let code: Code
  package let message: String
  package let remedy: Remedy?
  /// The value that is not taken, with code `invalid`, where it is one field's.
  package private(set) var invalidValue: InvalidValue?

  package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  init(_ error: InvalidValue) {
    self.init(.invalid, error.description)
    invalidValue = error
  }

  package var description: String { message }
}

extension CatalogError {
  init(_ error: DatabaseError) {
    let reason = error.message ?? "error \(error.extendedResultCode.rawValue)"
    self =
      switch (error.resultCode, UniqueIndex(error)) {
      case (.SQLITE_FULL, _):
        CatalogError(
          .noSpace, "No space left for the catalog. Make room on the disk and run it again.")
      case (.SQLITE_READONLY, _), (.SQLITE_CANTOPEN, _), (.SQLITE_PERM, _):
        CatalogError(.readOnly, "The catalog cannot be written or opened: \(reason).")
      case (_, .day): CatalogError(.conflict, "That day has one already; there is one a day.")
      case (_, .completion): CatalogError(.conflict, "It was done on that day already.")
      case (_, .name): CatalogError(.nameTaken, "Another one has that name by now.")
      case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _):
        CatalogError(.damaged, "The catalog is damaged: \(reason).", remedy: .repair)
      default: CatalogError(.failed, "The catalog failed: \(reason).")
      }
  }
}

/// A disk without room for the catalog.
///
/// SQLite tells one that is full by `SQLITE_FULL`, but takes an exceeded quota for a fault of the disk. The system's errors
/// say what it was: that of the connection (https://www.sqlite.org/c3ref/system_errno.html), which a failed COMMIT does not
/// set, and those of its files (`SQLITE_FCNTL_LAST_ERRNO`).
enum FullDisk {
  /// Runs work on a connection, whose errors name a full disk.
  static func naming<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError { throw named(error, database) }
  }

  private static let writing: [ResultCode] = [
    .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
    .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP,
  ]

  static func mayBeCause(of error: DatabaseError) -> Bool {
    error.resultCode == .SQLITE_CANTOPEN || writing.contains(error.extendedResultCode)
  }

  static func named(_ error: DatabaseError, _ database: Database) -> DatabaseError {
    guard mayBeCause(of: error) else { return error }
    let files = [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].map {
      lastError(of: $0, database)
    }
    let errors = files + [sqlite3_system_errno(database.sqliteConnection)]
    // The error of a file stays until its next one.
    guard errors.contains(where: [ENOSPC, EDQUOT].contains), !errors.contains(EIO) else {
      return error
    }
    return DatabaseError(resultCode: .SQLITE_FULL, message: error.message)
  }

  /// The error of the last operation on a file of a connection; 0 if there was none.
  private static func lastError(of pointer: CInt, _ database: Database) -> CInt {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var error: CInt = 0
    sqlite3_file_control(database.sqliteConnection, nil, pointer, &file)
    guard let file, let methods = file.pointee.pMethods else { return 0 }
    _ = methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error)
    return error
  }
}

/// A unique index that rejected a row. SQLite names its columns only in the message of the error
/// (sqlite.org/rescode.html#constraint_unique).
enum UniqueIndex {
  /// The names of plants, activities and factors.
  case name
  /// The once-a-day kinds of entries.
  case day
  /// The days on which an activity was done.
  case completion

  init?(_ error: DatabaseError) {
    guard error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE, let columns = error.message else {
      return nil
    }
    if columns.contains("entry.localDay") {
      self = .day
    } else if columns.contains("completion.day") {
      self = .completion
    } else if columns.contains("foldedName") {
      self = .name
    } else {
      return nil
    }
  }
}

extension CatalogError {
  /// The error for a call that changes something within another one, such as in the closure of an edit.
  static let isChanging = CatalogError(
    .invalid,
    "The library cannot be changed from within another of its calls. Make one after the other.")
}

/// Errors for names that match nothing or several things.
extension CatalogError {
  /// How many candidates a message names.
  static let candidateCount = 5

  static func ambiguousName(_ name: String, _ candidates: [String]) -> CatalogError {
    let names = candidates.prefix(candidateCount).joined(separator: ", ")
    return CatalogError(.ambiguous, "“\(name)” could be any of: \(names).")
  }

  /// The error for an unknown name, which suggests similar ones, or has `list` as its remedy.
  ///
  /// - Parameters:
  ///   - noun: what has the name, such as “plant”.
  ///   - names: all existing names, in the order in which to suggest them.
  static func unknownName(
    _ name: String, _ noun: String, among names: [String], _ list: Remedy
  ) -> CatalogError {
    let typed = foldedName(String(name.prefix(80)))
    let near = names.filter { candidate in
      let folded = foldedName(candidate)
      return !typed.isEmpty && folded.hasPrefix(typed)
        || typed.editDistance(to: folded) <= (min(typed.count, folded.count) + 2) / 3
    }
    let message = "No \(noun) is called “\(shortened(name))”."
    guard !near.isEmpty else { return CatalogError(.notFound, message, remedy: list) }
    let meant = near.prefix(candidateCount).map { "“\($0)”" }.joined(separator: " or ")
    return CatalogError(.notFound, message + " Did you mean \(meant)?")
  }
}
