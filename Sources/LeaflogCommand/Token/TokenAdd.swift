import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog token add`
struct TokenAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a token, and print its secret once.",
    discussion: """
      Programs send the secret with each request, browsers once, to sign in:

        TOKEN=$(leaflog token add phone)
        curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8765/api/v1/timeline

      The library stores only a digest of the secret.
      """)

  @Argument(help: "The name of the person, device or program that it is for, which must be unique.")
  var name: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    // The tokens are stored beside the catalog, which is not written to.
    let library = try context.openLibrary(for: .reading)
    let (token, secret) = try library.tokens.add(name)
    if global.json {
      return context.output.print(json: TokenDocument(token, secret: secret))
    }
    context.output.print(secret)
    guard !global.quiet else { return }
    context.error.print(
      """
      This is the secret of \(TextLayout.singleLine(token.name)); it will not be shown again. \
      Programs send it with each request, as `Authorization: Bearer SECRET`.
      """)
  }
}
