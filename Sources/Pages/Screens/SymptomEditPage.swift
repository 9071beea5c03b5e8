package import Leaflog

/// The form of a symptom, new or existing.
package struct SymptomEditPage: Screen {
  package static let template = "symptom-edit"

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let heading: String
  let action: String
  /// Nil for a new one.
  let version: String?
  let problem: PageProblem?
  let conflict: Conflict?
  /// Whether the typed time is more than 48 hours ago.
  let asksLate: Bool
  /// The present as a new form was filled in with it, with its seconds and its offset. Nil where the time is not the
  /// present.
  let filledTime: String?
  let rows: [FormRow]
  let deleteAction: String?
  let trendHref: String?
  let timelineHref: String?

  /// - Parameters:
  ///   - id: nil for a new one.
  ///   - day: the day of a new one; nil means today.
  package init(
    _ context: PageContext, _ id: String? = nil, on day: LocalDay? = nil, refusal: Refusal? = nil
  ) throws {
    let words = context.words
    let entry = try id.map { try context.entry($0, of: .symptom) }
    let symptom = entry.flatMap { $0.symptom }
    let form = FormBuilder(refusal, context)
    heading = words[entry == nil ? "newSymptom" : "editSymptom"]
    page = try context.frame(heading, at: .today)
    let address = entry.map { "/symptoms/\($0.id)" }
    let typed = refusal?.typed["at"].flatMap { RecordedTime($0) }
    let typedDay = typed.map { context.library.placed($0).localDay }
    let shown = entry?.time.localDay ?? typedDay ?? day ?? context.today
    backHref = context.back ?? "/symptoms?on=\(shown)"
    backLabel = words[context.back == nil ? "symptoms" : "back"]
    action = address ?? "/symptoms"
    version = entry?.versionDigest
    problem = context.problem(refusal)
    let time = context.time(of: entry, on: day)
    filledTime = form.reader.text(
      "at.filled", entry == nil && time == context.moment ? time.recorded.iso8601 : nil)
    rows = try Self.rows(of: entry, at: time, form, context)
    conflict = refusal?.conflict(at: address ?? "/symptoms/new", rows.fields, words)
    asksLate = refusal?.doubts.map(\.confirmation).contains(.late) ?? false
    deleteAction = address.map { "\($0)/delete" }
    timelineHref = entry.map { context.timelineHref(at: $0.time.localDay) }
    trendHref = symptom.map { PageAddress("/symptoms/trend", [("name", $0.name)]).text }
  }
}

extension SymptomEditPage {
  private static func rows(
    of entry: Entry?, at time: EntryTime, _ form: FormBuilder, _ context: PageContext
  ) throws -> [FormRow] {
    let (symptom, words) = (entry?.symptom, context.words)
    let names = try context.library.diary.symptomNames(today: context.today).map(\.name)
    var name = form.field("name", of: symptom, label: "symptomName", suggestions: names)
    // The most likely symptoms now, for a new one.
    if entry == nil, !names.isEmpty {
      name.chips = FormField.Chips(style: "chip", fills: Array(names.prefix(5)), isFollowing: true)
    }
    return [
      FormRow(name),
      FormRow(
        form.answers(
          "severity", stored: symptom?.severity.formValue, style: "",
          try severities(including: symptom?.severity, in: context))),
      FormRow(
        form.field(
          "at", label: "when", stored: time.formMinute,
          // A day alone, which a field for a time cannot hold, is a text.
          .init(type: time.basis == .day ? "text" : "datetime-local", isRequired: true))),
      FormRow(form.notes(entry?.notes, placeholder: words["symptomNotesHint"])),
      FormRow(
        form.field(
          "medications", of: symptom, suggestions: try medicationNames(in: context.library))),
      FormRow(try form.tags(entry?.tags ?? [], hint: "tagsHintDiary")),
    ]
  }

  /// The labels of the chosen scale, plus a severity that is not on it.
  private static func severities(
    including severity: Severity?, in context: PageContext
  ) throws -> [(value: String, label: String)] {
    let labels = try context.library.diary.severityScales().scales.first ?? []
    var options = labels.map { (value: $0, label: context.label($0)) }
    if let severity, !labels.contains(severity.formValue) {
      options.append((severity.formValue, context.severity(severity)))
    }
    return options
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
}

extension Entry {
  var symptom: Symptom? {
    if case .symptom(let symptom) = content { symptom } else { nil }
  }
}

extension EntryTime {
  /// The time in the format of `datetime-local`: `2026-11-21T14:20`; of a day alone, `2026-11-21`.
  package var formMinute: String { basis == .day ? date : String("\(wall)".prefix(16)) }
}

extension Severity {
  /// The severity as sent by a form: its label, or else its number.
  package var formValue: String { label ?? value.formatted() }
}
