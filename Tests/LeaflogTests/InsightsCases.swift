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

/// A summary of logs by the names that its values have in JSON; those of what was never recorded are missing.
struct ExpectedLogs: Decodable, Hashable, Sendable {
  private let values: [String: Double]

  init(from decoder: any Decoder) throws { values = try [String: Double](from: decoder) }

  init(_ logs: LogSummary) {
    var values = ["dayCount": logs.dayCount, "loggedDayCount": logs.loggedDayCount]
      .mapValues(Double.init)
    for summary in logs.fields {
      let name = summary.field.name
      values["average" + name.prefix(1).uppercased() + name.dropFirst()] = summary.average
      let counted = name.hasSuffix("Day") ? String(name.dropLast(3)) : name
      values[counted + "DayCount"] = summary.yesDayCount.map(Double.init)
      for count in summary.choiceDayCounts { values[name + count.choice] = Double(count.count) }
    }
    self.values = values
  }
}
