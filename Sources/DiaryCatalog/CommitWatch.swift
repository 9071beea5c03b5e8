internal import GRDB

/// Tells how many commits a catalog has seen, of whichever process, on a connection that never waits: in microseconds,
/// and without a thread that may block.
package final class CommitWatch: Sendable {
  private let connection: DatabaseQueue

  package init(_ catalog: Catalog) throws {
    connection = try Catalog.translating {
      try Catalog.openReadOnly(catalog.path, busyMode: .immediateError)
    }
  }

  /// - Returns: nil when it cannot be told at once, as while another process recovers the log.
  package var generation: Int? {
    try? connection.unsafeRead { try SettingTable(database: $0).generation }
  }
}
