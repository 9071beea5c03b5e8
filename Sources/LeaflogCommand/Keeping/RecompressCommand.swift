import ArgumentParser
internal import Fields
internal import Leaflog
internal import Synchronization

/// `leaflog recompress`
struct RecompressCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "recompress", abstract: "Recompress photos under another policy.",
    discussion: """
      --policy lossless packs JPEG files as JPEG XL, a fifth smaller and restorable byte for byte; \
      exact reverses that; compact makes compressed copies that reach --target, always from the best \
      available bytes. Former files stay in the store until `leaflog prune` deletes them; until \
      then, `leaflog undo` can undo the run.
      """)

  @OptionGroup var named: PlantArgument

  @Option(help: "compact, lossless or exact. Default: the library's policy.")
  var policy: StoragePolicy?

  @Option(
    help: "The minimum quality of compressed copies, as an SSIMULACRA2 score from 30 to 95.")
  var target = 80.0

  @Option(help: "Change a photo only if it saves at least this much, in percent.")
  var minSaving = 10.0

  @Flag(help: "Report what would be done, and do nothing.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (30...95).contains(target) else {
      throw ValidationError("--target takes 30 to 95, not \(target).")
    }
    guard (0..<100).contains(minSaving) else {
      throw ValidationError("--min-saving takes 0 to 99, not \(minSaving).")
    }
  }

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: dryRun ? .reading : .writing)
    var request = RecompressRequest(policy: policy ?? library.policy)
    request.plant = try named.text.map { try library.plants.reference(matching: $0).id }
    request.targetScore = target
    request.minSaving = minSaving / 100
    request.allowsSecondLoss = global.yes
    request.isDryRun = dryRun
    let final = request
    let report = RecompressReport(context, isDryRun: dryRun)
    try await context.run(report) {
      try await Recompressor(library).run(final) { report.report($0) }.isInterrupted
    }
  }
}

/// Reports the progress of a recompression: a line of JSON per photo, or the bytes saved so far and a summary by plant.
private final class RecompressReport: WorkReport {
  private struct Share {
    var count = 0
    var before = 0
    var after = 0
  }

  private struct State {
    var plants: [String: Share] = [:]
    var kept: [RecompressOutcome.Reason: Int] = [:]
    var failedCount = 0
    var document = RecompressDocument()
  }

  private struct Line: Shown {
    let entry: Entry
    var outcome = ""
    var reason: RecompressOutcome.Reason?
    var message: String?
    var formerByteCount: Int?
    var byteCount: Int?
    var warnings: [ImportWarning]?

    static let shown = Fields<Line>([
      Field(adding: "photo", .id) { $0.entry.id },
      Field(adding: "plant", .text) { $0.entry.plant?.name },
      Field(adding: "outcome", .oneOf("changed", "kept", "failed")) { $0.outcome },
      Field(adding: "reason", .choice) { $0.reason },
      Field(adding: "message", .text) { $0.message },
      Field(adding: "formerByteCount", .byteCount) { $0.formerByteCount },
      Field(adding: "byteCount", .byteCount) { $0.byteCount },
      Field(adding: "warnings", .choices()) { $0.warnings },
    ])
  }

  private let context: CommandContext
  private let progress: ProgressLine
  private let state = Mutex(State())

  private let isDryRun: Bool

  init(_ context: CommandContext, isDryRun: Bool) {
    (self.context, self.isDryRun) = (context, isDryRun)
    progress = ProgressLine(context)
  }

