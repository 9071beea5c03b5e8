import ArgumentParser
internal import Foundation
internal import LeaflogCommand
internal import Leaflog
internal import LeaflogServer
internal import Logging

/// The address of the service, who may use it, and over which protocol.
struct ServiceOptions: ParsableArguments {
  enum OwnTLS: String, ExpressibleByArgument, CaseIterable { case own }

  @Option(
    help: ArgumentHelp(
      "Listen on this address instead of 127.0.0.1; 0.0.0.0 means all addresses of this machine.",
      valueName: "address"))
  var listen: String?

  @Option(help: "The port; 0 picks a free one.")
  var port = 8765

  @Option(
    help: ArgumentHelp(
      "Answer to this name as well; can be repeated.", valueName: "name"))
  var host: [String] = []

  @Option(
    help: ArgumentHelp(
      "Let pages of this origin use the API, with a token; can be repeated.", valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "Listen on this Unix socket instead, for a proxy whose headers are trusted as with --proxy.",
      valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The path below which a proxy offers the service, such as /leaflog.", valueName: "path"))
  var base: String?

  @Option(
    defaultAsFlag: ProxyArgument.onThisMachine,
    help: ArgumentHelp(
      """
      Trust the X-Forwarded-For and X-Forwarded-Proto headers of proxies with these addresses, as in \
      172.16.0.0/12,192.0.2.7.
      """, valueName: "addresses"))
  var proxy: ProxyArgument?

  @Option(
    help: ArgumentHelp(
      "Use TLS with this PEM certificate, followed by its intermediates.",
      valueName: "file"),
    completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"),
    completion: .file())
  var tlsKey: String?

  @Option(
    help: "Use TLS with the library's own certificate, which each device must trust once.")
  var tls: OwnTLS?

  @Option(
    help: ArgumentHelp(
      "Also send reminders through this push service of your own, which may have any address.",
      valueName: "host:port"))
  var pushHost: String?

  @Option(
    help: ArgumentHelp(
      "The certificate authorities of that push service, in PEM.", valueName: "file"),
    completion: .file())
  var pushAuthority: String?

  @Flag(help: "Require a token on this machine as well.")
  var requireToken = false

  @Option(
    help: """
      The maximum number of connections; beyond it, the longest-idle one is closed.
      """)
  var maxConnections = ServerLimits().connectionCount

  @Option(help: "Log each request on standard error.")
  var logFormat: LogLines.Format?

  @Option(
    help: "Log messages of this level and above. Default: info with --log-format, else error.")
  var logLevel: Logger.Level?

  @Option(
    help: ArgumentHelp(
      "The memory that it may take, at least 128MB. Default: what the machine allows.",
      valueName: "size"))
  var memory: MemoryArgument?

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
    for name in host where !Self.isName(name) {
      throw ValidationError("--host takes a name such as plants.example, not \(name).")
    }
    if let base, BasePath(base) == nil {
      throw ValidationError("--base takes a path such as /leaflog, not \(base).")
    }
    for origin in allowOrigin where !isOrigin(origin) {
      throw ValidationError(
        "--allow-origin takes an origin such as https://plants.example, not \(origin).")
    }
    if let pushHost, Authority(pushHost) == nil {
      throw ValidationError("--push-host takes a host such as push.example:8443, not \(pushHost).")
    }
    guard pushAuthority == nil || pushHost != nil else {
      throw ValidationError("--push-authority is for the push service of --push-host.")
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key must be used together.")
    }
    guard socket == nil || listen == nil && tls == nil && tlsCertificate == nil else {
      throw ValidationError(
        "--socket is for a proxy, which has the address and TLS: leave out --listen and --tls.")
    }
    guard tls == nil || tlsCertificate == nil else {
      throw ValidationError("--tls own and --tls-certificate cannot be used together.")
    }
  }

  static func isName(_ text: String) -> Bool {
    let authority = Authority(text)
    return authority.map { $0.port == nil } ?? false
      && (IPAddress(text) != nil || text.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil)
  }

  /// Whether browsers state an origin in this form (RFC 6454, 6.2).
  private func isOrigin(_ text: String) -> Bool {
    guard let authority = Authority(origin: text) else { return false }
    let scheme = text.hasPrefix("https://") ? "https" : "http"
    let port = authority.port.map { ":\($0)" } ?? ""
    let usual = ["http:80", "https:443"].contains(scheme + port)
    return text == "\(scheme)://\(authority.host)\(port)" && !usual
  }

  /// The options as arguments, with absolute paths and without defaults.
  func arguments(_ context: CommandContext) -> [String] {
    func words(_ option: String, _ value: String?) -> [String] { value.map { [option, $0] } ?? [] }
    let limit = maxConnections == ServerLimits().connectionCount ? nil : "\(maxConnections)"
    return words("--listen", listen) + words("--port", socket == nil ? "\(port)" : nil)
      + host.flatMap { words("--host", $0) }
      + allowOrigin.flatMap { words("--allow-origin", $0) } + words("--base", base)
      + words("--socket", file(socket, context))
      + (proxy.map { ["--proxy", $0.description] } ?? [])
      + words("--tls-certificate", file(tlsCertificate, context))
      + words("--tls-key", file(tlsKey, context))
      + words("--push-host", pushHost)
      + words("--push-authority", file(pushAuthority, context))
      + words("--tls", tls?.rawValue) + (requireToken ? ["--require-token"] : [])
      + words("--max-connections", limit) + words("--log-format", logFormat?.rawValue)
      + words("--log-level", logLevel?.rawValue) + words("--memory", memory?.text)
  }

  private func file(_ path: String?, _ context: CommandContext) -> String? {
    path.map { URL(fileURLWithPath: context.path($0)).standardizedFileURL.path }
  }

  /// The options for the server.
  func options(_ context: CommandContext) -> ServerOptions {
    var options = ServerOptions()
    options.address = listen.flatMap { IPAddress($0) } ?? options.address
    options.port = port
    options.hostNames = Set(host.map { IPAddress($0)?.host ?? $0.lowercased() })
    if let tlsCertificate, let tlsKey {
      options.tls = .files(
        TLSFiles(certificate: context.path(tlsCertificate), key: context.path(tlsKey)))
    } else if tls == .own {
      options.tls = .own
    }
    options.base = base.flatMap { BasePath($0) } ?? .none
    options.allowedOrigins = Set(allowOrigin)
    options.socket = file(socket, context)
    options.proxies = proxy?.ranges ?? []
    options.alwaysRequiresToken = requireToken
    options.pushHost = pushHost.flatMap { Authority($0) }
    options.pushAuthority = file(pushAuthority, context)
    options.limits.connectionCount = maxConnections
    return options
  }
}

/// The addresses of proxies.
struct ProxyArgument: ExpressibleByArgument, CustomStringConvertible {
  let ranges: [AddressRange]
  /// As typed.
  let description: String

  static let onThisMachine = ProxyArgument(
    ranges: AddressRange.loopback, description: "127.0.0.0/8,::1")

  private init(ranges: [AddressRange], description: String) {
    (self.ranges, self.description) = (ranges, description)
  }

  init?(argument: String) {
    let texts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let ranges = texts.compactMap { AddressRange($0) }
    guard ranges.count == texts.count else { return nil }
    self.init(ranges: ranges, description: argument)
  }
}

extension LogLines.Format: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
