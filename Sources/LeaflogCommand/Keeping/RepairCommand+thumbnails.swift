package import Fields
package import Leaflog
internal import Synchronization

extension RepairCommand {
  /// `leaflog repair --thumbnails`
  func remakeThumbnails(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .writing)
    var request = ThumbnailRequest()
    request.plant = try named.text.map { try library.plants.reference(matching: $0).id }
    let final = request
    let report = ThumbnailReport(context)
    try await context.run(report) {
      try await ThumbnailRepair(library).run(final) { report.report($0) }.isInterrupted
    }
  }
}

/// Reports thumbnails that were replaced: a line of JSON per photo, or a summary by plant.
private final class ThumbnailReport: WorkReport {
  private struct State {
    var replaced: [String: Int] = [:]
    var summary = Summary()
  }

  private struct Summary: Shown {
    var replaced = 0
    var unchanged = 0
    var failed = 0
    var interrupted: Bool?

    static let shown = Fields<Summary>([
      Field(adding: "replaced", .count) { $0.replaced },
      Field(adding: "unchanged", .count) { $0.unchanged },
      Field(adding: "failed", .count) { $0.failed },
      Field(adding: "interrupted", .flag) { $0.interrupted },
    ])

    var count: Int { replaced + unchanged + failed }
  }

  private let context: CommandContext
  private let progress: ProgressLine
  private let state = Mutex(State())

  init(_ context: CommandContext) {
    self.context = context
    progress = ProgressLine(context)
  }

  func report(_ outcome: ThumbnailOutcome) {
    state.withLock { state in
      switch outcome.result {
      case .replaced:
        state.summary.replaced += 1
        state.replaced[outcome.plant?.name ?? "no plant", default: 0] += 1
      case .unchanged: state.summary.unchanged += 1
      case .failed: state.summary.failed += 1
      }
      progress.show { _ in
        "\(Quantities.count(state.summary.count, "photo")), \(state.summary.replaced) replaced"
      }
    }
    guard outcome.result != .unchanged else { return }
    if context.options.json {
      context.output.print(json: outcome)
    } else if case .failed(let message) = outcome.result {
      progress.clear()
      context.error.print("\(outcome.photo.short): \(TextLayout.singleLine(message))")
    }
  }

  func end(isInterrupted: Bool) {
    progress.clear()
    var state = state.withLock { $0 }
    if context.options.json {
      state.summary.interrupted = isInterrupted ? true : nil
      context.output.print(summary: state.summary)
    } else if !context.options.quiet {
      lines(state, isInterrupted).forEach(context.output.print)
    }
  }

  private func lines(_ state: State, _ isInterrupted: Bool) -> [String] {
    let summary = state.summary
    var lines: [String] = []
    if state.replaced.count > 1 {
      let rows = state.replaced.sorted { $0.key < $1.key }.map { plant, count in
        [TextTable.Cell(TextLayout.singleLine(plant)), .init("\(count)")]
      }
      lines += TextTable(context.output.terminal, [.init(limit: 40), .init()], rows).lines
    }
    if summary.replaced > 0 {
      lines.append(
        "Replaced \(summary.replaced) of \(Quantities.count(summary.count, "thumbnail")). "
          + "`leaflog undo` brings the former ones back, until `leaflog prune` removes them.")
    } else if summary.unchanged > 0 {
      lines.append("\(Quantities.count(summary.unchanged, "thumbnail")) came out as before.")
    }
    if summary.failed > 0 {
      lines.append("\(Quantities.count(summary.failed, "photo")) failed; see above.")
    }
    if isInterrupted { lines.append("Interrupted. Run it again to continue.") }
    return lines.isEmpty ? ["No photos."] : lines
  }

  var status: ExitStatus {
    state.withLock { state in
      if state.summary.failed == 0 { return .done }
      return state.summary.failed == state.summary.count ? .failed : .partlyDone
    }
  }
}

extension ThumbnailOutcome: Shown {
  package static let shown = Fields<ThumbnailOutcome>([
    Field(adding: "photo", .id) { $0.photo },
    Field(adding: "plant", .text) { $0.plant?.name },
    Field(adding: "outcome", .oneOf("replaced", "unchanged", "failed")) {
      switch $0.result {
      case .replaced: "replaced"
      case .unchanged: "unchanged"
      case .failed: "failed"
      }
    },
    Field(adding: "message", .text) {
      if case .failed(let message) = $0.result { message } else { nil }
    },
  ])
}
