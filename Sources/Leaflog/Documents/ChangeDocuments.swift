package import Fields
internal import Foundation
internal import Hashing

extension Change: Shown {
  package static let shown = Fields<Change>([
    Field(adding: "id", .number) { Int($0.id) },
    Field(adding: "kind", .choice) { $0.kind },
    // The command as it was typed; absent when another program made the change.
    Field(adding: "command", .text) { $0.origin },
    Field(adding: "madeAt", .moment) { $0.madeAt },
    Field(adding: "undone", .flag) { $0.isUndone },
    Field(adding: "counts", each: ChangeCount.shown) { $0.counts },
    // The first few; `furtherCount` has the number of the others.
    Field(adding: "things", each: ChangedThing.shown) { $0.things },
    Field(adding: "furtherCount", .count) { $0.furtherCount },
    // Absent when nothing is known to be in the way of undoing it, or of redoing it once it is undone.
    Field(adding: "obstacle", .text) { $0.blocker?.message },
  ]).named("Change")
}

extension ChangedThing {
  package static let shown = Fields<ChangedThing>([
    Field(adding: "thing", .choice) { $0.thing }, Field(adding: "fate", .choice) { $0.fate },
    // Of a setting, its name.
    Field(adding: "id", .text) { $0.setting?.rawValue ?? $0.id },
    Field(adding: "title", .text) { $0.title },
    Field(adding: "day", .day) { $0.entry?.time.localDay },
    Field(adding: "thumbnail", .digest) { $0.entry?.photo?.thumbnail },
    Field(adding: "fields", each: ChangedField.shown) { $0.fields },
  ]).named("ChangedThing")

  /// The setting; nil for any other thing.
  package var setting: LibrarySetting? {
    guard case .setting(let key) = subject else { return nil }
    return LibrarySetting.allCases.first { $0.key?.rawValue == key }
  }
}

extension ChangedField {
  package static let shown = Fields<ChangedField>([
    Field(adding: "name", .text) { $0.name },
    Field(adding: "old", .text) { $0.oldText }.orNull(),
    Field(adding: "new", .text) { $0.newText }.orNull(),
  ])
}

extension ChangeCount {
  package static let shown = Fields<ChangeCount>([
    Field(adding: "thing", .choice) { $0.thing }, Field(adding: "added", .count) { $0.added },
    Field(adding: "changed", .count) { $0.changed },
    Field(adding: "deleted", .count) { $0.deleted },
  ]).named("ChangeCount")
}

extension Commit: Shown {
  package static let shown = Fields<Commit>([
    Field(adding: "number", .number) { $0.id },
    // Null when it is not known: then anything may have changed.
    Field(adding: "kinds", .choices()) { commit in
      commit.kinds.map { kinds in ChangeCount.Thing.allCases.filter(kinds.contains) }
    }.orNull(),
    Field(adding: "plants", .texts) { $0.plants.map(\.description).sorted() },
    // Null when they are not known, or more than `Commit.maxEntryCount`: then any entry may have changed.
    Field(adding: "entries", each: TouchedEntry.shown) { $0.entries }.orNull(),
  ]).named("Commit")
}

extension TouchedEntry: Shown {
  package static let shown = Fields<TouchedEntry>([
    Field(adding: "id", .id) { $0.id }, Field(adding: "kind", .choice) { $0.kind },
    Field(adding: "fate", .choice) { $0.fate },
  ]).named("TouchedEntry")
}

/// Some of the commits after a place.
extension CommitPage: Shown {
  package static let shown = Fields<CommitPage>([
    Field(adding: "items", each: Commit.shown) { $0.commits },
    // The `after` of the next page, which may be empty.
    Field(adding: "last", .commitPosition) { $0.last },
  ]).named("CommitPage")
}

/// A page of the history.
extension History: Shown {
  package static let shown = Fields<History>([
    Field(adding: "items", each: Change.shown) { $0.changes },
    // The number before which the next page begins.
    Field(adding: "next", .cursor) { history in
      history.hasMore ? history.changes.last.map { "\($0.id)" } : nil
    }.orNull(),
  ]).named("History")
}

extension ChangeKind: FieldValue {}
extension ChangeCount.Thing: FieldValue {}
extension ChangedThing.Fate: FieldValue {}

/// The result of editing entries: a listing of those that were changed.
package struct EditDocument: Shown {
  private struct Failure: Shown {
    let entry: EntryID
    let message: String

    static let shown = Fields<Failure>([
      Field(adding: "id", .id) { $0.entry }, Field(adding: "message", .text) { $0.message },
    ])
  }

  private let items: [Entry]
  private let unchanged: Int?
  private let failed: [Failure]?
  /// Why nothing was changed; nil unless it is a dry run.
  private let dryRunReason: String?

  /// - Parameter words: returns a failure's message, with its remedy worded for the interface.
  package init(_ result: EditResult, words: (EditResult.Failure) -> String) {
    items = result.changed
    unchanged = result.unchangedCount
    failed = result.failures.map { Failure(entry: $0.entry.id, message: words($0)) }
    dryRunReason = nil
  }

  /// Entries that would be edited.
  package init(wouldEdit entries: [Entry], reason: String) {
    items = entries
    (unchanged, failed) = (nil, nil)
    dryRunReason = reason
  }

  package static let shown = Fields<EditDocument>([
    Field(adding: "items", each: Entry.shown) { $0.items },
    Field(adding: "next", .cursor) { _ in nil }.orNull(),
    Field(adding: "unchanged", .count) { $0.unchanged },
    Field(adding: "failed", each: Failure.shown) { $0.failed },
    Field(adding: "dryRun", .flag) { $0.dryRunReason.map { _ in true } },
    Field(adding: "reason", .text) { $0.dryRunReason },
  ]).named("Edit")
}

/// A thing that several clients may edit, which detect conflicts by its version.
package protocol Versioned {
  /// A text that stays the same as long as nothing editable changes.
  var version: String { get }
}

extension Versioned {
  /// SHA-256 of the version, in hexadecimal digits.
  package var versionDigest: String {
    SHA256.digest(of: version.utf8).map { String(format: "%02x", $0) }.joined()
  }
}

extension Entry: Versioned {
  package var version: String { JSON.line(self) }
}

extension Plant: Versioned {
  // Photos are left out: they come and go without the plant being edited.
  package var version: String {
    var (single, listed): ([Scalar], [Scalar]) = ([], [])
    for field in PlantDetails.fields.all {
      let value = field.get(details)
      if case .list(let items) = value { listed += items } else { single.append(value) }
    }
    let deletedAt = deletedAt.map { Scalar.text("\($0.milliseconds)") } ?? .null
    return JSON.line(.list([.text(id.description)] + single + [deletedAt] + listed))
  }
}

extension Activity: Versioned {
  package var version: String {
    JSON.line(Scalar(texts: [id.description, plant?.id.description, "\(rank)"]))
      + String(decoding: ActivityDetails.fields.json(details), as: UTF8.self)
  }
}

extension Factor: Versioned {
  package var version: String {
    // With the number of its values, as a deletion removes these, too.
    JSON.line(Scalar(texts: [id.description, "\(rank)", "\(valueCount)"]))
      + String(decoding: FactorDetails.fields.json(details), as: UTF8.self)
  }
}

extension Scalar {
  fileprivate init(texts: [String?]) { self = .list(texts.map { $0.map { .text($0) } ?? .null }) }
}
