import BlobStorage
import DiaryCatalog
import Foundation
import Leaflog
import SystemPackage
import TestSupport

/// Times `today`, a timeline page, a year's insights, the quote of the day and an export as whole commands, in a
/// library with entries of all kinds, compared with the smallest command that loads libvips.
struct DiaryBenchmark {
  let entryCount: Int

  func run() throws {
    let folder = try TemporaryFolder(inMemory: false)
    let library = try Library.create(
      at: folder.path, Library.Settings(timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt))
    let filling = ContinuousClock.now
    try fill(folder, library)
    let statistics = try library.store.statistics()
    try library.close()
    print("made in \(Int((ContinuousClock.now - filling).inSeconds)) s:")
    for (kind, count) in statistics.entryCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      print("  \(kind.rawValue) \(count)")
    }
    try measure(folder)
  }

  /// Runs all commands in turn, so that other load on the machine affects them equally.
  private func measure(_ folder: TemporaryFolder) throws {
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    let commands = [
      ["vips", "--version"],
      [binary, "today", "--library", folder.path],
      [binary, "timeline", "--library", folder.path],
      [binary, "insights", "--days", "365", "--library", folder.path],
      [binary, "quote", "--library", folder.path],
      [binary, "export", "json", "-o", folder.file("diary.json"), "--library", folder.path],
    ]
    let names = ["vips --version", "today", "timeline", "insights", "quote", "export json"]
    var times: [[Double]] = commands.map { _ in [] }
    for round in 0..<21 {
      for (index, command) in commands.enumerated() {
        let run = try Measurement.run(command)
        precondition(run.status == 0)
        if round > 0 { times[index].append(run.seconds * 1000) }
      }
    }
    let medians = times.map(Measurement.median)
    for (name, median) in zip(names, medians) {
      print(
        name.padding(toLength: 16, withPad: " ", startingAt: 0)
          + String(format: "%7.1f ms, ratio %.2f", median, median / medians[0]))
    }
  }

  /// Fills ten years up to today: logs, moods and completions for each day, photos and symptoms for the rest, and an
  /// episode every two months.
  private func fill(_ folder: TemporaryFolder, _ library: Library) throws {
    let catalog = try Catalog(
      path: folder.file("catalog.sqlite"),
      access: .readWrite(lock: FileLock(FilePath(folder.file("lock")))))
    defer { try? catalog.close() }
    let now = EntryTime(library.now, in: library.timeZone)
    let dayCount = min(3650, entryCount / 8)
    let days = (0..<dayCount).map { now.localDay.advanced(by: -$0) }
    let activities = try (0..<3).map { number in
      try library.activities.add(
        ActivityDetails(
          name: "activity \(number)", startFrom: now.localDay.advanced(by: -dayCount),
          everyDays: 1 + number))
    }
    var drafts = try days.flatMap { try self.drafts($0, activities, library.timeZone) }
    for start in stride(from: 40, to: dayCount, by: 60) {
      let first = now.localDay.advanced(by: -start)
      let episode = Episode(
        endDay: first.advanced(by: 6), type: .cold, symptoms: [.cough, .fever], severity: 3)
      drafts.append(
        EntryDraft(
          time: EntryTime(.day(first), in: library.timeZone), content: .episode(episode)))
    }
    let photos = (entryCount - drafts.count) / 2
    for number in 0..<(entryCount - drafts.count - photos) {
      let time = Timestamp(milliseconds: now.instant.milliseconds - Int64(number) * 7_000_000)
      let symptom = Symptom(
        name: "symptom \(number % 30)", severity: try Severity(Double(1 + number % 5)),
        medications: number % 4 == 0 ? ["tea"] : [])
      drafts.append(
        EntryDraft(
          time: EntryTime(.instant(time), in: library.timeZone), notes: "note \(number)",
          content: .symptom(symptom)))
    }
    let made = Timestamp(milliseconds: now.instant.milliseconds)
    _ = try catalog.add(drafts, as: .importDiary, now: made)
    let records = (0..<photos).map { number in
      ImportRecord(
        content: .new(
          TimelineBenchmark.photo(
            number,
            at: Timestamp(milliseconds: now.instant.milliseconds - Int64(number) * 8_000_000))),
        file: nil)
    }
    _ = try catalog.record(records, as: OpenChange(.importPhotos), now: made, confirm: { _ in })
  }

  private func drafts(
    _ day: LocalDay, _ activities: [Activity], _ zone: TimeZone
  ) throws -> [EntryDraft] {
    let time = EntryTime(.day(day), in: zone)
    let number = day.dayNumber
    var log = DailyLog()
    log.sleepHours = Double(24 + number % 12) / 4
    log.stress = 1 + number % 5
    log.exerciseMinutes = number % 60
    log.sugar = DailyLog.SugarIntake.allCases[number % 3]
    log.officeDay = number % 7 < 5
    let moods = Mood.allCases
    return [
      EntryDraft(time: time, notes: "day \(number)", content: .dailyLog(log)),
      EntryDraft(time: time, content: .mood(moods[number % moods.count])),
    ]
      + activities.map {
        EntryDraft(
          time: time,
          content: .completion(
            Completion(
              activity: ActivityReference(id: $0.id, name: $0.name, emoji: $0.details.emoji),
              source: Completion.Source.command)))
      }
  }
}
