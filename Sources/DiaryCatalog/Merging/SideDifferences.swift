package import DiaryModel
internal import GRDB

/// The entries that one copy of a library has added, changed and removed since another state of it, compared by their
/// ids.
package struct SideDifferences {
  package private(set) var added: [EntryID] = []
  package private(set) var changed: [EntryID] = []
  /// Those on the timeline of the other state that are not even in the trash any more.
  package private(set) var removed: [EntryID] = []

  /// Walks both catalogs; only the ids of entries that differ are in memory.
  package init(of side: CatalogTables, since base: CatalogTables) throws {
    var (own, former) = (EntryWalk(side), EntryWalk(base))
    var (entry, other) = (try own.next(), try former.next())
    while entry != nil || other != nil {
      let order = Self.order(entry, other)
      switch (entry, other) {
      case (let entry?, _) where order < 0: added.append(entry.id)
      case (_, let other?) where order > 0:
        if other.deletedAt == nil { removed.append(other.id) }
      case (let entry?, let other?):
        if !EntryVersion(entry).isSame(as: EntryVersion(other)) { changed.append(entry.id) }
      default: break
      }
      if order <= 0 { entry = try own.next() }
      if order >= 0 { other = try former.next() }
    }
  }

  /// Negative when the first comes before the second; the end comes last.
  private static func order(_ first: Entry?, _ second: Entry?) -> Int {
    guard let first else { return 1 }
    guard let second else { return -1 }
    let (left, right) = (first.id.description, second.id.description)
    return left == right ? 0 : left < right ? -1 : 1
  }
}

/// All entries of a catalog in the order of their ids, a page at a time.
private struct EntryWalk {
  private let tables: CatalogTables
  private var page: ArraySlice<Entry> = []
  private var last = ""

  init(_ tables: CatalogTables) { self.tables = tables }

  mutating func next() throws -> Entry? {
    if page.isEmpty { page = try tables.entries.page(afterID: last)[...] }
    let entry = page.popFirst()
    if let entry { last = entry.id.description }
    return entry
  }
}

extension EntryTable {
  /// The next entries in the order of their ids, those in the trash included.
  fileprivate func page(afterID id: String) throws -> [Entry] {
    try fetch(
      EntrySelection.sql + " WHERE e.publicID > ? ORDER BY e.publicID LIMIT 500", [id])
  }
}
