internal import DiaryCatalog
internal import Reports
internal import SystemPackage

/// Counts and means of the diary, the doctor's report and the calendar.
public struct LibraryInsights: LibrarySection {
  let library: Library
}

extension LibraryInsights {
  /// The numbers of days that insights can cover.
  public static let dayCounts = 1...3660

  /// Counts and means of the last days of the diary, and the logs before its episodes.
  ///
  /// Show `Insights.disclaimer` with it, everywhere.
  ///
  /// - Parameters:
  ///   - days: the number of days up to and including `today`, 1 to 3660.
  ///   - today: the last day to look at.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number of days out of range.
  public func compute(days: Int = 90, today: LocalDay) throws(LeaflogError) -> Insights {
    guard Self.dayCounts.contains(days) else {
      throw .invalid(
        "Insights cover \(Self.dayCounts.lowerBound) to \(Self.dayCounts.upperBound) days, "
          + "not \(days).")
    }
    let spans = InsightsSpans(days: days, today: today)
    let record = try read { tables in
      var record = DiaryRecord()
      record.episodes = try tables.episodes.records(in: spans.episodes)
      for span in spans.logs(with: record.episodes) {
        record.logs.merge(try tables.logs.all(in: span)) { $1 }
      }
      record.factors = try tables.factors.all().map(\.details)
      record.symptomDays = try tables.symptoms.days(in: spans.symptoms)
      record.moods = try tables.moods.all(in: spans.asked)
      record.completions = try tables.completions.counts(in: spans.asked)
      return record
    }
    return Insights(record, spans)
  }
}

/// A chart of a span of days.
@nonexhaustive
public enum InsightsPicture: String, Sendable, CaseIterable {
  /// Episodes over time.
  case episodes
  /// The number of episodes with each symptom.
  case episodeSymptoms
  /// How often each symptom was logged.
  case symptoms
  /// The severity of logged symptoms week by week.
  case severity
  /// The severity of logged symptoms day by day, of the year up to the span's end.
  case year
}

extension Insights {
  /// A chart as an SVG picture, with a title and a description for those who cannot see it.
  ///
  /// Show `Insights.disclaimer` next to it.
  ///
  /// - Parameter width: the width of the picture, 100 to 10,000 points.
  /// - Throws: `LeaflogError` with code `invalidRequest` for another width.
  public func svg(
    _ picture: InsightsPicture, width: Double = 720
  ) throws(LeaflogError) -> GeneratedDocument {
    try checkPicture(ofWidth: width)
    return try translating {
      let chart: any Chart =
        switch picture {
        case .episodes: episodeTimeline(in: .english)
        case .episodeSymptoms: episodeSymptomChart(in: .english)
        case .symptoms: loggedSymptomChart(in: .english)
        case .severity: severityChart(in: .english)
        case .year: yearMap(in: .english)
        }
      let drawing = try chart.svg(width: width)
      return GeneratedDocument(bytes: drawing.bytes, missingGlyphCount: drawing.missingGlyphCount)
    }
  }
}

extension ActivityRecord {
  /// A chart of how often it was done as an SVG picture, with a title and a description for those who
  /// cannot see it.
  ///
  /// - Parameters:
  ///   - unit: the span of each column.
  ///   - width: the width of the picture, 100 to 10,000 points.
  /// - Throws: `LeaflogError` with code `invalidRequest` for another width.
  public func svg(
    by unit: BucketUnit, width: Double = 720
  ) throws(LeaflogError) -> GeneratedDocument {
    try checkPicture(ofWidth: width)
    return try translating {
      let chart = CountChart(
        title: "\(activity.details.emoji) \(activity.name), times done by \(unit.rawValue)",
        days: days, by: unit, today: today, wording: .english)
      let drawing = try chart.svg(width: width)
      return GeneratedDocument(bytes: drawing.bytes, missingGlyphCount: drawing.missingGlyphCount)
    }
  }
}

private func checkPicture(ofWidth width: Double) throws(LeaflogError) {
  guard (100...10_000).contains(width) else {
    throw .invalid("A picture is 100 to 10,000 points wide, not \(width).")
  }
}

/// The result of making a report.
public struct GeneratedReport: Sendable {
  /// The PDF.
  public let document: GeneratedDocument
  /// The number of A4 pages.
  public let pageCount: Int
}

