import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog serve pair`
struct ServePair: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Show a QR code that signs a phone in.",
    discussion: """
      The code contains the address of the library's running service and a secret that works once, \
      within ten minutes. The phone gets its own session, under a name shown by `leaflog token list`; \
      `leaflog token revoke` ends it.
      """)

  @Argument(help: "The name of the phone; a number is appended if it is taken.")
  var name = "phone"

  @Option(
    help: ArgumentHelp(
      "The service's address as seen from the phone, instead of the recorded one.",
      valueName: "url"))
  var address: String?

  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    let address: String
    let name: String
    let endsAt: String
  }

  func validate() throws {
    guard let address else { return }
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil,
      url.query == nil, url.fragment == nil
    else {
      throw ValidationError(
        "--address takes an address such as https://192.168.1.5:8765/, not \(address).")
    }
  }

  func run(in context: CommandContext) throws {
    // The tokens are stored beside the catalog, which is not written to.
    let library = try context.openLibrary(for: .reading)
    guard let base = address ?? ServiceAddressFile(of: library).read() else {
      throw LeaflogError(
        .notFound,
        "No service is running for this library. "
          + "`leaflog serve --listen 0.0.0.0 --tls own` starts one.")
    }
    let (secret, endsAt) = try library.tokens.beginPairing(name)
    let link = base + (base.hasSuffix("/") ? "" : "/") + "pair?code=\(secret)"
    if global.json {
      let time = RecordedTime.instant(endsAt).iso8601
      return context.output.print(json: Document(address: link, name: name, endsAt: time))
    }
    try draw(link, context)
    guard !global.quiet else { return }
    context.error.print("It works once, for ten minutes.")
    if URL(string: base)?.host.map({ ["localhost", "127.0.0.1", "[::1]", "::1"].contains($0) })
      ?? false
    {
      context.error.print(
        "Only this machine can reach that address. Use `leaflog serve --listen 0.0.0.0` for other devices."
      )
    }
  }

  private func draw(_ link: String, _ context: CommandContext) throws {
    let terminal = context.output.terminal
    let code = try QRCode(link)
    if code.width <= terminal.width {
      code.lines(terminal).forEach(context.output.print)
    } else if !global.quiet {
      context.error.print(
        "The QR code needs \(code.width) columns, and the terminal has \(terminal.width).")
    }
    context.output.print(link)
  }
}
