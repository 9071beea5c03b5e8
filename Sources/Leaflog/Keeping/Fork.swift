internal import DiaryCatalog
internal import Foundation
internal import Journal

/// Two copies of a library that have gone different ways, with the changes of each that the other lacks.
struct Fork {
  /// The changes of one side since the last common commit.
  struct Side {
    let commitCount: Int
    /// When the first of them was made; nil if their history is not kept.
    let since: Timestamp?
    /// How many changes of each kind there are.
    let kinds: [(kind: ChangeKind, count: Int)]
  }

  let here: Side
  let there: Side

  /// Compares a catalog with another one.
  ///
  /// - Parameter head: the head of the other one; nil takes its newest.
  /// - Returns: nil when one of the two is an ancestor of the other.
  init?(of catalog: Catalog, from other: Catalog, at head: Head? = nil) throws {
    guard let end = try head ?? other.read({ try $0.heads.current }),
      let own = try catalog.read({ try $0.heads.current }),
      try !catalog.read({ try $0.heads.contains(end) }),
      try !other.read({ try $0.heads.contains(own) })
    else { return nil }
    here = try Side(of: catalog, besides: other)
    there = try Side(of: other, besides: catalog)
  }

  /// Both sides in a sentence.
  func description(here name: String, there other: String, in zone: TimeZone) -> String {
    "\(name) has \(here.text(in: zone)) that \(other) lacks; \(other) has \(there.text(in: zone)) that are not here."
  }
}

extension Fork.Side {
  fileprivate init(of catalog: Catalog, besides other: Catalog) throws {
    let known = Set(try other.read { try $0.heads.all() }.map(\.head))
    let (count, common) = try catalog.read { try $0.heads.ahead(of: known) }
    let changes = try catalog.read { try $0.history.changes(after: common) }
    commitCount = count
    since = changes.map(\.madeAt).min()
    kinds = Dictionary(grouping: changes, by: \.kind).map { ($0, $1.count) }
      .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
  }

  fileprivate func text(in zone: TimeZone) -> String {
    var text = "\(commitCount) commit\(commitCount == 1 ? "" : "s")"
    if let since {
      text += " since \(EntryTime(.instant(since), in: zone).wall)"
    }
    if !kinds.isEmpty {
      text +=
        " (" + kinds.prefix(5).map { "\($0.count) × \($0.kind.rawValue)" }.joined(separator: ", ")
      text += kinds.count > 5 ? ", …)" : ")"
    }
    return text
  }
}

extension Library {
  /// Begins a line of commits of its own, so that what is kept of it is never mixed up with that of another copy of the
  /// library.
  func beginOwnLine() throws {
    try catalog.beginLineage(after: nil)
    try CatalogJournal(of: catalog).settle()
  }
}