extension LibraryInsights {
  /// A span's episodes, symptoms and daily logs as a PDF for a doctor, titled with the person's name,
  /// if set, and the library's folder.
  ///
  /// The same diary and time give the same bytes on a system with the same fonts.
  ///
  /// Its text is tagged: screen readers find headings, paragraphs and the rows of tables, and each chart in words.
  ///
  /// - Parameters:
  ///   - made: the time printed on it; the present moment by default.
  ///   - language: the language of its words, days and numbers.
  /// - Throws: `LeaflogError` when the catalog cannot be read, and with code `failed` when the report cannot be made.
  public func doctorReport(
    _ insights: Insights, made: RecordedTime? = nil, language: ReportLanguage = .english
  ) throws(LeaflogError) -> GeneratedReport {
    let symptoms = try library.diary.entries(
      of: .symptom, from: insights.firstDay, to: insights.lastDay)
    let person = try library.settings.value(of: .reportName)
    return try translating {
      let report = DoctorReport(
        insights, symptomEntries: symptoms, personName: person, libraryName: library.name,
        zone: timeZone, made: made ?? now, wording: language.wording)
      let pdf = try report.pdf()
      return GeneratedReport(
        document: GeneratedDocument(bytes: pdf.bytes, missingGlyphCount: pdf.missingGlyphCount),
        pageCount: pdf.pages.count)
    }
  }
}

/// The result of making a calendar.
public struct GeneratedCalendar: Sendable {
  /// The iCalendar file (RFC 5545).
  public let document: GeneratedDocument
  /// The number of events; one that is repeated counts once.
  public let eventCount: Int
}

extension LibraryInsights {
  /// A calendar of things to do: the reminder at the end of each day, if it is on, and each recurring
  /// activity, from its due day or, when it is overdue, from today. Parts that the reminder does not
  /// check are left out.
  ///
  /// Events keep their identifiers, so importing the calendar again duplicates nothing.
  ///
  /// - Parameter hasCompletions: whether completions are events as well.
  /// - Throws: `LeaflogError` with code `invalidRequest` when there is nothing to put into it.
  public func calendar(
    today: LocalDay, hasCompletions: Bool = false
  ) throws(LeaflogError) -> GeneratedCalendar {
    let events = try events(today: today, of: hasCompletions ? [.completion] : [], from: nil)
    // RFC 5545, 3.6: a calendar has at least one component.
    guard !events.isEmpty else {
      throw .invalid(
        "There is nothing to put into a calendar: no reminder of symptoms, the log or the mood, and "
          + "no activity that is due at intervals.")
    }
    return calendar(of: events)
  }

  /// The calendar that other programs subscribe to, with the entries of the last year. It may be empty.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func calendar(
    _ contents: CalendarContents, today: LocalDay
  ) throws(LeaflogError) -> GeneratedCalendar {
    let kinds: [EntryKind] =
      contents == .health ? [.completion, .symptom, .episode, .mood, .dailyLog] : [.completion]
    return calendar(of: try events(today: today, of: kinds, from: today.advanced(by: -366)))
  }

  private func calendar(of events: [CalendarEvent]) -> GeneratedCalendar {
    let calendar = CalendarDocument(
      name: "Leaflog: \(library.name)", events: events, stamp: moment)
    return GeneratedCalendar(
      document: GeneratedDocument(bytes: calendar.bytes, missingGlyphCount: 0),
      eventCount: events.count)
  }

  private func events(
    today: LocalDay, of kinds: [EntryKind], from first: LocalDay?
  ) throws(LeaflogError) -> [CalendarEvent] {
    var events: [CalendarEvent] = []
    let reminder = try library.diary.reminder()
    if reminder.isOn, let event = try dailyReminder(reminder, today: today) {
      events.append(event)
    }
    if reminder.parts.contains(.activities) {
      events += try library.activities.all(isCounting: false).compactMap {
        CalendarEvent($0, today: today)
      }
    }
    for kind in kinds {
      events += try library.diary.entries(of: kind, from: first).compactMap { CalendarEvent($0) }
    }
    return events
  }

  /// The event of the reminder; nil if it checks only activities, which have events of their own.
  private func dailyReminder(
    _ reminder: Reminder, today: LocalDay
  ) throws(LeaflogError) -> CalendarEvent? {
    let things: [String] = [ReminderPart.symptoms, .log, .mood].filter(reminder.parts.contains)
      .map { part in
        switch part {
        case .log: "the day’s log"
        case .mood: "the mood"
        default: part.rawValue
        }
      }
    guard let last = things.last,
      case .wall(let wall) = RecordedTime("\(today)T\(reminder.time)")
    else { return nil }
    let first = things.dropLast().joined(separator: ", ")
    return CalendarEvent.dailyReminder(
      hour: wall.hour, minute: wall.minute, today: today,
      notes: "Time to write down \(first.isEmpty ? last : "\(first) and \(last)").",
      libraryID: try LibraryMarker.read(layout.marker).id)
  }
}

/// A generated document in memory.
public struct GeneratedDocument: Sendable {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// How many characters are missing from all fonts of this system; they are drawn as boxes.
  public let missingGlyphCount: Int

  /// Writes it to a file, atomically; an existing file is replaced.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a path of no file, and `noSpace`, `readOnly` or `failed`
  ///   when it cannot be written.
  public func write(to path: String) throws(LeaflogError) {
    let file = try OutputFile(FilePath(path))
    let failure: LeaflogError? = bytes.withUnsafeBytes { bytes in
      do throws(LeaflogError) { try file.write(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
    _ = try file.replace()
  }
}
