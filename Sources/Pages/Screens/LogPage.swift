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
  let timelineHref: String
  let calendar: MonthCalendar?

  /// - Parameter day: nil, or a day in the future, means today.
  package init(
    _ context: PageContext, on day: LocalDay? = nil, refusal: Refusal? = nil
  ) throws {
    let (reader, words, diary) = (context.reader, context.words, context.library.diary)
    let (today, last) = try (context.today, context.lastDay)
    // A log that was written further east may be of tomorrow.
    var shown = day ?? today
    var entry = try diary.dailyLog(on: shown)
    if shown > last, entry == nil { (shown, entry) = (today, try diary.dailyLog(on: today)) }
    let log: DailyLog? = if case .dailyLog(let log)? = entry?.content { log } else { nil }
    page = try context.frame(words["dailyLog"], at: .today)
    self.day = shown.description
    date = reader.longDay(shown)
    previousHref = "/log?on=\(shown.advanced(by: -1))"
    nextHref = shown < last ? "/log?on=\(shown.advanced(by: 1))" : nil
    let streak = try diary.loggingStreak(today: today)
    logStreak = streak > 1 ? reader.count("logStreak", streak) : nil
    problem = context.problem(refusal)
    timelineHref = context.timelineHref(at: shown)
    logForm = try LogForm(log, notes: entry?.notes, refusal, context)
    conflict = refusal?.conflict(at: "/log?on=\(shown)", logForm.rows.fields, words)
    version = entry?.versionDigest
    isSaved = entry != nil
    let month = CalendarMonth(of: shown)
    let logs = try diary.entries(of: .dailyLog, from: month.firstDay, to: month.lastDay)
    calendar = try MonthCalendar(
      of: month, marks: Dictionary(logs.map { ($0.time.localDay, words["dailyLog"]) }) { $1 },
      chosen: shown, dayHref: { "/log?on=\($0)" },
      monthHref: { "/log?on=\(min($0.lastDay, last))" }, in: context)
  }
}

/// The fields of a daily log; each may be left unset.
struct LogForm {
  let rows: [FormRow]

  init(
    _ log: DailyLog?, notes: String?, _ refusal: Refusal?, _ context: PageContext
  ) throws {
    let form = FormBuilder(refusal, context, prefix: "log-")
    // A hidden factor is shown on the days that have a value.
    let factors = try context.library.factors.all().filter {
      !$0.details.isHidden || log?.factors[$0.name] != nil
    }
    rows =
      DailyLog.fields.names.filter { $0 != "factors" }
      .map { FormRow(form.field($0, of: log, placeholder: "–")) }
      + factors.map { FormRow(form.factor($0, log?.factors[$0.name])) }
      + [FormRow(form.notes(notes))]
  }
}
