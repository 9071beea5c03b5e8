import DiaryModel
import Fields
import Foundation
import Leaflog
import TestSupport

/// Fixtures/Insights/triggers.json.
struct InsightsCase: Decodable, Sendable, CustomStringConvertible {
  struct EpisodeDays: Decodable, Sendable {
    let first: LocalDay
    let last: LocalDay?
    let type: Episode.Illness
  }

  struct Logs: Decodable, Sendable {
    let from: LocalDay
    let to: LocalDay
    private let log: [String: Scalar]

    var dailyLog: DailyLog {
      var patch = Patch<DailyLog>()
      for (name, value) in log {
        do { try patch.set(name, value) } catch { preconditionFailure("\(error)") }
      }
      return patch.applied(to: DailyLog())
    }
  }

  struct Window: Decodable, Sendable {
    let firstDay: LocalDay
    let logs: ExpectedLogs
  }

  struct Expected: Decodable, Sendable {
    let firstDay: LocalDay
    let episodes: [Episode.Illness]
    let episodeCounts: [String: Int]
    let meanDurationDays: Double?
    let baseline: ExpectedLogs
    let triggerWindows: [Window]
  }

  let name: String
  let today: LocalDay
  let days: Int
  let episodes: [EpisodeDays]
  let logs: [Logs]
  let expected: Expected

  var description: String { name }

  /// As entries of a library.
  var diary: DiaryFixture {
    var diary = DiaryFixture()
    for episode in episodes {
      diary.add(Episode(endDay: episode.last, type: episode.type), from: episode.first)
    }
    for (day, log) in logsByDay { diary.add(log, on: day) }
    return diary
  }

  /// As what insights are worked out from, nothing left out.
  var record: DiaryRecord {
    var record = DiaryRecord()
    record.episodes = episodes.map { days in
      let episode = Episode(endDay: days.last, type: days.type)
      return EpisodeRecord(
        id: .random(), days: episode.days(from: days.first), episode: episode, notes: nil)
    }
    record.logs = logsByDay
    return record
  }

  private var logsByDay: [LocalDay: DailyLog] {
    var byDay: [LocalDay: DailyLog] = [:]
    for logs in logs {
      for day in (logs.from...logs.to).days { byDay[day] = logs.dailyLog }
    }
    return byDay
  }

  static let all: [InsightsCase] = {
    struct Document: Decodable {
      let cases: [InsightsCase]
    }
    do {
      return try JSONDecoder().decode(Document.self, from: Fixtures.data("Insights/triggers.json"))
        .cases
    } catch {
      fatalError("Fixtures/Insights/triggers.json: \(error)")
    }
  }()
}

/// What the cases say of a summary of logs; a value that is missing was never recorded.
struct ExpectedLogs: Decodable, Hashable, Sendable {
  let dayCount: Int
  let loggedDayCount: Int
  let averageSleepHours: Double?
  let averageStress: Double?
  let officeDayCount: Int?
  let sickContactDayCount: Int?
  let humidifierDayCount: Int?
  let alcoholDayCount: Int?

  init(_ logs: LogSummary) {
    (dayCount, loggedDayCount) = (logs.dayCount, logs.loggedDayCount)
    (averageSleepHours, averageStress) = (logs["sleepHours"]?.average, logs["stress"]?.average)
    (officeDayCount, sickContactDayCount) = (
      logs["officeDay"]?.yesDayCount, logs["sickContact"]?.yesDayCount
    )
    (humidifierDayCount, alcoholDayCount) = (
      logs["humidifier"]?.yesDayCount, logs["alcohol"]?.yesDayCount
    )
  }
}
