internal import Documents
package import Leaflog

/// The form of a symptom, new or existing.
package struct SymptomEditPage: Screen {
  package static let template = "symptom-edit"

  struct Form {
    let name: Field
    let at: Field
    let notes: Field
    let medications: ListField
    let tags: ListField
  }

  let page: PageFrame
  let backHref: String
  let heading: String
  let action: String
  /// Nil for a new one.
  let version: String?
  let problem: PageProblem?
  let conflict: Conflict?
  let nameOptions: [String]
  let hasSuggestions: Bool
  /// The most likely symptoms now, for a new one.
  let suggestions: [String]
  let severities: [Option]
  let severityError: String?
  /// Whether the typed time is more than 48 hours ago.
  let asksLate: Bool
  /// The present as a new form was filled in with it, with its seconds and its offset. Nil where the time is not the
  /// present.
  let filledTime: String?
  let form: Form
  let medicationNames: [String]
  let tagNames: [String]
  let deleteAction: String?
  let trendHref: String?

  /// - Parameters:
  ///   - id: nil for a new one.
  ///   - day: the day of a new one; nil means today.
  package init(
    _ context: PageContext, _ id: String? = nil, on day: LocalDay? = nil, refusal: Refusal? = nil
  ) throws {
    let (words, diary) = (context.words, context.library.diary)
    let entry = try id.map { try context.entry($0, of: .symptom) }
    let symptom = entry.flatMap { $0.symptom }
    let reader = FieldReader(refusal, words)
    heading = words[entry == nil ? "newSymptom" : "editSymptom"]
    page = try context.frame(heading, at: .today)
    let address = entry.map { "/symptoms/\($0.id)" }
    let typed = refusal?.typed["at"].flatMap { RecordedTime($0) }
    let typedDay = typed.map { context.library.placed($0).localDay }
    backHref = "/symptoms?on=\(entry?.time.localDay ?? typedDay ?? day ?? context.today)"
    action = address ?? "/symptoms"
    version = entry?.versionDigest
    problem = context.problem(refusal)
    let time = context.time(of: entry, on: day)
    filledTime = reader.text(
      "at.filled", entry == nil && time == context.moment ? time.recorded.iso8601 : nil)
    let stored = Self.fields(of: entry, at: time, in: context)
    conflict = refusal?.conflict(at: address ?? "/symptoms/new", stored)
    let names = try diary.symptomNames(today: context.today).map(\.name)
    nameOptions = names
    suggestions = entry == nil ? Array(names.prefix(5)) : []
    hasSuggestions = !suggestions.isEmpty
    severities = try Self.severities(
      including: symptom?.severity, chosen: reader.text("severity", symptom?.severity.formValue),
      in: context)
    severityError = reader.error("severity")
    asksLate = entry == nil && Self.isLate(refusal?.typed["at"], in: context.library)
    func field(_ name: String) -> Field {
      reader.field(name, stored.first { $0.name == name }?.stored)
    }
    form = Form(
      name: field("name"), at: field("at"), notes: field("notes"),
      medications: reader.list(
        "medications", symptom?.medications ?? [], hint: words["commasHint"]),
      tags: reader.list("tags", entry?.tags ?? [], hint: words["tagsHintDiary"]))
    medicationNames = try Self.medicationNames(in: context.library)
    tagNames = try context.tagNames()
    deleteAction = address.map { "\($0)/delete" }
    trendHref = symptom.map { PageAddress("/symptoms/trend", [("name", $0.name)]).text }
  }
}

extension SymptomEditPage {
  private static func fields(
    of entry: Entry?, at time: EntryTime, in context: PageContext
  ) -> [(label: String, stored: String?, name: String)] {
    let (symptom, words) = (entry?.symptom, context.words)
    return [
      (words["symptomName"], symptom?.name, "name"),
      (words["severity"], symptom?.severity.formValue, "severity"),
      (words["when"], time.formMinute, "at"), (words["notes"], entry?.notes, "notes"),
      (words["medications"], symptom?.medications.joined(separator: ", "), "medications"),
      (words["tags"], entry?.tags.joined(separator: ", "), "tags"),
    ]
  }

  /// The labels of the chosen scale, plus a severity that is not on it.
  private static func severities(
    including severity: Severity?, chosen: String?, in context: PageContext
  ) throws -> [Option] {
    let labels = try context.library.diary.severityScales().scales.first ?? []
    var options = labels.map { Option(value: $0, label: context.label($0), isChosen: $0 == chosen) }
    if let severity, !labels.contains(severity.formValue) {
      let value = severity.formValue
      options.append(
        Option(value: value, label: context.severity(severity), isChosen: value == chosen))
    }
    return options
  }

  /// Whether a typed time is more than 48 hours ago.
  private static func isLate(_ typed: String?, in library: Library) -> Bool {
    guard let time = typed.flatMap({ RecordedTime($0)?.withKnownDay }) else { return false }
    return library.diary.isLate(EntryTime(time, in: library.timeZone))
  }

  /// Recent medications, latest first.
  private static func medicationNames(in library: Library) throws -> [String] {
    var seen: Set<String> = []
    return try library.diary.symptoms(limit: 200).elements
      .flatMap { $0.symptom?.medications ?? [] }.filter { seen.insert($0).inserted }
  }
}

extension PageContext {
  /// The current time.
  var moment: EntryTime { library.placed(library.now) }

  /// The time that the form of an entry is filled in with: the entry's, or that of a new one on a day. On a day that is
  /// past, it is the present time of day. In the hours before `day.end`, that is a time of the following day.
  fileprivate func time(of entry: Entry?, on day: LocalDay?) -> EntryTime {
    if let entry { return entry.time }
    guard let day, day < today else { return moment }
    let wall = moment.wall.advanced(byDays: day.dayNumber - today.dayNumber)
    return library.placed(.wall(wall))
  }

  /// The latest day that a form accepts: the calendar's, which has begun before the diary's day is over, or a stored one
  /// that was recorded further east.
  func latestDay(_ stored: LocalDay?...) -> String {
    "\(stored.compactMap(\.self).reduce(library.calendarDay, max))"
  }
}

extension Entry {
  var symptom: Symptom? {
    if case .symptom(let symptom) = content { symptom } else { nil }
  }
}

extension EntryTime {
  /// The time in the format of `datetime-local`: `2026-11-21T14:20`.
  package var formMinute: String { String("\(wall)".prefix(16)) }
}

extension Severity {
  /// The severity as sent by a form: its label, or else its number.
  package var formValue: String { label ?? value.formatted() }
}
