import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog attach`
struct AttachCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Attach a library in an object store to this machine.",
    discussion: """
      The catalog is restored from the store, up to the last acknowledged change. From then on, this \
      machine writes to the library; changes by the previous machine are refused.
      """)

  @Argument(help: "The library's location, as given to `leaflog init`: s3://bucket/prefix.")
  var store: String

  @Option(
    help: """
      The head of the side to follow, if copies of the library have gone different ways. 64 digits, as \
      the error lists them.
      """)
  var head: String?

  @OptionGroup var connection: StoreConnectionOptions

  @OptionGroup var journal: StoreJournalOptions

  @OptionGroup var global: GlobalOptions

  private struct Attached: Encodable {
    let path: String
    let store: String
    let dryRun: Bool
    let reason: String?
    let lastCommit: Int
    let lostCommits: Int
  }

  func run(in context: CommandContext) throws {
    let settings = try journal.settings(connection.settings(store, in: context))
    let attachment = try LibraryAttachment(settings, to: head, keys: context.storeKeys)
    let survey = attachment.survey
    let path = context.libraryPath
    let commits = Quantities.count(survey.lastCommit, "commit")
    switch Confirmation.ask(
      "Take over the library at \(store), with \(commits)? Changes by the machine that writes to it "
        + "now will be refused.",
      context)
    {
    case .yes: break
    case .no: return
    case .dryRun:
      return print(
        Attached(
          path: path, store: store, dryRun: true, reason: Confirmation.reason,
          lastCommit: survey.lastCommit, lostCommits: 0), context)
    }
    let report = try attachment.run(at: path, clock: context.process.clock, origin: context.typed)
    if survey.forkedCount > 0 {
      context.error.print(
        "The store also has \(Quantities.count(survey.forkedCount, "object")) of another copy of this library, which "
          + "had gone another way.")
    }
    print(
      Attached(
        path: path, store: store, dryRun: false, reason: nil, lastCommit: survey.lastCommit,
        lostCommits: report.losses.count), context)
    if !report.losses.isEmpty { throw ExitStatus.damaged.exitCode }
  }

  private func print(_ attached: Attached, _ context: CommandContext) {
    if global.json { return context.output.print(json: attached) }
    if attached.dryRun {
      return context.output.print(
        "Would take over the library at \(store), with \(Quantities.count(attached.lastCommit, "commit")). "
          + Confirmation.hint)
    }
    if attached.lostCommits > 0 {
      context.error.print(
        "\(Quantities.count(attached.lostCommits, "commit")) could not be found in the store.")
    }
    if !global.quiet {
      context.output.print("The library at \(store) is now in \(attached.path).")
    }
  }
}
