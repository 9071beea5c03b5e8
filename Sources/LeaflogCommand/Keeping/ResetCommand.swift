import ArgumentParser
internal import Leaflog

/// `leaflog reset`
struct ResetCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Delete everything in the library, for good.",
    discussion: """
      Asks for the library's name, which is that of its folder; a script gives it with --confirm. \
      There is no way back but a backup. Settings stay.
      """)

  @Flag(help: "Only the diary: plants and photos stay.")
  var diary = false

  @Option(help: "The library's name.")
  var confirm: String?

  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    /// The entries on the timeline, by kind.
    let entries: [String: Int]
    let plants: Int
    let dryRun: Bool?
    let reason: String?
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writing)
    let statistics = try library.store.statistics()
    let counts = statistics.entryCounts.filter { !diary || $0.key != .photo }
    let plants = diary ? 0 : statistics.plantCount
    var going = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      Quantities.count($0.value, $0.key.words)
    }
    if plants > 0 { going.append(Quantities.count(plants, "plant")) }
    let activities = try library.activities.all().count
    if activities > 0 {
      going.append(Quantities.count(activities, "activity"))
    }
    going.append("all quotes of your own and \(diary ? "the diary's" : "all") trash")
    let what = going.joined(separator: ", ")

    guard let name = confirm ?? ask(what, library, context) else {
      if global.json {
        context.output.print(
          json: document(counts, plants, reason: "--confirm '\(library.name)' does it."))
      } else {
        context.output.print(
          "Would take out \(what). Nothing was done. --confirm '\(library.name)' does it.")
      }
      return
    }
    try library.store.reset(diary ? .diary : .everything, confirmedBy: name)
    if global.json {
      context.output.print(json: document(counts, plants, reason: nil))
    } else if !global.quiet {
      context.output.print("Took out \(what).")
    }
  }

  private func document(
    _ counts: [EntryKind: Int], _ plants: Int, reason: String?
  ) -> Document {
    Document(
      entries: Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }),
      plants: plants, dryRun: reason == nil ? nil : true, reason: reason)
  }

  /// Asks for the library's name. `--yes` does not replace it.
  private func ask(_ what: String, _ library: Library, _ context: CommandContext) -> String? {
    guard Confirmation.canAsk(context) else { return nil }
    context.error.print("This takes out \(what), for good.")
    context.error.write("Type the library's name, \(library.name), to do it: ")
    return context.process.input.answer() ?? ""
  }
}
