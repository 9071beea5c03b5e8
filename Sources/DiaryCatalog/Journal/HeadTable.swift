internal import Foundation
internal import GRDB
package import Journal

/// The owner of `head` and `newestFrame`: the heads of all commits that led to the catalog, and of lines of commits that
/// it has replaced, and the newest commit's frame. Neither table is in a changeset, and no head is ever removed.
package struct HeadTable: CatalogTable {
  let database: Database

  /// A head, with the number of its commit.
  package struct Ancestor: Sendable, Hashable, Codable {
    package let head: Head
    package let commit: Int

    package init(head: Head, commit: Int) { (self.head, self.commit) = (head, commit) }
  }

  /// Frames with more bytes are not kept in the catalog; a snapshot takes their place.
  private static let maxByteCount = 4 << 20

  /// The head of the newest commit; nil before the first.
  package var current: Head? {
    get throws {
      try Data.fetchOne(
        database.cachedStatement(sql: "SELECT hash FROM newestFrame")
      ).flatMap { Head($0) }
    }
  }

  /// The frame of the newest commit; nil if it was too large to be kept, or its words were forgotten.
  var newestFrame: Frame? {
    get throws {
      try Data.fetchOne(database, sql: "SELECT bytes FROM newestFrame WHERE bytes IS NOT NULL")
        .flatMap { Frame($0) }
    }
  }

  /// Whether the newest commit's frame is kept here.
  var hasNewestBytes: Bool {
    get throws {
      try Int.fetchOne(database, sql: "SELECT 1 FROM newestFrame WHERE bytes IS NOT NULL") != nil
    }
  }

  /// Whether a head is that of an ancestor: of this catalog, or of one that it has replaced.
  package func contains(_ head: Head) throws -> Bool {
    if head == .none { return true }
    return try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM head WHERE hash = ?"), arguments: [head.bytes])
      != nil
  }

  /// Makes a frame the newest one.
  func add(_ frame: Frame) throws {
    try add([Ancestor(head: frame.head, commit: frame.commit)])
    let bytes = frame.bytes.count <= Self.maxByteCount ? frame.bytes : nil
    try database.cachedStatement(
      sql: """
        INSERT INTO newestFrame (id, hash, bytes) VALUES (0, ?, ?)
        ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, bytes = excluded.bytes
        """
    ).execute(arguments: [frame.head.bytes, bytes])
  }

  /// Adds the heads of a line of commits that this catalog replaces.
  ///
  /// - Returns: those that were not known.
  @discardableResult
  package func add(_ ancestors: some Sequence<Ancestor>) throws -> [Ancestor] {
    let statement = try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO head (hash, number) VALUES (?, ?)")
    var (added, sum): ([Ancestor], StateSum) = ([], .zero)
    for ancestor in ancestors {
      try statement.execute(arguments: [ancestor.head.bytes, ancestor.commit])
      guard database.changesCount > 0 else { continue }
      added.append(ancestor)
      sum += StateTable.digest(of: ancestor)
    }
    try tables.state.add(sum)
    return added
  }

  /// All heads, the newest last. Those that are damaged are left out, as a repair reads them, too.
  package func all() throws -> [Ancestor] {
    try Row.fetchAll(database, sql: "SELECT hash, number FROM head ORDER BY number").compactMap {
      row in
      guard let head = (row[0] as Data?).flatMap({ Head($0) }), let commit = row[1] as Int? else {
        return nil
      }
      return Ancestor(head: head, commit: commit)
    }
  }

  /// The number of commits that are not among the heads of another catalog, and the last common one.
  package func ahead(of other: Set<Head>) throws -> (commitCount: Int, common: Int) {
    let all = try all()
    return (
      all.count { !other.contains($0.head) },
      all.last { other.contains($0.head) }?.commit ?? 0
    )
  }

  /// Forgets the newest frame's bytes, as its words are to be forgotten. A snapshot takes its place.
  func forgetBytes() throws { try database.execute(sql: "UPDATE newestFrame SET bytes = NULL") }
}
