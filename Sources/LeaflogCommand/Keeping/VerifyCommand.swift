import ArgumentParser
internal import Leaflog

/// `leaflog verify`
struct VerifyCommand: AsyncParsableCommand {
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

  func run() async throws {
    let library = try openLibrary()
    var request = VerifyRequest()
    request.isFull = full
    request.limit = limit?.duration
    let final = request
    let report = DamageReport(global)
    let interruption = Interruption()
    let work = Task {
      try Verifier(library).run(final) {
        report.show($0)
      } report: {
        report.tell($0)
      }
    }
    let summary = try await interruption.value(of: work)
    report.clear()
    tell(summary)
    if work.isCancelled { throw ExitStatus.interrupted.exitCode }
    if summary.damageCount > 0 { throw ExitStatus.damaged.exitCode }
  }

  /// What cannot be written can be verified all the same; nothing of it is remembered then.
  private func openLibrary() throws -> Library {
    guard full else { return try global.openLibrary(for: .reading) }
    do { return try global.openLibrary(for: .writing) } catch let error as LeaflogError
      where [.readOnly, .noSpace].contains(error.code)
    {
      return try global.openLibrary(for: .reading)
    }
  }

  private struct Summary: Encodable {
    let blobs: Int
    let byteCount: Int
    let damaged: Int
    let unknown: Int
    let complete: Bool
    let seconds: Double
  }

  private func tell(_ summary: VerifySummary) {
    if global.json {
      Output.result(
        JSON.line([
          "summary": Summary(
            blobs: summary.blobCount, byteCount: summary.byteCount, damaged: summary.damageCount,
            unknown: summary.unknownCount, complete: summary.isComplete,
            seconds: (summary.duration.seconds * 1000).rounded() / 1000)
        ]))
    } else if !global.quiet {
      let verb = full ? "Read" : "Looked at"
      var text =
        "\(verb) \(Quantities.count(summary.blobCount, "blob")), "
        + "\(Quantities.bytes(summary.byteCount)), in \(Quantities.duration(summary.duration.seconds)): "
      text +=
        summary.damageCount == 0
        ? "all is well." : "\(Quantities.count(summary.damageCount, "fault")); see above."
      Output.result(text)
      if !summary.isComplete { Output.result("Not all of it; the next run goes on from there.") }
      if summary.unknownCount > 0 {
        Output.result(
          "\(Quantities.count(summary.unknownCount, "blob")) in the store that nothing refers to; "
            + "`leaflog prune` takes them out.")
      }
    }
  }
}
