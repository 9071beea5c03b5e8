import BlobStorage
import DiaryCatalog
import Foundation
import Leaflog
import TestSupport
import Testing

/// A library of sample photos and a diary, that was copied: `here` receives the changes of `there`, and `common` is as both
/// were.
struct DivergedCopies {
  let base: LibraryFixture
  let here: Library
  let there: Library
  var clock: TestClock { base.clock }

  init(
    _ photos: String = "Photos/basil", _ prepare: (Library) throws -> Void = { _ in }
  ) async throws {
    base = try LibraryFixture(policy: .exact)
    _ = try await base.run([photos.hasPrefix("/") ? photos : Fixtures.path(photos)])
    try prepare(base.library)
    try base.library.close()
    for name in ["there", "common"] {
      try FileManager.default.copyItem(atPath: base.library.path, toPath: base.folder.file(name))
    }
    here = try Library.open(at: base.library.path, clock: base.clock.wallClock)
    there = try Library.open(at: base.folder.file("there"), clock: base.clock.wallClock)
    base.clock.pass(days: 1)
  }

  private func bringing(isCommonKnown: Bool) throws -> LibraryMerge {
    try LibraryMerge(
      from: OpenBackup(.folder(there.path)), into: here,
      since: isCommonKnown ? OpenBackup(.folder(base.folder.file("common"))) : nil)
  }

  func survey(isCommonKnown: Bool = true) throws -> LibraryMergeSurvey {
    try bringing(isCommonKnown: isCommonKnown).survey()
  }

  /// Brings the changes over, and checks that the survey has foretold it, that a second run changes nothing, and that the
  /// library is whole.
  @discardableResult
  func bringOver(
    isCommonKnown: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LibraryMergeSurvey {
    let survey = try survey(isCommonKnown: isCommonKnown)
    let summary = try bringing(isCommonKnown: isCommonKnown).run()
    #expect(summary.survey == survey, sourceLocation: sourceLocation)
    #expect(summary.damageCount == 0 && !summary.isInterrupted, sourceLocation: sourceLocation)
    let (after, commit) = (try dump(), try generation())
    let again = try bringing(isCommonKnown: isCommonKnown).run()
    #expect(again.survey.isEmpty, "\(again.survey.counts)", sourceLocation: sourceLocation)
    let changes = try dump().changes(since: after)
    #expect(changes == [], "\(changes)", sourceLocation: sourceLocation)
    #expect(try generation() == commit, sourceLocation: sourceLocation)
    var full = VerifyRequest()
    full.readsEverything = true
    let damage = try Verifier(here).run(full) {
      Issue.record("\($0.message)", sourceLocation: sourceLocation)
    }
    #expect(damage.damageCount == 0, sourceLocation: sourceLocation)
    return survey
  }

  private func generation() throws -> Int {
    try Catalog(path: here.path + "/catalog.sqlite", access: .readOnly).generation()
  }

  func dump() throws -> CatalogDump { try CatalogDump(path: here.path + "/catalog.sqlite") }

  /// What of the catalog an undo restores: not the rows of blobs, which only wait for the next prune.
  func undoable() throws -> Set<String> {
    try dump().lines.filter { !$0.hasPrefix("blob: ") && !$0.hasPrefix("trashedBlob: ") }
  }

  func inTrash(_ library: Library) throws -> [Entry] {
    try library.timeline.page(TimelineQuery(deleted: true), limit: 1000).elements
  }
}

extension Library {
  func entry(_ id: EntryID) throws -> Entry { try diary.entry(id) }

  func all() throws -> [Entry] { try timeline.page(limit: 1000).elements }

  func first(_ kind: EntryKind) throws -> Entry {
    try #require(try diary.entries(of: kind).first)
  }
}

extension LibraryMergeSurvey {
  func count(_ thing: ChangeCount.Thing) -> [Int] {
    counts.first { $0.thing == thing }.map { [$0.added, $0.changed, $0.deleted] } ?? []
  }

  /// Reason, thing and field of each conflict.
  var disagreements: [String] {
    conflicts.map {
      [$0.reason.rawValue, $0.thing.rawValue, $0.field ?? ""].joined(separator: " ")
    }
    .sorted()
  }
}
