package import Foundation
package import Language
package import Leaflog

/// The reader of a page: their language and region, and the current day at the library.
package struct Reader: Sendable {
  package let words: Words
  let locale: Locale
  let zone: TimeZone
  package let today: LocalDay
  private let weekStart: WeekStart

  package init(
    words: Words, locale: Locale, zone: TimeZone, today: LocalDay, weekStart: WeekStart = .auto
  ) {
    (self.words, self.locale, self.zone, self.today) = (words, locale, zone, today)
    self.weekStart = weekStart
  }

  /// Picks the best of the languages that a browser names (RFC 9110, 12.5.4), most preferred first.
  ///
  /// - Parameter languages: language tags, such as `de-AT`.
  package init(
    languages: [String], zone: TimeZone, today: LocalDay, weekStart: WeekStart = .auto
  ) {
    let known = Words.best(of: languages)
    let words = known?.words ?? .standard
    // More readers of English without a region expect the day before the month.
    let tag = known.map { $0.tag == "en" ? "en-GB" : $0.tag } ?? "en-GB"
    self.init(
      words: words, locale: Locale(identifier: tag), zone: zone, today: today,
      weekStart: weekStart)
  }

  /// The first of some languages in which pages come; nil for none, which get the standard one.
  package static func known(of languages: [String]) -> String? {
    languages.first { Words.best(of: [$0]) != nil }
  }

  /// The language of reports for this reader, by the tag that the service takes: `de-AT`.
  var reportLanguage: String {
    if words.name != words.language { return words.name }
    let region = locale.region.map { "-\($0.identifier)" } ?? ""
    return ReportLanguage(words.language + region)?.description ?? words.language
  }

  func number(_ value: Int) -> String { value.formatted(.number.locale(locale)) }

  func number(_ value: Double) -> String {
    value.formatted(
      .number.precision(.fractionLength(0...1)).rounded(rule: .toNearestOrAwayFromZero).locale(
        locale))
  }

  /// The number as it was entered.
  func wholeNumber(_ value: Double) -> String {
    value.formatted(.number.precision(.fractionLength(0...15)).locale(locale))
  }

  /// The number with up to two decimal places.
  func exactNumber(_ value: Double) -> String {
    value.formatted(
      .number.precision(.fractionLength(0...2)).rounded(rule: .toNearestOrAwayFromZero).locale(
        locale))
  }

  /// `4.1 MB`
  func bytes(_ count: Int) -> String {
    Int64(count).formatted(.byteCount(style: .file, spellsOutZero: false).locale(locale))
  }

  func count(_ key: String, _ count: Int) -> String { words.plural(key, count, as: number(count)) }
}

/// Days and times in words.
extension Reader {
  private func date(_ day: LocalDay) -> Date {
    Date(timeIntervalSince1970: Double(day.dayNumber) * 86_400)
  }

  private var style: Date.FormatStyle {
    Date.FormatStyle(locale: locale, timeZone: .gmt)
  }

  private func isThisYear(_ day: LocalDay) -> Bool { day.civil.year == today.civil.year }

  /// `Saturday, 21 November`; with the year unless it is this year.
  func longDay(_ day: LocalDay) -> String {
    let style = style.weekday(.wide).day().month(.wide)
    return date(day).formatted(isThisYear(day) ? style : style.year())
  }

  /// The day of a time in words, or its month or its year if no more is known.
  func longDay(_ time: EntryTime) -> String {
    time.precision == nil ? longDay(time.localDay) : day(time)
  }

  /// `21 November`, `May 1978` or `1978`, as far as the date is known.
  func day(_ time: EntryTime) -> String {
    switch time.precision {
    case nil: day(time.localDay)
    case .month: month(CalendarMonth(of: time.localDay))
    case .year: date(time.localDay).formatted(style.year())
    }
  }

  /// `21 November`; with the year unless it is this year.
  func day(_ day: LocalDay) -> String {
    let style = style.day().month(.wide)
    return date(day).formatted(isThisYear(day) ? style : style.year())
  }

  /// `Thursday`
  func weekday(_ day: LocalDay) -> String { date(day).formatted(style.weekday(.wide)) }

  /// `Thu 5`
  func dayOfMonth(_ day: LocalDay) -> String {
    date(day).formatted(style.weekday(.abbreviated).day())
  }

