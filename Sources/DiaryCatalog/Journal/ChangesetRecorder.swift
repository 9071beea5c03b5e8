internal import CSQLiteSession
internal import Foundation
internal import GRDB

/// Records all changes to a database from its creation on.
///
/// It is a session of SQLite and must be deallocated before its connection is closed.
final class ChangesetRecorder {
  private let session: OpaquePointer

  init(_ database: Database) throws {
    var session: OpaquePointer?
    let code = sqlite3session_create(database.sqliteConnection, "main", &session)
    guard code == SQLITE_OK, let session else {
      throw CatalogError(.failed, "What is changed cannot be recorded (SQLite's error \(code)).")
    }
    self.session = session
    sqlite3session_table_filter(
      session,
      { _, table in
        guard let table else { return 0 }
        return Changeset.isRecorded(String(cString: table)) ? 1 : 0
      }, nil)
    try Changeset.check(sqlite3session_attach(session, nil))
  }

  deinit { sqlite3session_delete(session) }

  /// The changes so far; a row that was changed several times appears once.
  func changeset() throws -> Changeset {
    var count: CInt = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else {
      throw CatalogError(.failed, "What was changed was not recorded (SQLite's error \(code)).")
    }
    return Changeset(bytes: bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data())
  }
}
