import ArgumentParser
internal import Leaflog
internal import LeaflogServer
internal import Logging

/// `leaflog serve`
struct ServeCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the library over HTTP, to this machine.",
    discussion: """
      Other programs on this machine can read the timeline, plants, insights and pictures. Changes by other \
      commands show at once. Ctrl-C stops it.

      Nothing is reachable from elsewhere unless --listen or --host says so; a token is needed then, which \
      `leaflog token add` makes.
      """)

  @Option(
    help: ArgumentHelp(
      "Listen on this address instead of 127.0.0.1; 0.0.0.0 is every one of this machine.",
      valueName: "address"))
  var listen: String?

  @Option(help: "The port; 0 takes a free one.")
  var port = 8765

  @Option(
    help: ArgumentHelp(
      "Answer to this name as well, that of a proxy before it; can be given several times.",
      valueName: "name"))
  var host: [String] = []

  @Flag(help: "Ask for a token on this machine, too.")
  var requireToken = false

  @Option(
    help: """
      Connections at once; of more, the one that nobody has used for the longest time is closed.
      """)
  var maxConnections = ServerLimits().connectionCount

  @Option(help: "Log each request on standard error.")
  var logFormat: LogLines.Format?

  @OptionGroup var global: GlobalOptions

  private struct Started: Encodable {
    let address: String
    let requiresToken: Bool
  }

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port takes 0 to 65535, not \(port).")
    }
    guard (1...100_000).contains(maxConnections) else {
      throw ValidationError("--max-connections takes 1 to 100000, not \(maxConnections).")
    }
    if let listen, IPAddress(listen) == nil {
      throw ValidationError("--listen takes an address such as 192.168.1.5 or ::, not \(listen).")
    }
    for name in host where !isName(name) {
      throw ValidationError("--host takes a name such as plants.example, not \(name).")
    }
  }

  private func isName(_ text: String) -> Bool {
    let authority = Authority(text)
    return authority.map { $0.port == nil } ?? false
      && (IPAddress(text) != nil || text.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil)
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    options.address = listen.flatMap { IPAddress($0) } ?? options.address
    options.port = port
    options.hostNames = Set(host.map { IPAddress($0)?.host ?? $0.lowercased() })
    options.alwaysRequiresToken = requireToken
    options.limits.connectionCount = maxConnections
    return options
  }

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .writing)
    let options = options
    try await LeaflogServer(library, options).run(logger: logger(context)) { port in
      tell(options, port, context)
    }
    try library.close()
  }

  private func logger(_ context: CommandContext) -> Logger {
    guard let logFormat else {
      var logger = Logger(label: "leaflog.server")
      logger.logLevel = .error
      return logger
    }
    let error = context.error
    return Logger(label: "leaflog.server") { _ in LogLines(logFormat) { error.print($0) } }
  }

  private func tell(_ options: ServerOptions, _ port: Int, _ context: CommandContext) {
    let address = "http://\(options.address.host):\(port)/"
    if global.json {
      context.output.print(json: Started(address: address, requiresToken: options.requiresToken))
    } else {
      let place =
        options.address.isUnspecified ? "port \(port) of every address of this machine" : address
      context.output.print("Leaflog is at \(place). Ctrl-C stops it.")
    }
    if !options.address.isLoopback, !global.quiet {
      context.error.print(
        """
        It goes without TLS: whoever can listen in on the network between sees the diary and the tokens. Use a \
        network that you trust, or a proxy with TLS before it.
        """)
    }
  }
}

extension LogLines.Format: ExpressibleByArgument {}
