import ArgumentParser
internal import Leaflog

/// `leaflog verify`
struct VerifyCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check the library for missing or damaged files.",
    discussion: """
      Checks the catalog, the end of its journal, and the presence and size of every blob; --full reads \
      every byte of the catalog, its snapshots, the journal and the blobs. With \
      --for, it stops after that time, and the next --full continues there. Exits with 12 if \
      anything is damaged; `leaflog repair` repairs what it can.
      """)

  @Flag(help: "Read every byte.")
  var full = false

  @Option(name: .customLong("for"), help: "Stop after this time: 10m, 2h.")
  var limit: DurationArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let library = try openLibrary(context)
    var request = VerifyRequest()
    request.readsEverything = full
    request.limit = limit?.duration
    let final = request
    let summary = try await DamageReport(context).during { report in
      try Verifier(library).run(final) {
        report.show($0)
      } report: {
        report.report($0)
      }
    }
    report(summary, context)
    if summary.isInterrupted { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  /// Opens the library. One that cannot be written to is verified all the same, without saving its progress.
  private func openLibrary(_ context: CommandContext) throws -> Library {
    guard full else { return try context.openLibrary(for: .reading) }
    do { return try context.openLibrary(for: .writing) } catch let error as LeaflogError
      where [.readOnly, .noSpace].contains(error.code)
    {
      return try context.openLibrary(for: .reading)
    }
  }

  private func report(_ summary: VerifySummary, _ context: CommandContext) {
    if global.json {
      context.output.print(summary: summary)
    } else if !global.quiet {
      let verb = full ? "Read" : "Checked"
      var text =
        "\(verb) \(Quantities.count(summary.blobCount, "blob")), "
        + "\(Quantities.bytes(summary.byteCount)), in \(Quantities.duration(summary.duration.seconds)): "
      text +=
        summary.damageCount == 0
        ? "no problems found."
        : "\(Quantities.count(summary.damageCount, "fault")); see above. "
          + "`leaflog repair` restores what it can, with --from from a backup."
      context.output.print(text)
      if !summary.isComplete {
        context.output.print("Stopped early; the next run continues there.")
      }
      if summary.unknownCount > 0 {
        context.output.print(
          "\(Quantities.count(summary.unknownCount, "unreferenced blob")) in the store; "
            + "`leaflog prune` removes them.")
      }
    }
  }
}

/// Reports the progress of `verify`, `backup` and `restore`, and any damage.
final class DamageReport: Sendable {
  private let bar: ProgressLine
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
    bar = ProgressLine(context)
  }

  func show(_ share: Double) { bar.show(share: share) }

  /// Runs work that an interruption cancels, and finally removes the progress bar.
  func during<Result: Sendable>(
    _ work: @escaping @Sendable (DamageReport) throws -> Result
  ) async throws -> Result {
    let interruption = context.process.interruption()
    let result = try await interruption.value(of: interruption.start { try work(self) })
    bar.clear()
    return result
  }

  func report(_ damage: Damage) {
    bar.clear()
    guard context.options.json else {
      let sentences = [damage.message, damage.remedy?.words].compactMap { $0 }
      return context.output.print(TextLayout.singleLine(sentences.joined(separator: " ")))
    }
    context.output.print(json: DamageDocument(damage, remedy: damage.remedy?.words))
  }
}
