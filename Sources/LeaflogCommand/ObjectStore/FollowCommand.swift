import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog follow`
struct FollowCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Keep a read-only replica of a library whose photos are in an object store.",
    discussion: """
      The first time, name the library's location; the replica is created in an empty folder. From \
      then on, its catalog is updated within a second or two of each change, until Ctrl-C. Other \
      commands and `leaflog serve` can read it meanwhile.
      """)

  @Argument(help: "The library's location, for a new replica: s3://bucket/prefix.")
  var store: String?

  @OptionGroup var connection: StoreConnectionOptions

  @Flag(help: "Update it once and exit.")
  var once = false

  @Option(help: "The polling interval, e.g. 10s.")
  var every: DurationArgument?

  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let path: String
    let update: LibraryReplica.Update

    static let shown = Fields<Document>([
      Field(adding: "path", .text) { $0.path },
      Field(adding: "commits", .count) { $0.update.commitCount },
      Field(adding: "lastCommit", .number) { $0.update.lastCommit },
      Field(adding: "isReplaced", .flag) { $0.update.isReplaced },
      Field(adding: "changes", .texts) { $0.update.changes },
    ])
  }

  func validate() throws {
    if store == nil, connection.endpoint != nil {
      throw ValidationError("--endpoint requires the library's location: s3://bucket/prefix.")
    }
    if let every, every.duration < .milliseconds(100) {
      throw ValidationError("--every takes a tenth of a second or more.")
    }
  }

  func run(in context: CommandContext) async throws {
    let path = context.libraryPath
    let replica: LibraryReplica
    if let store, !Library.exists(at: path) {
      try context.checkPlaceOfNew(at: path)
      let settings = try connection.settings(store, in: context)
      let made = try LibraryReplica.create(
        settings, at: path, keys: context.storeKeys, clock: context.process.clock)
      replica = made.replica
      report(made.update, path, context)
    } else {
      if store != nil {
        throw LeaflogError(.invalidRequest, "There is already a library at \(path).")
      }
      replica = try LibraryReplica(
        at: path, keys: context.storeKeys, clock: context.process.clock)
    }
    if once {
      if store == nil { report(try replica.update(), path, context) }
    } else {
      try await follow(replica, path, context)
    }
    try replica.close()
  }

  private func follow(
    _ replica: LibraryReplica, _ path: String, _ context: CommandContext
  ) async throws {
    let interruption = context.process.interruption()
    let pause = every?.duration ?? .seconds(1)
    let work = interruption.start {
      try await replica.follow(every: pause) { result in
        switch result {
        case .success(let update): report(update, path, context)
        case .failure(let error): context.error.print("\(error.words) Trying again.")
        }
      }
    }
    try await interruption.value(of: work)
  }

  private func report(_ update: LibraryReplica.Update, _ path: String, _ context: CommandContext) {
    if global.json {
      return context.output.print(json: Document(path: path, update: update))
    }
    guard !global.quiet else { return }
    var parts: [String] = []
    if update.isReplaced { parts.append("the newest catalog") }
    if update.commitCount > 0 { parts.append(Quantities.count(update.commitCount, "commit")) }
    var text = "Up to date with commit \(update.lastCommit)"
    if !parts.isEmpty { text += ": " + parts.joined(separator: " and ") }
    context.output.print(text)
    for change in update.changes {
      context.output.print("  " + TextLayout.singleLine(change))
    }
  }
}

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

  private struct Document: Shown {
    let path: String
    let dryRun: Bool
    let reason: String?
    let commits: Int
    let lastCommit: Int?

    static let shown = Fields<Document>([
      Field(adding: "path", .text) { $0.path }, Field(adding: "dryRun", .flag) { $0.dryRun },
      Field(adding: "reason", .text) { $0.reason }, Field(adding: "commits", .count) { $0.commits },
      Field(adding: "lastCommit", .number) { $0.lastCommit },
    ])
  }

  func run(in context: CommandContext) throws {
    let path = context.libraryPath
    let replica = try LibraryReplica(
      at: path, keys: context.storeKeys, clock: context.process.clock)
    switch Answer.ask(
      "Turn \(path) into the library? Changes by the machine that writes to it now will be refused.",
      context)
    {
    case .yes: break
    case .no: return
    case .dryRun:
      if global.json {
        return context.output.print(
          json: Document(
            path: path, dryRun: true, reason: Answer.reason, commits: 0, lastCommit: nil))
      }
      return context.output.print("Would turn \(path) into the library. " + Answer.hint)
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
