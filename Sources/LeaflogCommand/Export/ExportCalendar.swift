import ArgumentParser
internal import Leaflog

/// `leaflog export ics`
struct ExportCalendar: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "ics",
    abstract: "Export reminders and due activities for a calendar application.",
    discussion: """
      Contains the daily reminder, if it is on, and each activity with an interval on its due days. \
      Import it again after a change: events are replaced, not duplicated.
      """)

  @OptionGroup var destination: DocumentOutput

  @Flag(help: "Also the days on which activities were done.")
  var completions = false

  @OptionGroup var global: GlobalOptions

  private struct Made: Encodable {
    let path: String
    let eventCount: Int
    let byteCount: Int
  }

  func validate() throws { try destination.validate(json: global.json) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let made = try library.insights.calendar(today: library.today, hasCompletions: completions)
    try destination.write(
      made.document, context,
      report: Made(
        path: destination.output, eventCount: made.eventCount,
        byteCount: made.document.bytes.count),
      text: Quantities.count(made.eventCount, "event"))
  }
}
