import ArgumentParser

/// `leaflog export`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the diary into files for other programs.",
    subcommands: [
      ExportJSON.self, ExportCSV.self,
    ])
}