  /// `Thu 5`, `May 1978` or `1978`, as far as the date is known.
  func dayOfMonth(_ time: EntryTime) -> String {
    time.precision == nil ? dayOfMonth(time.localDay) : day(time)
  }

  /// `5 Nov`, `May 1978` or `1978`, as far as the date is known.
  func shortDay(_ time: EntryTime) -> String {
    time.precision == nil ? shortDay(time.localDay) : day(time)
  }

  /// `5 Nov`
  func shortDay(_ day: LocalDay) -> String {
    date(day).formatted(style.day().month(.abbreviated))
  }

  /// `5 Nov` on the axis of a chart, with the year on one that goes over a turn of the year.
  func axisDay(_ day: LocalDay, from first: LocalDay) -> String {
    let style = style.day().month(.abbreviated)
    return date(day).formatted(isThisYear(first) ? style : style.year())
  }

  /// The weekdays in two letters, starting with the reader's first day of the week.
  var weekdays: [String] {
    // 1970-01-05 was a Monday.
    (0..<7).map {
      date(LocalDay(dayNumber: 3 + firstWeekday + $0)).formatted(style.weekday(.short))
    }
  }

  /// The day on which weeks begin, by the library's setting or in the reader's region: 1 is Monday, 7 is Sunday.
  var firstWeekday: Int {
    if let chosen = weekStart.weekday { return chosen }
    return switch locale.firstDayOfWeek {
    case .sunday: 7
    case .tuesday: 2
    case .wednesday: 3
    case .thursday: 4
    case .friday: 5
    case .saturday: 6
    default: 1
    }
  }

  /// `November 2026`
  func month(_ month: CalendarMonth) -> String {
    date(month.firstDay).formatted(style.month(.wide).year())
  }

  /// `November`
  func monthName(_ day: LocalDay) -> String { date(day).formatted(style.month(.wide)) }

  /// `14:20`: the wall time where it was recorded, with its offset where that differs from the library's.
  func time(_ time: EntryTime) -> String {
    let seconds = time.instant.milliseconds / 1000 + Int64(time.offset.seconds)
    let clock = Date(timeIntervalSince1970: Double(seconds))
      .formatted(style.hour().minute())
    let own = zone.secondsFromGMT(
      for: Date(timeIntervalSince1970: Double(time.instant.milliseconds / 1000)))
    return time.basis == .zoned && time.offset.seconds != own ? "\(clock) \(time.offset)" : clock
  }

  /// `02:00`
  func clock(hour: Int) -> String {
    Date(timeIntervalSince1970: Double(hour) * 3600).formatted(style.hour().minute())
  }

  /// The time of day, if it is known.
  func clock(_ time: EntryTime) -> String? { time.basis == .day ? nil : self.time(time) }

  /// `today`, `yesterday`, `3 days ago`, `4 months ago`; the date for a day in the future.
  ///
  /// - Parameter other: the day to count from; nil means today.
  func ago(_ day: LocalDay, on other: LocalDay? = nil) -> String {
    switch day.daysAgo(on: other ?? today) {
    case 0: words["agoToday"]
    case 1: words["agoYesterday"]
    case let days where days >= 730: count("agoYears", max(2, days * 4 / 1461))
    case let days where days >= 60: count("agoMonths", min(23, (days * 2 + 30) / 61))
    case let days where days > 1: count("agoDays", days)
    default: self.day(day)
    }
  }

  /// `every 4 days`, `every week`, `every 2 weeks`, `every year`
  func every(_ days: Int) -> String {
    switch days {
    case 7: words["everyWeek"]
    case 14, 21, 28: count("everyWeeks", days / 7)
    case 365, 366: words["everyYear"]
    default: count("every", days)
    }
  }

  /// `Today`, `Yesterday`, or `Wed 25 November`; with the year unless it is this year.
  func dayHeading(_ day: LocalDay) -> String {
    if (0...1).contains(day.daysAgo(on: today)) { return heading(day) }
    let style = style.weekday(.abbreviated).day().month(.wide)
    return date(day).formatted(isThisYear(day) ? style : style.year())
  }

  /// `Today`, `Yesterday`, or the date.
  func heading(_ day: LocalDay) -> String {
    switch day.daysAgo(on: today) {
    case 0: words["today"]
    case 1: words["agoYesterday"].capitalizedFirst
    default: self.day(day)
    }
  }
}

extension String {
  /// The texts that are present, separated by dots.
  static func dotted(_ parts: String?...) -> String { parts.joined(by: " · ") }
}
