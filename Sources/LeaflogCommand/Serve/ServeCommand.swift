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
      `leaflog token add` makes, or a phone gets from `leaflog serve pair`.
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
        It goes without TLS: whoever can listen in on the network between sees the diary and the tokens. Use \
        --tls own, --tls-certificate, a proxy with TLS before it, or a network that you trust.
        """)
    }
  }

  private func tell(_ own: OwnCertificate.State, _ context: CommandContext) {
    if !global.json {
      context.output.print(
        """
        Devices have to trust its authority once; its page /trust tells how. The authority's SHA-256:
        \(own.authority.fingerprintLines.joined(separator: "\n"))
        """)
    }
    guard !own.namesLeftOut.isEmpty else { return }
    context.error.print(
      """
      Its certificate is not for \(own.namesLeftOut.joined(separator: ", ")), since the authority was made \
      for other names. Remove tls-authority.pem from the library to make another, and trust that one.
      """)
  }
}
