internal import BlobStorage
internal import DiaryCatalog
package import DiaryModel
package import Foundation
internal import SystemPackage

/// Entries to write into a library at once, bypassing the rules of the commands.
package struct DiaryFixture {
  private var drafts: [(time: RecordedTime, content: EntryContent, notes: String?)] = []

  package init() {}

  package mutating func add(
    _ content: EntryContent, at time: RecordedTime, notes: String? = nil
  ) {
    drafts.append((time, content, notes))
  }

  package mutating func add(_ log: DailyLog, on day: LocalDay) {
    add(.dailyLog(log), at: .day(day))
  }

  package mutating func add(_ episode: Episode, from start: LocalDay) {
    add(.episode(episode), at: .day(start))
  }

  package mutating func addSymptom(
    _ name: String, _ severity: Double, at time: RecordedTime
  ) throws {
    add(.symptom(Symptom(name: name, severity: try Severity(severity))), at: time)
  }

  /// Writes the entries into the library in a folder, which nothing else may write to meanwhile, and returns their ids.
  @discardableResult
  package func write(
    to library: String, in zone: TimeZone = .ofTestLibraries
  ) throws -> [EntryID] {
    let catalog = try Catalog(
      path: library + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(library + "/lock"))))
    let made = try catalog.add(
      drafts.map {
        EntryDraft(time: EntryTime($0.time, in: zone), notes: $0.notes, content: $0.content)
      }, as: .importDiary, now: Timestamp(milliseconds: 1_750_000_000_000))
    try catalog.close()
    return made.map(\.id)
  }
}

extension String {
  /// The day of a text in the form `YYYY-MM-DD`.
  package var day: LocalDay {
    guard let day = LocalDay(self) else { preconditionFailure("\(self) is no day") }
    return day
  }
}
