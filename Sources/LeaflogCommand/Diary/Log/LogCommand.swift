import ArgumentParser
internal import Leaflog

/// `leaflog log`
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "What a day was like: one log a day.",
    subcommands: [
      LogSet.self, LogShow.self, LogList.self, EntryDelete<LogNoun>.self,
      EntryRestore<LogNoun>.self,
    ], defaultSubcommand: LogShow.self)
}

enum LogNoun: DiaryNoun {
  static let kind = EntryKind.dailyLog
  static let command = "log"
  static let noun = "daily log"

  static func rows(_ content: EntryContent) -> [(name: String, value: String?)] {
    guard case .dailyLog(let log) = content else { return [] }
    func ofFive(_ value: Int?) -> String? { value.map { "\($0) of 5" } }
    func answer(_ value: Bool?) -> String? { value.map { $0 ? "yes" : "no" } }
    return [
      ("Sleep", log.sleepHours.map { Quantities.decimal($0, digits: 2) + " h" }),
      ("Sleep quality", ofFive(log.sleepQuality)), ("Stress", ofFive(log.stress)),
      ("Exercise", log.exerciseMinutes.map { "\($0) min" }),
      ("Exercise type", log.exerciseType?.rawValue), ("Sugar", log.sugar?.rawValue),
      ("Alcohol", log.alcohol?.rawValue), ("Office day", answer(log.officeDay)),
      ("Sick contact", answer(log.sickContact)), ("Humidifier", answer(log.humidifier)),
    ]
  }
}
