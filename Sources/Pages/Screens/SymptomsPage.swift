package import Leaflog

/// The symptoms of a day, the days of a month that have any, and all names with their trends.
package struct SymptomsPage: Screen {
  package static let template = "symptoms"

  struct SymptomName {
    let name: String
    let trendHref: String
    let detail: String
  }

  let page: PageFrame
  let day: String
  let date: String
  let previousHref: String
  let nextHref: String?
  let hasSymptoms: Bool
  let symptoms: [SymptomRow]
  let calendar: MonthCalendar?
  let hasNames: Bool
  let names: [SymptomName]

  /// - Parameters:
  ///   - day: nil means today.
  ///   - month: the month of the calendar; nil means the day's.
  package init(
    _ context: PageContext, on day: LocalDay? = nil, month: CalendarMonth? = nil
  ) throws {
    let (reader, words, diary) = (context.reader, context.words, context.library.diary)
    let shown = day ?? context.today
    page = try context.frame(words["symptoms"], at: .today)
    self.day = shown.description
    date = reader.longDay(shown)
    previousHref = "/symptoms?on=\(shown.advanced(by: -1))"
    nextHref = shown < context.today ? "/symptoms?on=\(shown.advanced(by: 1))" : nil
    symptoms = try diary.entries(of: .symptom, from: shown, to: shown).reversed()
      .compactMap { SymptomRow($0, in: context) }
    hasSymptoms = !symptoms.isEmpty
    let shownMonth = month ?? CalendarMonth(of: shown)
    let there = try diary.entries(
      of: .symptom, from: shownMonth.firstDay, to: shownMonth.lastDay)
    let marks = Dictionary(grouping: there) { $0.time.localDay }
      .mapValues { reader.count("countSymptoms", $0.count) }
    calendar = MonthCalendar(
      of: shownMonth, marks: marks, chosen: shown, dayHref: { "/symptoms?on=\($0)" },
      monthHref: { "/symptoms?on=\(shown)&month=\($0)" }, in: context)
    let counted = try diary.symptomNames(today: context.today).enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
    names = counted.map(\.element).map { name in
      SymptomName(
        name: name.name, trendHref: PageAddress("/symptoms/trend", [("name", name.name)]).text,
        detail: .dotted(
          reader.count("symptomTimes", name.count),
          words.text("lastTime", ["when": reader.ago(name.lastDay)])))
    }
    hasNames = !names.isEmpty
  }
}
