import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog verify`
struct VerifyCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that everything is there and undamaged.",
    discussion: """
      Looks at the catalog, and at the presence and size of every blob; --full reads every byte. With \
      --for it ends after that long, and the next --full goes on where it stopped. Exits with 12 when \
      something is damaged; `leaflog repair` mends what can be mended.
      """)

  @Flag(help: "Read every byte.")
  var full = false

  @Option(name: .customLong("for"), help: "End after this long: 10m, 2h.")
  var limit: DurationArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    let library = try openLibrary(context)
    var request = VerifyRequest()
    request.isFull = full
    request.limit = limit?.duration
    let final = request
    let (summary, isCancelled) = try await DamageReport(context).during { report in
      try Verifier(library).run(final) {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    tell(summary, context)
    if isCancelled { throw ExitStatus.interrupted.exitCode }
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

  private func tell(_ summary: VerifySummary, _ context: CommandContext) {
    if global.json {
      context.output.print(json: ["summary": VerifyDocument(summary)])
    } else if !global.quiet {
      let verb = full ? "Read" : "Looked at"
      var text =
        "\(verb) \(Quantities.count(summary.blobCount, "blob")), "
        + "\(Quantities.bytes(summary.byteCount)), in \(Quantities.duration(summary.duration.seconds)): "
      text +=
        summary.damageCount == 0
        ? "all is well." : "\(Quantities.count(summary.damageCount, "fault")); see above."
      context.output.print(text)
      if !summary.isComplete {
        context.output.print("Not all of it; the next run goes on from there.")
      }
      if summary.unknownCount > 0 {
        context.output.print(
          "\(Quantities.count(summary.unknownCount, "blob")) in the store that nothing refers to; "
            + "`leaflog prune` takes them out.")
      }
    }
  }
}
