import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// A library whose time zone this system does not know, as after a restore on an older one.
@Suite struct UnknownZoneTests {
  private let fixture: LibraryFixture
  private let library: Library
  private let symptom: Symptom

  init() throws {
    symptom = Symptom(name: "cough", severity: try Severity(2))
    fixture = try LibraryFixture(policy: .exact)
    fixture.clock.set(try #require(RecordedTime("2026-03-01T12:00Z")))
    try fixture.library.close()
    let path = fixture.folder.file("library")
    let catalog = try Catalog(
      path: path + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(path + "/lock"))))
    try catalog.write { try $0.settings.set(.timeZone, "Mars/Olympus_Mons") }
    try catalog.close()
    library = try Library.open(at: path, clock: fixture.clock.wallClock)
  }

  private func refusesZone(_ body: () throws -> Void) {
    let error = #expect(throws: LeaflogError.self) { try body() }
    #expect(error?.code == .invalidRequest && error?.remedy == .setTimeZone)
    #expect(error?.message.contains("Mars/Olympus_Mons") == true)
  }

  @Test func `it is read in UTC, with a warning`() throws {
    #expect(library.timeZone == .gmt && library.unknownTimeZone == "Mars/Olympus_Mons")
    #expect(library.zoneWarning?.contains("Mars/Olympus_Mons") == true)
    #expect(try library.timeline.page().elements.isEmpty)
    #expect(library.today == LocalDay("2026-03-01"))
    #expect(fixture.library.zoneWarning == nil)
  }

  @Test func `an entry of the present is a moment, and has its place once the zone is set`() throws
  {
    let entry = try library.diary.addSymptom(symptom)
    #expect(entry.time.basis == .instant && entry.time.instant == library.clock.now)
    try library.settings.set(.timeZone, to: "Asia/Tokyo")
    let again = try library.refreshed()
    #expect(again.unknownTimeZone == nil)
    let moved = try again.diary.entry(matching: "\(entry.id)").time
    #expect(moved.instant == entry.time.instant && moved.wall.hour == 21)
  }

  @Test func `a time that is entered needs an offset`() async throws {
    let wall = try #require(RecordedTime("2026-02-01T09:30"))
    let zoned = try #require(RecordedTime("2026-02-01T09:30+01:00"))
    refusesZone { _ = try library.diary.addSymptom(symptom, at: wall, confirmed: [.late]) }
    let entry = try library.diary.addSymptom(symptom, at: zoned, confirmed: [.late])
    refusesZone { _ = try library.diary.editSymptom(entry, at: wall) }
    let day = try #require(LocalDay("2026-02-02"))
    _ = try library.diary.setDailyLog(on: day) { $0.stress = 1 }

    let photo = Fixtures.path("Photos/monstera/IMG_0001.jpg")
    var request = ImportRequest(paths: [photo])
    request.time = wall
    let error = await #expect(throws: LeaflogError.self) {
      _ = try await Importer(library).run(request) { _ in }
    }
    #expect(error?.remedy == .setTimeZone)
    request.time = nil
    #expect(try await Importer(library).run(request) { _ in }.added == 1)
    let query = TimelineQuery(kinds: [.photo])
    let added = try #require(try library.timeline.page(query).elements.first)
    _ = try library.photos.edit(.photos([added.id])) { _ in zoned }
    refusesZone { _ = try library.photos.edit(.photos([added.id])) { _ in wall } }
  }

  @Test func `it is backed up, restored, verified, repaired and exported`() throws {
    let place = fixture.folder.file("backup")
    _ = try Backup(library).run(BackupRequest(path: place)) { _ in }
    let backup = try Library.open(at: place, for: .reading)
    let target = fixture.folder.file("restored")
    refusesZone {
      _ = try Restore(backup, to: target, at: RecordedTime("2026-03-01T12:30"))
    }
    _ = try Restore(backup, to: target, at: RecordedTime("2026-03-01T12:30Z"))
      .run { _ in }
    try Repairer.run(at: target, from: nil) { _ in }
    _ = try Verifier(Library.open(at: target)).run(VerifyRequest()) { _ in }
    // An export names the zone that its wall times are of.
    let path = fixture.folder.file("diary.json")
    _ = try DiaryExporter(library).writeJSON(into: .file(path))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("Mars/Olympus_Mons"))
  }
}
