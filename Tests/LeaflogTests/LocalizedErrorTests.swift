import Foundation
import Leaflog
import TestSupport
import Testing

/// Errors as user interfaces show them.
@Suite struct LocalizedErrorTests {
  @Test func `an error's localized description is its sentence`() throws {
    let library = try LibraryFixture().library
    let error = #expect(throws: LeaflogError.self) { try library.plants.find(matching: "basil") }
    let shown = try #require(error)
    #expect((shown as any Error).localizedDescription == "No plant is called “basil”.")
    #expect(shown.localizedDescription == shown.message)
    #expect(shown.recoverySuggestion == "Look up the names of the plants.")
    let plain: any Error = LeaflogError(.failed, "That did not work.")
    #expect(plain.localizedDescription == "That did not work.")
    #expect((plain as? any LocalizedError)?.recoverySuggestion == nil)
  }

  @Test func `a value that is not taken is described by its sentence`() {
    let error: any Error = InvalidValue("sleepHours", takes: "0 to 12", given: 13)
    #expect(error.localizedDescription == "Sleep hours must be 0 to 12, not 13.")
  }

  @Test func `a doubt suggests how to confirm it`() throws {
    let library = try LibraryFixture().library
    let error = #expect(throws: LeaflogError.self) {
      try library.diary.addSymptom(
        Symptom(name: "itch", severity: Severity(2)), at: RecordedTime("2020-01-01"))
    }
    #expect(error?.code == .unconfirmed)
    #expect(error?.localizedDescription == "That was more than 48 hours ago.")
    #expect(
      error?.recoverySuggestion == "Confirm that the time is right although it is long ago.")
  }

  @Test(arguments: [
    Remedy.deleteUnedited(change: 4, orUndo: nil), .deleteUnedited(change: 4, orUndo: 7),
    .undoFirst(change: 7), .waive(.clock), .resolveForkOrWaive(.otherLines), .repair,
  ])
  func `a suggestion is a sentence, and names no command`(remedy: Remedy) {
    let text = remedy.suggestion
    #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
    #expect(!text.contains("`") && !text.contains("--"), "\(text)")
  }
}
