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
    nextHref = try shown < context.lastDay ? "/symptoms?on=\(shown.advanced(by: 1))" : nil
    symptoms = try diary.entries(of: .symptom, from: shown, to: shown).reversed()
      .compactMap { SymptomRow($0, in: context) }
    hasSymptoms = !symptoms.isEmpty
    let shownMonth = month ?? CalendarMonth(of: shown)
    let there = try context.library.timeline.tally(
      TimelineQuery(
        kinds: [.symptom], firstDay: shownMonth.firstDay, lastDay: shownMonth.lastDay))
    let marks = Dictionary(there.map { ($0.day, reader.count("countSymptoms", $0.count)) }) { $1 }
    calendar = try MonthCalendar(
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

extension SymptomsPage.SymptomName: HTMLPart {
  var html: HTML {
    #"<li class="row"><div class="grow"><a class="cover" href="\#(trendHref)"><strong>\#(name)</strong></a><span class="detail">\#(detail)</span></div><svg class="icon soft" aria-hidden="true"><use href="\#(PageRenderer.assets)/icons.svg#next"/></svg></li>"#
  }
}

/// A symptom over time: its frequency, its severity, and each occurrence.
package struct TrendPage: Screen {
  package static let template = "trend"

  let page: PageFrame
  let name: String
  let summary: String
  let periods: [Choice]
  let hasEntries: Bool
  let charts: [TitledChart]
  let symptoms: [SymptomRow]
  let olderHref: String?

  /// - Parameters:
  ///   - days: 30, 90 or 365; any other number means 90.
  ///   - before: a cursor, as in `olderHref`.
  package init(
    _ context: PageContext, _ name: String, days: Int? = nil, before: String? = nil
  ) throws {
    let (reader, words, diary) = (context.reader, context.words, context.library.diary)
    let days = Periods.known(days)
    let first = context.today.advanced(by: 1 - days)
    let buckets = try diary.symptomBuckets(
      by: .week, name: name, from: first, to: context.today)
    page = try context.frame(name, at: .today)
    self.name = name
    summary = reader.count("symptomTimes", buckets.reduce(0) { $0 + $1.count })
    periods = Periods.choices(chosen: days, reader) {
      PageAddress("/symptoms/trend", [("name", name), ("days", "\($0)")]).text
    }
    hasEntries = !buckets.isEmpty
    let weeks = Periods.weeks(from: first, to: context.today)
    let known = Dictionary(buckets.map { ($0.name, $0) }) { $1 }
    charts = [
      TitledChart(
        bars: weeks.map { week in
          let count = known[BucketUnit.week.bucketName(of: week)]?.count ?? 0
          return ChartValue(
            value: Double(count), label: reader.axisDay(week, from: first),
            text: reader.number(count))
        }, title: words["trendCount"], words),
      TitledChart(
        severities: weeks.map {
          ($0, known[BucketUnit.week.bucketName(of: $0)]?.averageSeverity)
        }, reader),
    ]
    let list = try diary.symptoms(
      named: name, from: first, to: context.today,
      at: before.flatMap { Cursor($0) }.map { .cursor($0) } ?? .start, limit: 50)
    symptoms = list.elements.compactMap { SymptomRow($0, withDay: true, in: context) }
    olderHref = list.next.map {
      PageAddress(
        "/symptoms/trend", [("name", name), ("days", "\(days)"), ("before", $0.description)]
      ).text
    }
  }
}

/// The spans of days to choose from.
package enum Periods {
  static let all = [30, 90, 365]

  /// A span from the list; 90 days for any other number.
  static func known(_ days: Int?) -> Int { days.flatMap { all.contains($0) ? $0 : nil } ?? 90 }

  static func choices(
    chosen: Int, _ reader: Reader, href: (Int) -> String
  ) -> [Choice] {
    all.map {
      Choice(href: href($0), label: reader.count("daysCount", $0), isChosen: $0 == chosen)
    }
  }

  /// The Mondays of all weeks from one day to another.
  static func weeks(from first: LocalDay, to last: LocalDay) -> [LocalDay] {
    let monday = first.advanced(by: 1 - first.weekday)
    return stride(from: monday.dayNumber, through: last.dayNumber, by: 7)
      .map { LocalDay(dayNumber: $0) }
  }
}

extension TitledChart {
  /// The mean severity of each week with symptoms.
  init(severities weeks: [(monday: LocalDay, severity: Double?)], _ reader: Reader) {
    self.init(
      line: weeks.map { week in
        ChartValue(
          value: week.severity,
          label: reader.axisDay(week.monday, from: weeks.first?.monday ?? week.monday),
          text: week.severity.map(reader.number) ?? "")
      }, in: 0...5, top: reader.number(5), title: reader.words["trendSeverity"],
      reader.words)
  }
}
