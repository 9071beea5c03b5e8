internal import Hummingbird

/// The names by which the service is known.
struct ServiceNames: Sendable {
  private static let local: Set = ["localhost", "127.0.0.1", "[::1]"]

  private let further: Set<String>
  private let options: ServerOptions

  init(_ options: ServerOptions) {
    further =
      options.tls == .own
      ? options.hostNames.union(MachineNames.current.hosts) : options.hostNames
    self.options = options
  }

  /// Whether a host is this server: by one of its names, or by the address that the client connected to. A name
  /// may be anybody's who lets it point here (DNS rebinding), an address cannot.
  func contains(_ host: String, _ context: LeaflogRequestContext) -> Bool {
    Self.local.contains(host) || further.contains(host)
      || IPAddress(host).map { $0 == context.localAddress } ?? false
  }

  /// Whether a page is one of this server's.
  func isOwn(origin: String, of request: Request, _ context: LeaflogRequestContext) -> Bool {
    // Who asks over TLS got the page over TLS, if it is this server's.
    let isSecure = origin.lowercased().hasPrefix("https://")
    if options.clientHasTLS(request, context), !isSecure { return false }
    guard let origin = Authority(origin: origin), contains(origin.host, context) else {
      return false
    }
    if origin.port == context.localPort || further.contains(origin.host) && origin.port == nil {
      return true
    }
    // A proxy may pass on what the client asked for.
    return request.head.authority.flatMap { Authority($0) } == origin
  }

  /// Whether browsers take the host for one that nobody else can listen in on, without TLS too.
  static func isLocal(_ host: String) -> Bool { local.contains(host) }
}
