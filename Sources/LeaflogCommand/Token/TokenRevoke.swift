import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog token revoke`
struct TokenRevoke: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token and end its sessions.",
    discussion: "Takes effect immediately, even on a running server, and cannot be undone.")

  @Argument(help: "Its name, its id, or an id prefix.", completion: .tokens)
  var token: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let revoked = try library.tokens.revoke(token)
    if global.json {
      context.output.print(json: TokenDocument(revoked))
    } else if !global.quiet {
      context.output.print(
        "Revoked \(TextLayout.singleLine(revoked.name)); it no longer grants access.")
    }
  }
}
