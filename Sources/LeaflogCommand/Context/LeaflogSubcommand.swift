import ArgumentParser

/// A command that does something, unlike those that only group others.
protocol LeaflogSubcommand: ParsableCommand {
  var global: GlobalOptions { get }

  /// Runs the command with everything it needs from its environment.
  func run(in context: CommandContext) async throws
}
