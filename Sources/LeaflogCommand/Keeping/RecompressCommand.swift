import ArgumentParser
internal import Leaflog

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
    let library = try context.openLibrary(for: .writing)
    var request = RecompressRequest(policy: policy ?? library.policy)
    request.plant = try named.text.map { try library.plants.reference($0).id }
    request.targetScore = target
    request.minSaving = minSaving / 100
    request.allowsSecondLoss = global.yes
    let final = request
    let report = RecompressReport(context)
    let interruption = context.process.interruption()
    let work = interruption.start {
      try await Recompressor(library).run(final) { report.tell($0) }
    }
    try await interruption.value(of: work)
    report.end(isInterrupted: work.isCancelled)
    if work.isCancelled { throw ExitStatus.interrupted.exitCode }
    if report.status != .done { throw report.status.exitCode }
  }
}
