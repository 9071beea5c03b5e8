import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog symptom edit`
struct SymptomEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a symptom.",
    discussion: """
      --tag and --medication replace the existing ones; '' removes tags, medications or notes.
      """)

  @Argument(help: "Its id, or a prefix of it.")
  var entry: String

  @Option(parsing: .unconditional, help: "The symptom.", completion: .symptomNames)
  var name: String?

  @Option(help: "1 to 5, or a label.")
  var severity: String?

  @Option(help: "The time: 14:30, 2026-03-01T09:30, or just a day.")
  var at: TimeArgument?

  @Option(parsing: .unconditional, help: "A note.")
  var note: String?

  @Option(parsing: .unconditionalSingleValue, help: "A medication taken for it; can be repeated.")
  var medication: [String] = []

  @OptionGroup var tagging: TagOptions
  @OptionGroup var global: GlobalOptions

  private var isUnchanged: Bool {
    name == nil && severity == nil && at == nil && note == nil && tagging.tag.isEmpty
      && medication.isEmpty
  }

  func validate() throws {
    guard !isUnchanged else {
      throw ValidationError(
        "Nothing to change. Give at least one of --name, --severity, --at, --note, --tag or "
          + "--medication.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let found = try library.diary.entry(entry, of: .symptom)
    let felt = try severity.map { try library.diary.severityScales().severity($0) }
    let result = try library.diary.editSymptom(
      found, at: at.map { try $0.time(of: found, in: library) }, notes: note, tags: tagging.tags
    ) { symptom in
      symptom.name = name ?? symptom.name
      symptom.severity = felt ?? symptom.severity
      if !medication.isEmpty { symptom.medications = medication }
    }
    if global.json {
      context.output.print(json: EntryDocument(result.changed.first ?? found))
    } else {
      try SymptomNoun.report(context).tell(result, done: "Changed", in: library)
    }
  }
}