  func report(_ outcome: RecompressOutcome) {
    var line = Line(entry: outcome.entry)
    state.withLock { state in
      state.document.count(outcome)
      switch outcome.result {
      case .changed(let before, let after):
        (line.outcome, line.formerByteCount, line.byteCount) = ("changed", before, after)
        let warnings = outcome.warnings.sorted()
        if !warnings.isEmpty { line.warnings = warnings }
        var share = state.plants[outcome.entry.plant?.name ?? "no plant"] ?? Share()
        share.count += 1
        share.before += before
        share.after += after
        state.plants[outcome.entry.plant?.name ?? "no plant"] = share
      case .kept(let reason):
        (line.outcome, line.reason) = ("kept", reason)
        state.kept[reason, default: 0] += 1
      case .failed(let message):
        (line.outcome, line.message) = ("failed", message)
        state.failedCount += 1
      }
      draw(state)
    }
    if context.options.json {
      context.output.print(json: line)
    } else if !outcome.warnings.isEmpty {
      progress.clear()
      let texts = outcome.warnings.sorted().map(\.explanation).joined(separator: "; ")
      context.error.print("\(outcome.entry.id.short): \(texts)")
    } else if let message = line.message {
      progress.clear()
      context.error.print("\(outcome.entry.id.short): \(TextLayout.singleLine(message))")
    }
  }

  private func draw(_ state: State) {
    progress.show { _ in
      let all = Self.sum(state)
      let looked = all.count + state.kept.values.reduce(0, +) + state.failedCount
      return "\(Quantities.count(looked, "photo")), "
        + "\(Quantities.bytes(max(0, all.before - all.after))) saved so far"
    }
  }

  private static func sum(_ state: State) -> Share {
    state.plants.values.reduce(into: Share()) {
      $0.count += $1.count
      $0.before += $1.before
      $0.after += $1.after
    }
  }

  func end(isInterrupted: Bool) {
    progress.clear()
    let state = state.withLock { $0 }
    let all = Self.sum(state)
    if context.options.json {
      var document = state.document
      document.interrupted = isInterrupted ? true : nil
      document.dryRun = isDryRun ? true : nil
      context.output.print(summary: document)
    } else if !context.options.quiet {
      lines(state, all, isInterrupted).forEach(context.output.print)
    }
  }

  private func lines(_ state: State, _ all: Share, _ isInterrupted: Bool) -> [String] {
    func text(_ share: Share) -> String {
      "\(Quantities.count(share.count, "photo")), \(Quantities.bytes(share.before)) \(isDryRun ? "would become" : "became") "
        + "\(Quantities.bytes(share.after)) (\(Quantities.percent(share.after, of: share.before)))"
    }
    var lines: [String] = []
    if state.plants.count > 1 {
      let rows = state.plants.sorted { $0.key < $1.key }.map { plant, share -> [TextTable.Cell] in
        [.init(TextLayout.singleLine(plant)), .init(text(share))]
      }
      lines += TextTable(context.output.terminal, [.init(limit: 40), .init()], rows).lines
    }
    if all.count > 0 {
      lines.append(
        text(all)
          + (isDryRun
            ? ". Nothing was done."
            : ". `leaflog prune` frees the space; until then, `leaflog undo` undoes it."))
    }
    for (reason, count) in state.kept.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("\(Quantities.count(count, "photo")) kept: \(reason.explanation).")
    }
    if state.failedCount > 0 {
      lines.append("\(Quantities.count(state.failedCount, "photo")) failed; see above.")
    }
    if isInterrupted { lines.append("Interrupted. Run it again to continue.") }
    return lines.isEmpty ? ["No photos."] : lines
  }

  var status: ExitStatus {
    state.withLock { state in
      if state.failedCount == 0 { return .done }
      return state.plants.isEmpty && state.kept.isEmpty ? .failed : .partlyDone
    }
  }
}

extension RecompressOutcome.Reason {
  fileprivate var explanation: String {
    switch self {
    case .alreadySo: "stored that way already"
    case .savesTooLittle: "it would not save enough"
    case .exactBytesGone:
      "the library only has a compressed copy; `leaflog import --update --policy exact` takes the exact "
        + "bytes from the original files"
    case .secondLoss:
      "compressing a compressed copy again would lose quality; use --yes to do it anyway"
    case .notCompressible: "it cannot be compressed that way, or not in the memory there is"
    }
  }
}
