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
    /// How many things of each kind its changes have added, edited or deleted.
    let things: [(thing: ChangeCount.Thing, count: Int)]
  }

  let here: Side
  let there: Side

  /// Compares a catalog with another one.
  ///
  /// - Parameter end: the head of the other one.
  /// - Returns: nil when one of the two is an ancestor of the other.
  init?(of catalog: Catalog, from other: Catalog, at end: Head) throws {
    guard let own = try catalog.read({ try $0.heads.current }),
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
    let counts = Dictionary(grouping: changes.flatMap(\.counts), by: \.thing)
    things = ChangeCount.Thing.allCases.compactMap { thing in
      counts[thing].map { (thing, $0.reduce(0) { $0 + $1.added + $1.changed + $1.deleted }) }
    }
  }

  fileprivate func text(in zone: TimeZone) -> String {
    var text = "\(commitCount) commit\(commitCount == 1 ? "" : "s")"
    if let since { text += " since \(since.text(in: zone))" }
    if things.isEmpty { return text }
    return text + " (" + things.map { "\($0.count) × \($0.thing.rawValue)" }.joined(separator: ", ")
      + ")"
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
