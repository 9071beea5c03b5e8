import ArgumentParser
internal import Leaflog

/// `leaflog photo`
struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "Mend, move, delete and export photos.",
    subcommands: [
      PhotoEdit.self, PhotoMove.self, PhotoRedate.self, PhotoDelete.self, PhotoRestore.self,
      PhotoExport.self,
    ])
}

/// Which photos a command was given: some by id, or those that fit.
struct PhotoChoice {
  let ids: [String]
  let plant: String?
  let firstDay: LocalDay?
  let lastDay: LocalDay?

  private var hasFilter: Bool { plant != nil || firstDay != nil || lastDay != nil }

  /// - Throws: when both ways are used, or neither; `options` names those of the second.
  func validate(options: String) throws {
    if !ids.isEmpty, hasFilter {
      throw ValidationError("Name photos or choose them with \(options), not both.")
    }
    if ids.isEmpty, !hasFilter {
      throw ValidationError("Which photos? Name them by their ids, or choose them with \(options).")
    }
  }

  /// - Throws: when photos are meant too: undoing takes back a whole change, whatever it changed.
  func validateUndo(of kind: ChangeKind, besides isOther: Bool = false) throws {
    guard ids.isEmpty, !hasFilter, !isOther else {
      throw ValidationError("--undo goes alone: it takes back the last `\(kind.rawValue)`.")
    }
  }

  /// `deleted`: whether those in the trash are meant.
  func selection(in library: Library, deleted: Bool = false) throws -> PhotoSelection {
    if !ids.isEmpty {
      var seen: Set<EntryID> = []
      return .photos(
        try ids.map { try library.entry(ofPhoto: $0).id }.filter { seen.insert($0).inserted })
    }
    return .matching(
      TimelineQuery(
        plant: try plant.map { try library.plant($0, inTrash: deleted).id }, kinds: [.photo],
        firstDay: firstDay, lastDay: lastDay, order: .oldestFirst, deleted: deleted))
  }
}

/// The arguments of commands that take photos, or all that fit.
struct PhotoChoiceOptions: ParsableArguments {
  @Argument(help: "Photos by their ids, or the starts of them.", completion: .photos)
  var photos: [String] = []

  @Option(help: "All photos of this plant.", completion: .plants)
  var plant: String?

  @Option(help: "Photos of this day and later.")
  var from: DayArgument?

  @Option(help: "Photos up to this day.")
  var to: DayArgument?

  static let names = "--plant, --from and --to"

  var choice: PhotoChoice {
    PhotoChoice(ids: photos, plant: plant, firstDay: from?.day, lastDay: to?.day)
  }
}

/// Tells what was done to photos.
struct PhotoEdits {
  private let options: GlobalOptions

  init(_ options: GlobalOptions) { self.options = options }

  private struct Document: Encodable {
    struct Failure: Encodable {
      let id: String
      let message: String
    }

    let items: [EntryDocument]
    let unchanged: Int?
    let failed: [Failure]?
    let dryRun: Bool?

    private enum Key: CodingKey { case items, next, unchanged, failed, dryRun }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(items, forKey: .items)
      try object.encodeNil(forKey: .next)
      try object.encodeIfPresent(unchanged, forKey: .unchanged)
      try object.encodeIfPresent(failed, forKey: .failed)
      try object.encodeIfPresent(dryRun, forKey: .dryRun)
    }
  }

  /// `done`: what the summary calls it, e.g. `Moved`. `note` is said after how many.
  func tell(_ result: EditResult, done: String, note: String = "", kind: ChangeKind) throws {
    if options.json {
      Output.result(
        JSON.line(
          Document(
            items: result.changed.map(EntryDocument.init), unchanged: result.unchangedCount,
            failed: result.failures.map {
              .init(id: $0.entry.id.description, message: $0.message)
            }, dryRun: nil)))
    } else {
      if !options.quiet { summarise(result, done, note, kind) }
      explain(result.failures)
    }
    guard !result.failures.isEmpty else { return }
    let isSomethingDone = !result.changed.isEmpty || result.unchangedCount > 0
    throw (isSomethingDone ? ExitStatus.partlyDone : .failed).exitCode
  }

  /// One line a reason where many photos share it.
  private func explain(_ failures: [EditResult.Failure]) {
    var reasons: [String] = []
    for failure in failures where !reasons.contains(failure.message) {
      reasons.append(failure.message)
    }
    for reason in reasons {
      let ids = failures.filter { $0.message == reason }.map(\.entry.id.short)
      let names =
        ids.prefix(4).joined(separator: ", ") + (ids.count > 4 ? " and \(ids.count - 4) more" : "")
      Output.error("\(names): \(TextLayout.singleLine(reason))")
    }
  }

  private func summarise(_ result: EditResult, _ done: String, _ note: String, _ kind: ChangeKind) {
    list(result.changed)
    var lines: [String] = []
    if !result.changed.isEmpty {
      lines.append(
        "\(done) \(Quantities.count(result.changed.count, "photo"))\(note). "
          + "`leaflog \(kind.rawValue) --undo` takes it back.")
    }
    if result.unchangedCount > 0 {
      let verb = result.unchangedCount == 1 ? "was" : "were"
      lines.append("\(Quantities.count(result.unchangedCount, "photo")) \(verb) so already.")
    }
    if lines.isEmpty, result.failures.isEmpty { lines.append("No photo fits.") }
    lines.forEach(Output.result)
  }

  /// Says what would be done, and that nothing was.
  func tellDryRun(_ entries: [Entry], would: String, note: String) {
    if options.json {
      Output.result(
        JSON.line(
          Document(
            items: entries.map(EntryDocument.init), unchanged: nil, failed: nil, dryRun: true)))
    } else {
      list(entries)
      Output.result(
        "\(would) \(Quantities.count(entries.count, "photo")) \(note). \(Confirmation.hint)")
    }
  }

  /// Takes back the last change of a kind, and tells what came of it.
  func undo(_ kind: ChangeKind, in library: Library) throws {
    let entries = try library.undo(kind)
    if options.json {
      Output.result(
        JSON.line(
          Document(
            items: entries.map(EntryDocument.init), unchanged: nil, failed: nil, dryRun: nil)))
    } else if !options.quiet {
      list(entries)
      let what = entries.isEmpty ? "" : " of \(Quantities.entries(entries.count))"
      Output.result("Took back the last `\(kind.rawValue)`\(what).")
    }
  }

  private static let listedCount = 10

  /// The first few as timeline lines.
  private func list(_ entries: [Entry]) {
    TimelineText(terminal: .output).lines(Array(entries.prefix(Self.listedCount)))
      .forEach(Output.result)
    if entries.count > Self.listedCount {
      Output.result("  … and \(entries.count - Self.listedCount) more")
    }
  }
}
