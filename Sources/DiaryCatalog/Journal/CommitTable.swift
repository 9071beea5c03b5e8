package import DiaryModel
internal import Foundation
internal import GRDB

/// The owner of `otherCommit`, by which commits are known that are no steps of changes. It also reads the
/// commits that observers get.
package struct CommitTable: CatalogTable {
  let database: Database

  private static let name = "otherCommit"
  /// The rows of older commits are dropped.
  private static let maxCount = 10_000
  /// A page of commits ends once it names more entries than this.
  private static let maxEntryCountOfPage = 5000

  /// Notes a commit that has undone or redone a change, or has touched nothing. It does nothing for others: a step of a
  /// change is in `changeStep`, and what further upkeep has touched is not known.
  func note(_ commit: Int, _ label: FrameLabel, _ changeset: Changeset) throws {
    // Neither a migration nor a commit that stands for lost ones has touched nothing.
    guard label.isStep == nil, label.formerSchema == nil,
      !changeset.isEmpty || label != FrameLabel(), try isInCatalog(Self.name)
    else { return }
    let isUndo = label.change.map { $0.undoneBy == Int64(commit) } ?? false
    if label.change == nil, try !isSilent(changeset) { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO \(Self.name) (id, changeID, isUndo, digest)
        VALUES (?1, ?2, ?3, rowDigest('\(Self.name)', ?1, ?2, ?3))
        """
    ).execute(arguments: [commit, label.change?.id, isUndo])
    try database.cachedStatement(
      sql: """
        DELETE FROM \(Self.name) WHERE id <= (SELECT id FROM \(Self.name) ORDER BY id DESC
          LIMIT 1 OFFSET \(Self.maxCount))
        """
    ).execute()
  }

  /// Forgets which commits touched nothing, too: those between them are no longer known.
  func removeAll() throws {
    if try isInCatalog(Self.name) { try database.execute(sql: "DELETE FROM \(Self.name)") }
  }

  /// Whether a changeset has nothing but the store, fetched quotes and Leaflog's own notes.
  private func isSilent(_ changeset: Changeset) throws -> Bool {
    struct Found: Error {}
    let columns = ChangeTally.Columns(database)
    let others = try changeset.limited {
      !["blob", "trashedBlob", "retiredKey", "sourceFile", "dayQuote"].contains($0)
    }
    do {
      try others.forEach { row in
        switch row.table {
        case "quote":
          if try columns.isOwnQuote(row) { throw Found() }
        case "setting":
          let key = row.key.values.first?.text
          if SettingKey.chosen.contains(where: { $0.rawValue == key }) { throw Found() }
        default: throw Found()
        }
      }
    } catch is Found { return false }
    return true
  }

  /// The place of the newest commit.
  package var newest: CommitPosition {
    get throws {
      try CommitPosition(line: tables.place.lineage, number: tables.settings.generation)
    }
  }

  /// The commits after one, oldest first, up to the last or `limit` of them. A page ends before when these name many
  /// entries.
  ///
  /// - Parameter last: a place of another line, or of a commit that is still to come, is from another library, or from a
  ///   time before this one was restored; then the last commit is returned as one that may have changed anything.
  package func page(after last: CommitPosition, limit: Int) throws -> CommitPage {
    let newest = try newest
    func unknown(_ number: Int) -> Commit {
      Commit(at: CommitPosition(line: newest.line, number: number), kinds: nil)
    }
    let isOfLine = last.line.map { $0 == newest.line } ?? true
    guard isOfLine, last.number <= newest.number else {
      return CommitPage([unknown(newest.number)], last: newest)
    }
    var (commits, reported, entryCount) = ([Commit](), last.number, 0)
    for commit in try known(after: last.number, limit: limit) {
      if commit.id > reported + 1 { commits.append(unknown(commit.id - 1)) }
      guard commits.count < limit, entryCount < Self.maxEntryCountOfPage else { break }
      commits.append(
        try self.commit(commit, at: CommitPosition(line: newest.line, number: commit.id)))
      reported = commit.id
      entryCount += commits.last?.entries?.count ?? Commit.maxEntryCount
    }
    if commits.count < limit, entryCount < Self.maxEntryCountOfPage, reported < newest.number {
      commits.append(unknown(newest.number))
    }
    return CommitPage(commits, last: commits.last?.position ?? newest)
  }

  /// A commit of which it is known what it did.
  private struct KnownCommit {
    let id: Int
    /// Nil where it touched nothing.
    let change: Int64?
    /// Nil for a step.
    let isUndo: Bool?
  }

  private func known(after last: Int, limit: Int) throws -> [KnownCommit] {
    let others =
      try isInCatalog(Self.name)
      ? """
      UNION ALL SELECT * FROM (SELECT id, changeID, isUndo FROM \(Self.name) WHERE id > ?1
        ORDER BY id LIMIT ?2)
      """ : ""
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM (SELECT id, changeID, NULL FROM changeStep WHERE id > ?1 ORDER BY id LIMIT ?2)
        \(others) ORDER BY 1 LIMIT ?2
        """, arguments: [last, limit]
    ).map { KnownCommit(id: $0[0], change: $0[1], isUndo: $0[2]) }
  }

  private func commit(_ commit: KnownCommit, at position: CommitPosition) throws -> Commit {
    var touched = try TouchedThings(database)
    let isUndo = commit.isUndo ?? false
    if commit.isUndo == nil {
      try touched.add(tables.history.changeset(ofStep: Int64(commit.id)))
    } else if let change = commit.change {
      // An import that was undone and redone may have gone on since.
      let steps = try tables.history.steps(of: change).filter { $0 < commit.id }
      for step in isUndo ? steps.reversed() : steps {
        try touched.add(tables.history.changeset(ofStep: step), isInverted: isUndo)
      }
    }
    return try touched.commit(at: position)
  }
}
