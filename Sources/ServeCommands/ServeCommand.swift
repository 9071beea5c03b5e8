import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog
internal import LeaflogCommand
internal import LeaflogServer
internal import Logging

/// The commands that need the service.
package enum ServiceCommandList: ServiceCommands {
  package static var all: [any ParsableCommand.Type] { [OpenCommand.self, ServeCommand.self] }
}

/// `leaflog serve`
struct ServeCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the library over HTTP on this machine.",
    discussion: """
      Other programs on this machine can read the timeline, plants, insights and pictures. Changes \
      made by other commands are visible immediately. Press Ctrl-C to stop.

      The service is only reachable from other machines with --listen or --host; it then requires a \
      token, created by `leaflog token add` or, for a phone, by `leaflog serve pair`.
      """,
    subcommands: [
      ServePair.self, ServeInstall.self, ServeUninstall.self, ServeRenewAuthority.self,
    ])

  @OptionGroup var service: ServiceOptions
  @OptionGroup var global: GlobalOptions

  private struct Started: Shown {
    let address: String
    let requiresToken: Bool
    let authorityFingerprint: String?

    static let shown = Fields<Started>([
      Field(adding: "address", .text) { $0.address },
      Field(adding: "requiresToken", .flag) { $0.requiresToken },
      // The SHA-256 of the authority that devices have to trust.
      Field(adding: "authorityFingerprint", .text) { $0.authorityFingerprint },
    ])
  }

  func run(in context: CommandContext) async throws { try await run(in: context) { _ in } }

  /// - Parameter opened: called with the address, as seen from this machine, once requests are accepted.
  func run(in context: CommandContext, opened: @escaping @Sendable (String) -> Void) async throws {
    ImportProcess.ignoreHangupWithoutTerminal()
    service.memory?.apply()
    let path = context.libraryPath
    let isForReading = LibraryReplica.exists(at: path) || Library.isOnReadOnlyDisk(path)
    let library = try context.openLibrary(for: isForReading ? .reading : .writing)
    if library.isOnReadOnlyDisk, !global.quiet {
      context.error.tell(
        """
        The library is on a read-only disk: it is served for reading. Make the disk writable, and start the service again, \
        to change it.
        """, as: .warning)
    }
    try addFirstToken(to: library, context)
    context.warnOfOpenTokens(of: library)
    let options = service.options(context)
    let server = LeaflogServer(library, options)
    let own = try server.prepareOwnCertificate()
    let manager = ServiceManager(context.process.environment)
    try await server.run(logger: logger(context)) { port in
      report(options, port, own, context)
      manager?.report(.ready)
      let scheme = options.tls == nil ? "http" : "https"
      if options.socket == nil { opened("\(scheme)://localhost:\(port)\(options.base.text)/") }
    }
    manager?.report(.stopping)
  }

  /// The variable with the path of a file: a container gets its first secret in one.
  private static let firstTokenFile = "LEAFLOG_FIRST_TOKEN_FILE"

  private func addFirstToken(to library: Library, _ context: CommandContext) throws {
    guard library.access.allowsWriting, let path = context.process.environment[Self.firstTokenFile],
      !path.isEmpty, try !library.tokens.isAnyOfService()
    else { return }
    guard let data = FileManager.default.contents(atPath: context.path(path)) else {
      throw LeaflogError(.notFound, "\(Self.firstTokenFile) is \(path), which cannot be read.")
    }
    let secret = String(decoding: data, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let name = try library.tokens.addFirst(secret: secret).name
    if !global.quiet { context.error.print("Added the token \(name), with the secret in \(path).") }
  }

  private func logger(_ context: CommandContext) -> Logger {
    let error = context.error
    var logger = Logger(label: "leaflog.server") { [format = service.logFormat ?? .logfmt] _ in
      LogLines(format, isForJournal: error.isJournal) { error.print($0) }
    }
    logger.logLevel = service.logLevel ?? (service.logFormat == nil ? .error : .info)
    return logger
  }

  private func report(
    _ options: ServerOptions, _ port: Int, _ own: OwnCertificate.State?, _ context: CommandContext
  ) {
    let scheme = options.tls == nil ? "http" : "https"
    let address =
      options.socket.map { "unix:\($0)" }
      ?? "\(scheme)://\(options.address.host):\(port)\(options.base.text)/"
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
    if let own { report(own, context) }
    if options.tls == nil, !options.address.isLoopback {
      context.error.tell(
        """
        The connection is not encrypted: anybody on the network can read the diary and the tokens. Use \
        --tls own, --tls-certificate, a TLS proxy, or a trusted network.
        """, as: .warning)
    }
  }

  private func report(_ own: OwnCertificate.State, _ context: CommandContext) {
    if !global.json {
      context.output.print(
        """
        Each device must trust its authority once; see the page /trust.
        \(own.authority.fingerprintText)
        """)
    }
    if own.authority.isOutdated {
      context.error.print(
        """
        The authority was created by an earlier version, and may vouch for e-mail addresses as well. \
        `leaflog serve renew-authority` creates one that may not; each device must then trust that.
        """)
    }
    if own.isEarly {
      context.error.print(
        """
        By this machine's clock, the authority is not valid until \(own.authority.beginning.ISO8601Format()). Set the \
        clock. If it is right now, it was ahead when the authority was made: `leaflog serve renew-authority` creates another one, \
        which each device must then trust.
        """)
    }
    guard !own.namesLeftOut.isEmpty else { return }
    context.error.print(
      """
      Its certificate does not cover \(own.namesLeftOut.joined(separator: ", ")), because the \
      authority was created for other names. `leaflog serve renew-authority NAME` creates one \
      for these, too; each device must then trust that.
      """)
  }
}

