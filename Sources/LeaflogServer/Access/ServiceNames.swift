internal import Hummingbird
internal import NIOHTTP1

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

  /// Whether a host is this server: one of its names, or the address that the client connected to. Anybody can point a
  /// name of their own here (DNS rebinding), but not an address.
  func contains(_ host: String, _ context: LeaflogRequestContext) -> Bool {
    Self.local.contains(host) || further.contains(host)
      || IPAddress(host).map { $0 == context.localAddress } ?? false
  }

  /// Whether an origin is this server's own.
  func isOwn(origin: String, of request: Request, _ context: LeaflogRequestContext) -> Bool {
    // A request over TLS comes from a page that was served over TLS, if the page is this server's.
    let isSecure = origin.lowercased().hasPrefix("https://")
    if options.clientHasTLS(request, context), !isSecure { return false }
    guard let origin = Authority(origin: origin), contains(origin.host, context) else {
      return false
    }
    if origin.port == context.localPort || further.contains(origin.host) && origin.port == nil {
      return true
    }
    // A proxy may forward the host that the client asked for.
    return request.head.authority.flatMap { Authority($0) } == origin
  }

  /// How to make the origin of a page of this server known as its own, where a proxy has cut the port off the `Host`, or has
  /// sent the address under which it knows the server instead, as nginx does unless told otherwise.
  func remedy(forOriginOf request: Request, _ context: LeaflogRequestContext) -> String? {
    guard let origin = request.headers[.origin].flatMap({ Authority(origin: $0) }),
      let host = request.head.authority.flatMap({ Authority($0) }), host != origin
    else { return nil }
    let isCutOff = host.host == origin.host && host.port == nil
    let isAddressOfService =
      options.isFromProxy(context) && host.host != origin.host
      && (Self.isLocal(host.host) || IPAddress(host.host) != nil)
    guard isCutOff && contains(origin.host, context) || isAddressOfService else { return nil }
    let page = origin.host + (origin.port.map { ":\($0)" } ?? "")
    let sent = isCutOff ? "has no port" : "is \(host.host)"
    return
      "The page is at \(page), but the Host of the request \(sent). A proxy has to "
      + "pass the Host on as the browser sent it; in nginx: proxy_set_header Host $http_host;"
  }

  /// Whether browsers treat the host as secure even without TLS.
  static func isLocal(_ host: String) -> Bool { local.contains(host) }
}

/// The host and port of a request or an origin (RFC 3986, 3.2).
package struct Authority: Equatable, Sendable {
  /// In lower case; IPv6 addresses are in brackets.
  package let host: String
  package let port: Int?

  /// Parses a host and an optional port; nil when there is anything else, such as a user name.
  package init?(_ text: String) {
    let text = text.lowercased()
    let end =
      text.hasPrefix("[")
      ? text.firstIndex(of: "]").map { text.index(after: $0) }
      : text.firstIndex(of: ":") ?? text.endIndex
    guard let end, end > text.startIndex else { return nil }
    host = String(text[..<end])
    let rest = text[end...]
    guard !rest.isEmpty else {
      port = nil
      return
    }
    guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }),
      let number = UInt16(rest.dropFirst())
    else { return nil }
    port = Int(number)
  }

  /// Parses the value of `Origin`, such as `https://plants.example:8443`; nil for `null` and for other schemes.
  package init?(origin: String) {
    guard let scheme = ["http://", "https://"].first(where: origin.lowercased().hasPrefix) else {
      return nil
    }
    self.init(String(origin.dropFirst(scheme.count)))
  }
}

extension HTTPRequestHead {
  /// Takes the authority from a target in absolute form: it counts instead of the `Host` (RFC 9112, 3.2.2), of which
  /// there has to be one all the same. The target is then in origin form.
  mutating func takeAuthorityOfTarget() {
    guard uri.utf8.first != UInt8(ascii: "/"), let scheme = uri.range(of: "://") else { return }
    let rest = uri[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let (authority, path) = (String(rest[..<end]), String(rest[end...]))
    uri = path.hasPrefix("/") ? path : "/" + path
    if headers["host"].count == 1 { headers.replaceOrAdd(name: "host", value: authority) }
  }
}
