internal import Documents
internal import Leaflog

/// All details of an entry other than a photo, one field per line.
enum EntryText {
  /// Shows an entry, in JSON together with its neighbours on the timeline.
  static func show(_ entry: Entry, in library: Library, _ context: CommandContext) throws {
    guard context.options.json else { return tell(entry, in: library, context) }
    context.output.print(json: try ShownDocument(EntryDocument(entry), of: entry, in: library))
  }

  static func tell(_ entry: Entry, in library: Library, _ context: CommandContext) {
    if context.options.json { return context.output.print(json: EntryDocument(entry)) }
    let fields = FieldList(terminal: context.output.terminal, nameWidth: 14)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    row("Id", entry.id.description)
    row("Day", TimelineText.moment(entry.time, in: library.timeZone))
    for (name, value) in rows(entry.content) { row(name, value) }
    row("Duration", entry.episodeDuration(on: library.today))
    row("Plant", entry.plant?.name)
    row("Notes", entry.notes)
    row("Tags", entry.tags.listed)
    if entry.deletedAt != nil { row("", "In the trash.") }
  }

  private typealias Field = (name: String, value: String?)

  private static func rows(_ content: EntryContent) -> [Field] {
    switch content {
    case .photo: []
    case .symptom(let symptom):
      [
        ("Symptom", symptom.name), ("Severity", symptom.severity.description),
        ("Medications", symptom.medications.listed),
      ]
    case .dailyLog(let log): rows(log)
    case .episode(let episode): rows(episode)
    case .mood(let mood): [("Mood", "\(mood.emoji) \(mood.words)")]
    case .quote(let quote):
      [
        ("Quote", "“\(quote.text)”"), ("Author", quote.author), ("Source", quote.source),
        ("Quote's id", quote.id.description),
      ]
    case .completion(let completion):
      [
        ("Done", "\(completion.activity.emoji) \(completion.activity.name)"),
        ("Source", completion.source),
      ]
    }
  }

  private static func rows(_ log: DailyLog) -> [Field] {
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

  private static func rows(_ episode: Episode) -> [Field] {
    [
      ("Type", episode.type.words),
      ("Ended", episode.endDay.map(TimelineText.heading) ?? "ongoing"),
      ("Severity", ofFive(episode.severity)), ("Symptoms", episode.symptoms.map(\.words).listed),
      ("Mucus", episode.mucus.map { "\($0.words) (its colour is not diagnostic)" }),
      ("Worst", episode.worstTime?.words), ("Medications", episode.medications.listed),
      ("Doctor", episode.doctorVisit), ("Test result", episode.testResult),
    ]
  }

  private static func ofFive(_ value: Int?) -> String? { value.map { "\($0) of 5" } }
}
