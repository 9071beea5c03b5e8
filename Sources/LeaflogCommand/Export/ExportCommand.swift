import ArgumentParser

/// `leaflog export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the diary for a doctor, a calendar, or another program.",
    subcommands: [
      ExportPDF.self, ExportCSV.self, ExportJSON.self, ExportCalendar.self,
    ])
}
