package import DiaryModel
package import Foundation
package import Language

/// The words, days and numbers of a report or a chart in the language of its reader. In English, days are those of
/// ISO 8601; in other languages, those of the reader's region.
package struct ReportWording: Sendable {
  private let words: Words
  private let locale: Locale

  /// - Parameter locale: that of the reader's region.
  package init(_ words: Words, locale: Locale) { (self.words, self.locale) = (words, locale) }

  /// Nil for a language without a catalog of words.
  ///
  /// - Parameter tag: `de`, or with a region `de-AT`.
  package init?(_ tag: String) {
    guard let words = Words.best(of: [tag])?.words else { return nil }
    self.init(words, locale: Locale(identifier: tag))
  }

  package static let english = ReportWording(.standard, locale: Locale(identifier: "en"))

  /// For a PDF's `/Lang` (RFC 5646).
  var tag: String { locale.identifier(.bcp47) }

  package subscript(key: String) -> String { words["report.\(key)"] }

  /// A text with its parameters filled in, which keep their places whichever way their letters run.
  func text(_ key: String, _ values: KeyValuePairs<String, String>) -> String {
    words.text("report.\(key)") { name in values.first { $0.key == name }?.value.isolated }
  }

  /// `1 day`, `2 days`.
  func days(_ count: Int) -> String { words.plural("countDays", count, as: number(count)) }

  /// A mean: `1 day`, `7.3 days`.
  func days(_ mean: Double) -> String {
    let key = mean.asMean == 1 ? "countDays.one" : "countDays.other"
    return words.text(key, ["count": number(mean)])
  }

  /// `3 of 12`
  func count(_ count: Int, of all: Int) -> String {
    text("of", ["count": number(count), "all": number(all)])
  }

  /// The plural of a text for a number.
  func plural(_ key: String, _ count: Int) -> String {
    words.plural("report.\(key)", count, as: number(count))
  }
}

/// Numbers.
extension ReportWording {
  func number(_ value: Int) -> String {
    words.isEnglish ? "\(value)" : value.formatted(.number.locale(locale))
  }

  /// A number with one decimal place, or none if that would be zero: `7.3`, `7`.
  func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    guard words.isEnglish else {
      return value.asMean.formatted(.number.precision(.fractionLength(0...1)).locale(locale))
    }
    let tenths = Int((value.asMean * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

/// Days.
extension ReportWording {
  private func formatted(
    _ day: LocalDay, _ style: (Date.FormatStyle) -> Date.FormatStyle
  ) -> String {
    Date(timeIntervalSince1970: Double(day.dayNumber) * 86_400)
      .formatted(style(Date.FormatStyle(locale: locale, timeZone: .gmt)))
  }

  /// `2026-03-01`, `1. März 2026`
  package func day(_ day: LocalDay) -> String {
    words.isEnglish ? day.description : formatted(day) { $0.day().month(.wide).year() }
  }

  /// The day in a column of a table: `2026-03-01`, `1. Feb. 2026`
  package func shortDay(_ day: LocalDay) -> String {
    words.isEnglish ? day.description : formatted(day) { $0.day().month(.abbreviated).year() }
  }

  /// `2026-01-01 to 2026-03-31`
  func span(_ first: LocalDay, _ last: LocalDay) -> String {
    text("span", ["first": day(first), "last": day(last)])
  }

  /// The day on an axis: `5 Mar`, `5. Feb.`
  func axisDay(_ day: LocalDay) -> String {
    words.isEnglish
      ? "\(day.civil.day) \(month(of: day))" : formatted(day) { $0.day().month(.abbreviated) }
  }

  /// `Mar`, `Feb`
  func month(of day: LocalDay) -> String {
    words.isEnglish ? Self.months[day.civil.month - 1] : formatted(day) { $0.month(.abbreviated) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Mon`, `Mo`
  func weekday(_ day: LocalDay) -> String {
    words.isEnglish
      ? String("MonTueWedThuFriSatSun".dropFirst(3 * (day.weekday - 1)).prefix(3))
      : formatted(day) { $0.weekday(.abbreviated) }
  }
}

/// Names and values of entries.
extension ReportWording {
  package func name(_ type: Episode.Illness) -> String { self["type.\(type.rawValue)"] }
  package func name(_ sign: Episode.Sign) -> String { words["sign.\(sign.rawValue)"] }
  package func name(_ time: Episode.WorstTime) -> String { self["worstTime.\(time.rawValue)"] }
  package func name(_ mucus: Episode.Mucus) -> String { self["mucus.\(mucus.rawValue)"] }
  package func name(_ mood: Mood) -> String { self["mood.\(mood.rawValue)"] }

  /// The name of a field of the log as a heading: `Sleep`.
  package func name(_ field: LogField) -> String {
    field.isOwn ? field.name : self["field.\(field.name)"]
  }

  /// A choice of a field, in a sentence.
  package func name(_ choice: String, of field: LogField) -> String {
    field.isOwn ? choice : self["\(field.name).\(choice)"]
  }

  /// The name of a symptom of episodes, which insights have in English.
  func name(ofSign name: String) -> String {
    Episode.Sign.allCases.first { $0.words == name || $0.rawValue == name }.map { self.name($0) }
      ?? name
  }

  /// `3 of 5`, or a label with its number: `moderate (3)`.
  package func text(for severity: Severity) -> String {
    let value = number(severity.value)
    guard let label = severity.label else { return text("ofFive", ["value": value]) }
    return "\((words.optional("scale.\(label)") ?? label).isolated) (\(value))"
  }

  /// A mean with its unit: `7.5 h`, `24.6 min a day`, `3.4 of 5`, `2.5 cups`.
  func mean(_ average: Double, of field: LogField) -> String {
    let value = number(average)
    return switch field.unit {
    case .hours: text("unit.hours", ["value": value])
    case .minutes: text("unit.minutes", ["value": value])
    case .scale(let highest): text("of", ["count": value, "all": number(highest)])
    case .named(let unit): "\(value) \(unit.isolated)"
    case nil: value
    }
  }

  /// A summary of a field of the log: `7.5 h on 12 days`, `3 of 12 days`, `home 2, garden 1 of 3 days`.
  ///
  /// - Parameter isRate: gives counts per seven days on which it was recorded.
  package func text(for summary: LogFieldSummary, isRate: Bool = false) -> String {
    let dayCount = summary.recordedDayCount
    if let average = summary.average {
      return text("onDays", ["value": mean(average, of: summary.field), "days": days(dayCount)])
    }
    func counted(_ count: Int) -> String {
      isRate ? number(summary.perSevenDays(count)) : number(count)
    }
    let counts =
      summary.yesDayCount.map(counted)
      ?? summary.choiceDayCounts.map {
        "\(name($0.choice, of: summary.field).isolated) \(counted($0.count))"
      }.joined(separator: ", ")
    if isRate { return text("rateOfDays", ["value": counts, "days": days(dayCount)]) }
    return text(Words.key("ofDays", for: dayCount), ["value": counts, "count": number(dayCount)])
  }
}
