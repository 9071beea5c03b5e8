import ArgumentParser
internal import Leaflog

/// `leaflog promote`
struct PromoteCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Make a replica the library: this machine writes it from now on.",
    discussion: """
      It has everything that was reported as done by the machine that wrote the library before, which is refused at \
      its next change. `leaflog follow` has to have ended.
      """)

  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    let path: String
    let dryRun: Bool
    let reason: String?
    let commits: Int
    let lastCommit: Int?
  }

  func run(in context: CommandContext) throws {
    let path = context.libraryPath
    let replica = try LibraryReplica(
      at: path, keys: context.storeKeys, clock: context.process.clock)
    switch Confirmation.ask(
      "Make \(path) the library? A machine that writes it now will be refused.", context)
    {
    case .yes: break
    case .no: return
    case .dryRun:
      if global.json {
        return context.output.print(
          json: Document(
            path: path, dryRun: true, reason: Confirmation.reason, commits: 0, lastCommit: nil))
      }
      return context.output.print("Would make \(path) the library. " + Confirmation.hint)
    }
    let update = try replica.promote()
    if global.json {
      return context.output.print(
        json: Document(
          path: path, dryRun: false, reason: nil, commits: update.commitCount,
          lastCommit: update.lastCommit))
    }
    guard !global.quiet else { return }
    context.output.print("\(path) is the library now, up to commit \(update.lastCommit).")
  }
}
