import ArgumentParser
internal import Foundation
internal import Glibc
internal import Leaflog

/// `leaflog reset`
struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Take everything out of the library, for good.",
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
    /// What is on the timeline, by kind.
    let entries: [String: Int]
    let plants: Int
    let dryRun: Bool?
    let reason: String?
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    let statistics = try library.statistics()
    let counts = statistics.entryCounts.filter { !diary || $0.key != .photo }
    let plants = diary ? 0 : statistics.plantCount
    var going = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      Quantities.count($0.value, $0.key.words)
    }
    if plants > 0 { going.append(Quantities.count(plants, "plant")) }
    let activities = try library.activities().count
    if activities > 0 {
      going.append("\(activities) \(activities == 1 ? "activity" : "activities")")
    }
    going.append("all quotes of your own and \(diary ? "the diary's" : "all") trash")
    let what = going.joined(separator: ", ")

    guard let name = confirm ?? ask(what, library) else {
      if global.json {
        Output.result(
          JSON.line(document(counts, plants, reason: "--confirm '\(library.name)' does it.")))
      } else {
        Output.result(
          "Would take out \(what). Nothing was done. --confirm '\(library.name)' does it.")
      }
      return
    }
    try library.reset(diary ? .diary : .everything, confirmedBy: name)
    if global.json {
      Output.result(JSON.line(document(counts, plants, reason: nil)))
    } else if !global.quiet {
      Output.result("Took out \(what).")
    }
  }

  private func document(
    _ counts: [EntryKind: Int], _ plants: Int, reason: String?
  ) -> Document {
    Document(
      entries: Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }),
      plants: plants, dryRun: reason == nil ? nil : true, reason: reason)
  }

  /// `--yes` does not answer this one: the name does.
  private func ask(_ what: String, _ library: Library) -> String? {
    guard Confirmation.canAsk(global) else { return nil }
    Output.error("This takes out \(what), for good.")
    Output.write("Type the library's name, \(library.name), to do it: ", to: STDERR_FILENO)
    return readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
  }
}
