internal import Documents
package import Leaflog

/// The log of a day as a form, whether or not it exists.
package struct LogPage: Screen {
  package static let template = "log"

  let page: PageFrame
  let day: String
  let date: String
  let previousHref: String
  let nextHref: String?
  let logStreak: String?
  let problem: PageProblem?
  let conflict: Conflict?
  /// Nil if there is none.
  let version: String?
  let logForm: LogForm
  let isSaved: Bool
  let calendar: MonthCalendar?

  /// - Parameter day: nil, or a day in the future, means today.
  package init(
    _ context: PageContext, on day: LocalDay? = nil, refusal: Refusal? = nil
  ) throws {
    let (reader, words, diary) = (context.reader, context.words, context.library.diary)
    let today = context.today
    // A log that was written further east may be of tomorrow.
    var shown = day ?? today
    var entry = try diary.dailyLog(on: shown)
    if shown > today, entry == nil { (shown, entry) = (today, try diary.dailyLog(on: today)) }
    let log: DailyLog? = if case .dailyLog(let log)? = entry?.content { log } else { nil }
    page = try context.frame(words["dailyLog"], at: .today)
    self.day = shown.description
    date = reader.longDay(shown)
    previousHref = "/log?on=\(shown.advanced(by: -1))"
    nextHref = shown < today ? "/log?on=\(shown.advanced(by: 1))" : nil
    let streak = try diary.loggingStreak(today: today)
    logStreak = streak > 1 ? reader.count("logStreak", streak) : nil
    problem = context.problem(refusal)
    conflict = refusal?.conflict(
      at: "/log?on=\(shown)", Self.fields(of: log ?? DailyLog(), entry?.notes, words))
    version = entry?.versionDigest
    logForm = LogForm(log ?? DailyLog(), notes: entry?.notes, refusal, words)
    isSaved = entry != nil
    let month = CalendarMonth(of: shown)
    let logs = try diary.entries(of: .dailyLog, from: month.firstDay, to: month.lastDay)
    calendar = MonthCalendar(
      of: month, marks: Dictionary(logs.map { ($0.time.localDay, words["dailyLog"]) }) { $1 },
      chosen: shown, dayHref: { "/log?on=\($0)" },
      monthHref: { "/log?on=\(min($0.lastDay, today))" }, in: context)
  }
}

extension LogPage {
  private static func fields(
    of log: DailyLog, _ notes: String?, _ words: Words
  ) -> [(label: String, stored: String?, name: String)] {
    func field(_ name: String, _ value: Any?) -> (String, String?, String) {
      (words[name], value.map { "\($0)" }, name)
    }
    return [
      field("sleepHours", log.sleepHours), field("sleepQuality", log.sleepQuality),
      field("stress", log.stress), field("exerciseType", log.exerciseType?.rawValue),
      field("sugar", log.sugar?.rawValue), field("alcohol", log.alcohol?.rawValue),
      field("officeDay", log.officeDay), field("sickContact", log.sickContact),
      field("humidifier", log.humidifier), field("notes", notes),
      (words["exercise"], log.exerciseMinutes.map { "\($0)" }, "exerciseMinutes"),
    ]
  }
}

/// The fields of a daily log; each may be left unset.
struct LogForm {
  let sleepHours: Field
  let exerciseMinutes: Field
  let notes: Field
  let exerciseType: [Radio]
  let sleepQuality: [Radio]
  let stress: [Radio]
  let sugar: [Radio]
  let alcohol: [Radio]
  let officeDay: [Radio]
  let sickContact: [Radio]
  let humidifier: [Radio]

  init(_ log: DailyLog, notes: String?, _ refusal: Refusal?, _ words: Words) {
    let fields = FieldReader(refusal, words)
    func yesNo(_ name: String, _ stored: Bool?) -> [Radio] {
      fields.radios(name, stored.map { "\($0)" }, ["true", "false"]) { words["yesNo.\($0)"] }
    }
    func steps(_ name: String, _ stored: Int?) -> [Radio] {
      fields.radios(name, stored.map { "\($0)" }, (1...5).map { "\($0)" }) { $0 }
    }
    sleepHours = fields.field("sleepHours", log.sleepHours.map { "\($0)" })
    exerciseMinutes = fields.field("exerciseMinutes", log.exerciseMinutes.map { "\($0)" })
    self.notes = fields.field("notes", notes)
    exerciseType = fields.radios(
      "exerciseType", log.exerciseType?.rawValue, DailyLog.ExerciseType.allCases.map(\.rawValue)
    ) { words["exercise.\($0)"] }
    sleepQuality = steps("sleepQuality", log.sleepQuality)
    stress = steps("stress", log.stress)
    sugar = fields.radios(
      "sugar", log.sugar?.rawValue, DailyLog.SugarIntake.allCases.map(\.rawValue)
    ) { words["amount.\($0)"] }
    alcohol = fields.radios(
      "alcohol", log.alcohol?.rawValue, DailyLog.Alcohol.allCases.map(\.rawValue)
    ) { words["alcohol.\($0)"] }
    officeDay = yesNo("officeDay", log.officeDay)
    sickContact = yesNo("sickContact", log.sickContact)
    humidifier = yesNo("humidifier", log.humidifier)
  }
}
