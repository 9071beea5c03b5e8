import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog token list`
struct TokenList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All tokens by name, and when each was last used.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let tokens = try library.tokens.all()
    if global.json {
      return context.output.print(
        json: Listing(items: tokens.map { TokenDocument($0) }, next: nil))
    }
    TokenText(terminal: context.output.terminal, in: library).lines(tokens).forEach(
      context.output.print)
    if tokens.isEmpty, !global.quiet {
      context.error.print("No tokens yet. `leaflog token add NAME` adds one.")
    }
  }
}
