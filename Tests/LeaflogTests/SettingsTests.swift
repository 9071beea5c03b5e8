import Foundation
import Leaflog
import TestSupport
import Testing

/// The settings of a library.
@Suite struct SettingsTests {
  private func library() throws -> (TemporaryFolder, Library) {
    let folder = try TemporaryFolder()
    return (folder, try Library.create(at: folder.file("library")))
  }

  @Test(arguments: [
    (LibrarySetting.dayEnd, "7"), (.dayEnd, "-1"), (.dayEnd, "1.5"), (.dayEnd, ""),
    (.language, "fr"), (.language, ""), (.reminderTime, "25:00"),
  ])
  func `a value that makes no sense is refused, and nothing is changed`(
    setting: LibrarySetting, value: String
  ) throws {
    let (folder, library) = try library()
    defer { withExtendedLifetime(folder) {} }
    let former = try library.settings.value(of: setting)
    #expect(!library.settings.accepts(value, for: setting))
    #expect(throws: LeaflogError.self) { try library.settings.set(setting, to: value) }
    #expect(throws: LeaflogError.self) {
      try library.settings.set([setting: value, .reportName: "Ada"])
    }
    #expect(try library.settings.value(of: setting) == former)
    #expect(try library.settings.value(of: .reportName) == "")
    #expect(try library.history.page(limit: 10).changes.isEmpty)
  }

  @Test func `the language and the day's end are kept`() throws {
    let (folder, library) = try library()
    #expect(library.dayEnd == 0 && library.language == .auto)
    try library.settings.set([.dayEnd: " 4 ", .language: "DE"])
    let again = try Library.open(at: folder.file("library"), for: .reading)
    #expect(again.dayEnd == 4 && again.language == .de)
  }

  @Test func `several are one change, and those that stay are none`() throws {
    let (folder, library) = try library()
    defer { withExtendedLifetime(folder) {} }
    let symptom = try library.diary.addSymptom(
      Symptom(name: "cough", severity: try Severity(1)), at: RecordedTime("2026-03-01T12:00"),
      confirmed: [.late])
    try library.settings.set([.timeZone: "Asia/Tokyo", .reportName: "Ada", .reminder: "on"])
    #expect(try library.history.page(limit: 10).changes.count == 2)
    // What was recorded with its day stays.
    #expect(try library.diary.entry(symptom.id).time == symptom.time)
    try library.settings.set([.timeZone: "Asia/Tokyo", .reportName: "Ada"])
    #expect(try library.history.page(limit: 10).changes.count == 2)
    _ = try library.history.undo(nil)
    #expect(try library.settings.value(of: .reportName) == "")
  }
}
