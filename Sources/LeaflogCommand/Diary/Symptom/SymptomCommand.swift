import ArgumentParser
internal import Leaflog

/// `leaflog symptom`
struct SymptomCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symptom", abstract: "Log symptoms, and look back at them.",
    subcommands: [
      SymptomAdd.self, SymptomList.self, EntryShow<SymptomNoun>.self, SymptomEdit.self,
      EntryDelete<SymptomNoun>.self, EntryRestore<SymptomNoun>.self, SymptomNames.self,
    ], defaultSubcommand: SymptomList.self)
}

enum SymptomNoun: DiaryNoun {
  static let kind = EntryKind.symptom
  static let command = "symptom"
  static let noun = "symptom"
}

extension [String] {
  /// The elements separated by commas; nil when there are none.
  var listed: String? { isEmpty ? nil : joined(separator: ", ") }
}
