import ArgumentParser
internal import Leaflog
internal import LeaflogServer
internal import Logging

/// `leaflog serve`
struct ServeCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the library over HTTP, to this machine.",
    discussion: """
      Other programs on this machine can read the timeline, plants, insights and pictures; nothing is \
      reachable from elsewhere. Changes by other commands show at once. Ctrl-C stops it.
      """)

  @Option(help: "The port of 127.0.0.1; 0 takes a free one.")
  var port = 8765

  @OptionGroup var global: GlobalOptions

  private struct Started: Encodable {
    let address: String
  }

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port takes 0 to 65535, not \(port).")
    }
  }

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .writing)
    var logger = Logger(label: "leaflog.server")
    logger.logLevel = .error
    try await LeaflogServer(library, port: port).run(logger: logger) { port in
      let address = "http://127.0.0.1:\(port)/"
      if global.json {
        context.output.print(json: Started(address: address))
      } else {
        context.output.print("Leaflog is at \(address). Ctrl-C stops it.")
      }
    }
    try library.close()
  }
}
