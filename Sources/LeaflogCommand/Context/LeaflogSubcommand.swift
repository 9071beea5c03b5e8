import ArgumentParser

/// A command that does something, unlike those that only group others.
protocol LeaflogSubcommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// Runs it with all that it needs of its surroundings.
  func run(in context: CommandContext) async throws
}
