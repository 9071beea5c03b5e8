import Foundation
import Leaflog
import TestSupport
import Testing

/// A lost catalog is made again from whatever leads furthest, the library's or the backup's.
@Suite struct RepairFromBackupTests {
  private let fixture: PastFixture

  init() throws { fixture = try PastFixture() }

  private func rescue() throws -> CatalogRescueReport {
    try CatalogRescue(at: fixture.path).run(from: fixture.place)
  }

  private func isOfBackup(_ report: CatalogRescueReport) -> Bool {
    if case .backup = report.start { true } else { false }
  }

  @Test func `of a library without snapshots and journal the backup's catalog is taken`() throws {
    try fixture.add("fern")
    try fixture.backUp()
    let before = try fixture.tables()
    try fixture.remove("library/catalog.sqlite", "library/snapshots", "library/journal")
    let report = try rescue()
    #expect(isOfBackup(report) && report.commitCount == 0)
    #expect(try fixture.tables() == before)
    // It is the library's from now on, and its next backup goes where the last one was.
    try fixture.reopen()
    try fixture.add("ivy")
    try fixture.backUp()
    #expect(try fixture.tables(at: fixture.now) == fixture.tables())
  }

  @Test func `the library's own commits come on top of the backup's catalog`() throws {
    try fixture.library.store.takeSnapshot()
    try fixture.add("fern")
    try fixture.backUp()
    try fixture.add("ivy")
    try fixture.add("moss")
    let before = try fixture.tables()
    try fixture.remove("library/catalog.sqlite")
    let report = try rescue()
    #expect(isOfBackup(report) && report.losses.isEmpty)
    #expect(report.commitCount == 2 && report.backupCommitCount == 0)
    #expect(try fixture.tables() == before)
  }

  @Test func `frames that the library has lost are the backup's`() throws {
    try fixture.library.store.takeSnapshot()
    try fixture.backUp()
    for name in ["fern", "ivy", "moss"] { try fixture.add(name) }
    try fixture.backUp()
    try fixture.add("oak")
    let before = try fixture.tables()
    try fixture.remove("library/catalog.sqlite")
    // Of the backup the frames alone are left, and of the library's own one is damaged.
    for file in fixture.folder.files(below: "backup/snapshots") {
      try FileManager.default.removeItem(atPath: fixture.folder.file("backup/snapshots/" + file))
    }
    try FileManager.default.removeItem(atPath: fixture.place + "/catalog.sqlite")
    let journal = try #require(fixture.folder.files(below: "library/journal").last)
    let path = fixture.folder.file("library/journal/" + journal)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(data.range(of: Data("ivy".utf8))?.lowerBound)
    data[place] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
    let report = try rescue()
    #expect(report.losses.isEmpty && report.backupCommitCount == 1 && report.commitCount == 4)
    #expect(try fixture.tables() == before)
  }

  @Test func `a sound catalog stays, and so does one that leads further than the backup`() throws {
    try fixture.add("fern")
    try fixture.backUp()
    try fixture.add("ivy")
    try fixture.library.store.takeSnapshot()
    let before = try fixture.tables()
    try fixture.library.close()
    #expect(!CatalogRescue.isNeeded(at: fixture.path))
    #expect(try !rescue().wasLost)
    #expect(try fixture.tables() == before)
    try fixture.remove("library/catalog.sqlite")
    #expect(try !isOfBackup(rescue()))
    #expect(try fixture.tables() == before)
  }

  @Test func `a newer backup of a line that was replaced does not come back`() throws {
    try fixture.backUp()
    let old = fixture.folder.file("old")
    try FileManager.default.copyItem(atPath: fixture.place, toPath: old)
    for name in ["fern", "ivy", "moss", "oak"] { try fixture.add(name) }
    try fixture.backUp()
    try fixture.remove("library")
    let backup = try Library.open(at: old, for: .reading)
    _ = try Restore(backup, to: fixture.path).run { _ in }
    try fixture.reopen()
    try fixture.add("new")
    let before = try fixture.tables()
    try fixture.remove("library/catalog.sqlite")
    #expect(try !isOfBackup(rescue()))
    #expect(try fixture.tables() == before)
  }

  @Test func `a backup of another library, and one that was worked in, tell nothing`() throws {
    try fixture.add("fern")
    try fixture.backUp()
    let other = try PastFixture()
    try other.add("other")
    try other.remove("library/catalog.sqlite", "library/snapshots", "library/journal")
    let report = try CatalogRescue(at: other.path).run(from: fixture.place)
    #expect(report.start == .nothing && report.commitCount == 0)
    try other.reopen()
    #expect(try other.library.plants.all().isEmpty)
  }
}
