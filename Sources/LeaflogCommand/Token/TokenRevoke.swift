import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog token revoke`
struct TokenRevoke: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a token, and the sessions that were begun with it.",
    discussion: "It works at once, on a running server too, and for good: nothing brings it back.")

  @Argument(help: "Its name, or its id or the start of it.", completion: .tokens)
  var token: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let revoked = try library.tokens.revoke(token)
    if global.json {
      context.output.print(json: TokenDocument(revoked))
    } else if !global.quiet {
      context.output.print(
        "Revoked \(TextLayout.singleLine(revoked.name)): nobody gets in with it any more.")
    }
  }
}
