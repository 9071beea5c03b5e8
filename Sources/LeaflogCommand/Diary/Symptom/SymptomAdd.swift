import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog symptom add`
struct SymptomAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Log a symptom.",
    discussion: """
      leaflog symptom add headache --severity moderate --at 14:30 --medication ibuprofen

      Symptoms from more than 48 hours ago need confirmation, or --yes.
      """)

  @Argument(help: "The symptom.", completion: .symptomNames)
  var name: String

  @Option(help: "1 to 5, or mild, moderate or severe; `leaflog settings` defines custom labels.")
  var severity: String?

  @Option(help: "The time: 14:30, 2026-03-01T09:30, or just a day. Default: now.")
  var at: TimeArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken for it; can be repeated.")
  var medication: [String] = []

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard severity != nil else {
      throw ValidationError("Give the severity: --severity with 1 to 5 or a label.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let symptom = Symptom(
      name: name, severity: try library.diary.severityScales().severity(severity ?? ""),
      medications: medication)
    let time = try at?.time(in: library)
    if let time, try !confirm(time, in: library, context) { return }
    let entry = try library.diary.addSymptom(symptom, at: time, notes: note, tags: tagging.tag)
    try HealthNotice.show(in: library, context)
    if global.json {
      context.output.print(json: EntryDocument(entry))
    } else if !global.quiet {
      TimelineText(terminal: context.output.terminal, zone: library.timeZone).lines([entry])
        .forEach(context.output.print)
    }
  }

  private struct Refused: Encodable {
    var dryRun = true
    let reason: String
  }

  /// Asks whether a time long ago is intended.
  private func confirm(
    _ time: RecordedTime, in library: Library, _ context: CommandContext
  ) throws -> Bool {
    let placed = EntryTime(time, in: library.timeZone)
    guard library.diary.isLate(placed) else { return true }
    let ago = placed.localDay.agoText(on: library.today)
    let answer = Confirmation.ask("That was \(ago). Log it?", context)
    if answer == .dryRun {
      if global.json {
        context.output.print(json: Refused(reason: "That was \(ago). \(Confirmation.reason)"))
      } else {
        context.output.print("That was \(ago). \(Confirmation.hint)")
      }
    }
    try answer.checkAnswered()
    return answer == .yes
  }
}
