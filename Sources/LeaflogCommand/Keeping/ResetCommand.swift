import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog reset`
struct ResetCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Permanently delete everything in the library.",
    discussion: """
      Asks for the library's name, which is that of its folder; scripts use --confirm. Only a backup \
      can bring it back. Settings are kept.
      """)

  @Flag(help: "Only the diary: plants and photos stay.")
  var diary = false

  @Option(help: "The library's name.")
  var confirm: String?

  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let entries: [EntryKind: Int]
    let plants: Int
    /// Why nothing was deleted; nil when it was.
    let reason: String?

    static let shown = Fields<Document>([
      // The entries on the timeline, by kind.
      Field(adding: "entries", .counts()) { $0.entries },
      Field(adding: "plants", .count) { $0.plants },
      Field(adding: "dryRun", .flag) { $0.reason.map { _ in true } },
      Field(adding: "reason", .text) { $0.reason },
    ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writing)
    let plan = try library.store.resetPlan(diary ? .diary : .everything)
    let (counts, plants) = (plan.entries, plan.plantCount)
    var going = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      Quantities.count($0.value, $0.key.words)
    }
    if plants > 0 { going.append(Quantities.count(plants, "plant")) }
    if plan.activityCount > 0 {
      going.append(Quantities.count(plan.activityCount, "activity"))
    }
    going.append("all your own quotes and \(diary ? "the diary's" : "all") trash")
    let what = going.joined(separator: ", ")

    guard let name = confirm ?? ask(what, library, context) else {
      if global.json {
        context.output.print(
          json: Document(
            entries: counts, plants: plants,
            reason: "Repeat with --confirm '\(library.name)' to do it."))
      } else {
        context.output.print(
          "Would delete \(what). Nothing was done. "
            + "Repeat with --confirm '\(library.name)' to do it.")
      }
      throw ExitStatus.unanswered.exitCode
    }
    try library.store.reset(diary ? .diary : .everything, confirmedBy: name)
    if global.json {
      context.output.print(json: Document(entries: counts, plants: plants, reason: nil))
    } else if !global.quiet {
      context.output.print("Deleted \(what).")
    }
  }

  /// Asks for the library's name. `--yes` does not replace it.
  private func ask(_ what: String, _ library: Library, _ context: CommandContext) -> String? {
    guard Answer.canAsk(context) else { return nil }
    context.error.print("This permanently deletes \(what).")
    context.error.write("Type the library's name, \(library.name), to do it: ")
    return context.process.input.answer() ?? ""
  }
}