extension OwnCertificate.Authority {
  /// The fingerprint in lines, and its title.
  fileprivate var fingerprintText: String {
    (["The authority's SHA-256 fingerprint:"] + fingerprintLines).joined(separator: "\n")
  }
}

/// `leaflog serve renew-authority`
private struct ServeRenewAuthority: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "renew-authority",
    abstract: "Replace the authority that vouches for the service's own certificate.",
    discussion: """
      Each device must then trust the new authority, as it did the first time: until then, its \
      browser shows a warning. A running service takes it up at once.
      """)

  @Argument(
    help: "Further names that it may vouch for, besides those of its predecessor and this machine.")
  var name: [String] = []

  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let authorityFingerprint: String

    static let shown = Fields<Document>([
      Field(adding: "authorityFingerprint", .text) { $0.authorityFingerprint }
    ])
  }

  func validate() throws {
    // Addresses are not limited.
    for name in name where !ServiceOptions.isName(name) || IPAddress(name) != nil {
      throw ValidationError("It can vouch for a name such as plants.example, not for \(name).")
    }
  }

  func run(in context: CommandContext) throws {
    let own = OwnCertificate(of: try context.openLibrary(for: .reading))
    switch Answer.ask("Replace the authority? Each device must then trust the new one.", context) {
    case .no: return
    case .dryRun:
      context.output.print(
        global.json ? JSON.line(Answer.DryRun(reason: Answer.reason)) : Answer.hint)
      try Answer.dryRun.checkAnswered()
    case .yes:
      let authority = try own.replaceAuthority(alsoFor: Set(name.map { $0.lowercased() }))
      if global.json {
        return context.output.print(
          json: Document(authorityFingerprint: authority.fingerprint))
      }
      guard !global.quiet else { return }
      context.output.print(
        "Each device must trust the new authority; see the page /trust.\n\(authority.fingerprintText)"
      )
    }
  }
}

/// `leaflog open`
struct OpenCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the diary in the browser.",
    discussion: """
      Opens the library's running service. If none is running, this command serves the library to \
      this machine until Ctrl-C, like `leaflog serve`.
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    if let address = ServiceAddressFile(of: try context.openLibrary(for: .reading)).read(),
      await ServiceProbe.isListening(at: address)
    {
      context.output.print("Leaflog is at \(address).")
      return await show(address, context)
    }
    var serve = ServeCommand()
    (serve.service, serve.global) = (service, global)
    try await serve.run(in: context) { address in Task { await show(address, context) } }
  }

  /// Opens the system's browser (xdg-open(1)), or prints the address of the diary.
  private func show(_ address: String, _ context: CommandContext) async {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.environment = context.process.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let isOpen = await withCheckedContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
      do { try process.run() } catch { continuation.resume(returning: false) }
    }
    if !isOpen, !global.quiet {
      context.error.print("Could not open a browser. Open \(address) yourself.")
    }
  }
}

/// `leaflog serve pair`
private struct ServePair: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Show a QR code that signs a phone in.",
    discussion: """
      The code contains the address of the library's running service and a secret that works once, \
      within ten minutes. The phone gets its own session, under a name shown by `leaflog token list`; \
      `leaflog token revoke` ends it.
      """)

  @Argument(
    help: """
      The name of the phone, by default “phone”, with a number if that is taken. One that has access \
      already gets another session.
      """)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The service's address as seen from the phone, instead of the recorded one.",
      valueName: "url"))
  var address: String?

  @OptionGroup var limits: GrantOptions
  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let address: String
    let name: String
    let endsAt: Timestamp

    static let shown = Fields<Document>([
      Field(adding: "address", .text) { $0.address }, Field(adding: "name", .text) { $0.name },
      Field(adding: "endsAt", .moment) { $0.endsAt },
    ])
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
    let name = self.name ?? "phone"
    let known = self.name == nil ? nil : try known(name, in: library)
    let (secret, endsAt) =
      if let known { try library.tokens.beginPairing(with: known.id) } else {
        try library.tokens.beginPairing(name, grant: limits.grant(in: library))
      }
    let link = base + (base.hasSuffix("/") ? "" : "/") + "pair?code=\(secret)"
    if global.json {
      return context.output.print(json: Document(address: link, name: name, endsAt: endsAt))
    }
    try draw(link, context)
    guard !global.quiet else { return }
    context.error.print("It works once, for ten minutes.")
    if let known { context.error.print("The device comes back as “\(known.name)”.") }
    if URL(string: base)?.host.map({ ["localhost", "127.0.0.1", "[::1]", "::1"].contains($0) })
      ?? false
    {
      context.error.print(
        "Only this machine can reach that address. Use `leaflog serve --listen 0.0.0.0` for other devices."
      )
    }
  }

  /// The token with a name, for a device that comes back.
  private func known(_ name: String, in library: Library) throws -> AccessToken? {
    let token = try library.tokens.named(name)
    guard let token, !limits.isEmpty else { return token }
    throw LeaflogError(
      .invalidRequest,
      "“\(token.name)” has access already, and keeps what it may do. Leave out the limits, or choose another name."
    )
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

extension QRCode {
  /// The code as lines with two rows of modules each. With colours, it is black on white regardless of the terminal's
  /// own. Without, the light modules are drawn, as most terminals are dark and most readers accept either.
  fileprivate func lines(_ terminal: Terminal) -> [String] {
    let range = -Self.quietZone..<moduleCount + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let cells = range.map { column in
        let drawn = [row, row + 1].map { isDark(column, $0) == terminal.hasColor }
        return drawn[0] ? (drawn[1] ? "█" : "▀") : (drawn[1] ? "▄" : " ")
      }
      let line = cells.joined()
      // From the fixed part of the 256 colours, which themes leave alone.
      return terminal.hasColor ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
    }
  }
}
