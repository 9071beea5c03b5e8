import ArgumentParser

/// `leaflog export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Take the diary elsewhere: to a doctor, a calendar, or another program.",
    subcommands: [
      ExportPDF.self, ExportCSV.self, ExportJSON.self, ExportCalendar.self,
    ])
}
