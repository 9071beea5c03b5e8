import ArgumentParser
internal import Leaflog
internal import LeaflogServer
internal import Logging

/// `leaflog serve`
struct ServeCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the library over HTTP on this machine.",
    discussion: """
      Other programs on this machine can read the timeline, plants, insights and pictures. Changes \
      made by other commands are visible immediately. Press Ctrl-C to stop.

      The service is only reachable from other machines with --listen or --host; it then requires a \
      token, created by `leaflog token add` or, for a phone, by `leaflog serve pair`.
      """, subcommands: [ServePair.self, ServeInstall.self])

  @OptionGroup var service: ServiceOptions
  @OptionGroup var global: GlobalOptions

  private struct Started: Encodable {
    let address: String
    let requiresToken: Bool
    /// The SHA-256 of the authority that devices have to trust.
    let authorityFingerprint: String?
  }

  func run(in context: CommandContext) async throws { try await run(in: context) { _ in } }

  /// - Parameter opened: called with the address, as seen from this machine, once requests are accepted.
  func run(in context: CommandContext, opened: @escaping @Sendable (String) -> Void) async throws {
    let isReplica = LibraryReplica.exists(at: context.libraryPath)
    let library = try context.openLibrary(for: isReplica ? .reading : .writing)
    let options = service.options(context)
    let server = LeaflogServer(library, options)
    let own = try server.prepareOwnCertificate()
    let manager = ServiceManager(context.process.environment)
    try await server.run(logger: logger(context)) { port in
      tell(options, port, own, context)
      manager?.tell(.ready)
      let scheme = options.tls == nil ? "http" : "https"
      opened("\(scheme)://localhost:\(port)/")
    }
    manager?.tell(.stopping)
  }

  private func logger(_ context: CommandContext) -> Logger {
    let error = context.error
    var logger = Logger(label: "leaflog.server") { [format = service.logFormat ?? .logfmt] _ in
      LogLines(format) { error.print($0) }
    }
    if service.logFormat == nil { logger.logLevel = .error }
    return logger
  }

  private func tell(
    _ options: ServerOptions, _ port: Int, _ own: OwnCertificate.State?, _ context: CommandContext
  ) {
    let scheme = options.tls == nil ? "http" : "https"
    let address = "\(scheme)://\(options.address.host):\(port)/"
    if global.json {
      context.output.print(
        json: Started(
          address: address, requiresToken: options.requiresToken,
          authorityFingerprint: own?.authority.fingerprint))
    } else {
      let place =
        options.address.isUnspecified
        ? "port \(port) of every address of this machine, over \(scheme)" : address
      context.output.print("Leaflog is at \(place). Ctrl-C stops it.")
    }
    guard !global.quiet else { return }
    if let own { tell(own, context) }
    if options.tls == nil, !options.address.isLoopback {
      context.error.print(
        """
        The connection is not encrypted: anybody on the network can read the diary and the tokens. Use \
        --tls own, --tls-certificate, a TLS proxy, or a trusted network.
        """)
    }
  }

  private func tell(_ own: OwnCertificate.State, _ context: CommandContext) {
    if !global.json {
      context.output.print(
        """
        Each device must trust its authority once; see the page /trust.
        The authority's SHA-256 fingerprint:
        \(own.authority.fingerprintLines.joined(separator: "\n"))
        """)
    }
    guard !own.namesLeftOut.isEmpty else { return }
    context.error.print(
      """
      Its certificate does not cover \(own.namesLeftOut.joined(separator: ", ")), because the \
      authority was created for other names. Remove tls-authority.pem from the library to create a \
      new one, and trust that.
      """)
  }
}
