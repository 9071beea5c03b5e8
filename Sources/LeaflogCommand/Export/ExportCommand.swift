import ArgumentParser

/// `leaflog export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Take the diary elsewhere: to a doctor, or a calendar.",
    subcommands: [
      ExportPDF.self,
      ExportCalendar.self,
    ])
}
