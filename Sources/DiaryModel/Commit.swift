package import Fields
public import Foundation

/// A commit to the library as observers get it: what it touched, without any contents.
public struct Commit: Sendable, Hashable, Identifiable {
  /// The most entries that a commit names.
  public static let maxEntryCount = 1000

  /// The place of the commit in its line of commits, after which the next ones follow.
  public let position: CommitPosition
  /// The kinds of things that it touched, none for upkeep of the files and notes of Leaflog's own. Nil when that is not
  /// known, as of commits that are too old, and of other upkeep: then anything may have changed. Several such commits in a
  /// row are reported as the last one.
  public let kinds: Set<ChangeCount.Thing>?
  /// The plants that it touched, or whose photos, entries and activities it touched, before and after it.
  public let plants: Set<PlantID>
  /// The entries that it touched, or that show something that it has changed, such as the name of a plant, in the order in
  /// which they were added. Nil where `kinds` is, and when there are more than `maxEntryCount`: then any entry may have
  /// changed.
  public let entries: [TouchedEntry]?

  /// Its number; that of each commit is the next.
  public var id: Int { position.number }

  package init(
    at position: CommitPosition, kinds: Set<ChangeCount.Thing>?, plants: Set<PlantID> = [],
    entries: [TouchedEntry]? = nil
  ) {
    (self.position, self.kinds) = (position, kinds)
    (self.plants, self.entries) = (plants, entries)
  }
}

/// An entry that a commit touched.
public struct TouchedEntry: Sendable, Hashable, Identifiable {
  public let id: EntryID
  /// The kind of the entry.
  public let kind: EntryKind
  /// Whether it came to the timeline, changed, or left the timeline; the trash is not part of it.
  public let fate: ChangedThing.Fate

  package init(id: EntryID, kind: EntryKind, fate: ChangedThing.Fate) {
    (self.id, self.kind, self.fate) = (id, kind, fate)
  }
}

/// A place in a line of commits: the number of a commit, and the line that it belongs to.
///
/// A restore and a repair begin a new line, in which the same numbers stand for other commits. The text is
/// `LINE.NUMBER`, or the number alone where the line is not known.
public struct CommitPosition: Sendable, Hashable, LosslessStringConvertible {
  /// Nil before a library's first commit, and for a number of whichever line.
  public let line: UUID?
  /// The number of the commit in its line; 0 before the first.
  public let number: Int

  /// - Parameter line: nil for that of the library.
  public init(line: UUID? = nil, number: Int) { (self.line, self.number) = (line, number) }

  /// Nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, (1...18).contains(last.utf8.count),
      last.allSatisfy({ ("0"..."9").contains($0) }),
      let number = Int(last), parts.count <= 2
    else { return nil }
    guard parts.count == 2 else {
      self.init(number: number)
      return
    }
    guard let line = UUID(uuidString: String(parts[0])) else { return nil }
    self.init(line: line, number: number)
  }

  public var description: String {
    line.map { "\($0.uuidString.lowercased()).\(number)" } ?? "\(number)"
  }
}

extension CommitPosition: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension Kind<CommitPosition> {
  package static let commitPosition = Kind(
    .written(
      TextForm(
        takes: "a page's last, or the number of a commit",
        pattern: "^([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}[.])?[0-9]{1,18}$",
        isTaken: { CommitPosition($0) != nil })))
}

/// Some of the commits after a place.
public struct CommitPage: Sendable, Hashable {
  /// In their order; empty when there are no later ones.
  public let commits: [Commit]
  /// The place after which the next page begins.
  public let last: CommitPosition

  package init(_ commits: [Commit], last: CommitPosition) {
    (self.commits, self.last) = (commits, last)
  }
}
