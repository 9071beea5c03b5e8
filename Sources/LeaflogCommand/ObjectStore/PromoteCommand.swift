import ArgumentParser
internal import Leaflog

/// `leaflog promote`
struct PromoteCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Turn a replica into the library, written by this machine.",
    discussion: """
      It contains every change acknowledged by the previous machine, whose further changes are \
      refused. `leaflog follow` must not be running.
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
      "Turn \(path) into the library? Changes by the machine that writes to it now will be refused.",
      context)
    {
    case .yes: break
    case .no: return
    case .dryRun:
      if global.json {
        return context.output.print(
          json: Document(
            path: path, dryRun: true, reason: Confirmation.reason, commits: 0, lastCommit: nil))
      }
      return context.output.print("Would turn \(path) into the library. " + Confirmation.hint)
    }
    let update = try replica.promote()
    if global.json {
      return context.output.print(
        json: Document(
          path: path, dryRun: false, reason: nil, commits: update.commitCount,
          lastCommit: update.lastCommit))
    }
    guard !global.quiet else { return }
    context.output.print("\(path) is now the library, up to commit \(update.lastCommit).")
  }
}
