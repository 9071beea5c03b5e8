internal import HTTPTypes
internal import Hummingbird

/// A proxy's words about the requests that it passes on.
extension ServerOptions {
  func isFromProxy(_ context: LeaflogRequestContext) -> Bool {
    isBehindProxy && context.remoteAddress?.isLoopback == true
  }

  /// Whether the client's own connection has TLS, as far as it is known.
  func clientHasTLS(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    guard isFromProxy(context),
      let scheme = request.headers[HTTPField.Name("X-Forwarded-Proto")!]
    else { return tls != nil }
    return scheme.lowercased() == "https"
  }

  /// The client's address as far as it is known: a proxy adds it at the end of those that it was told.
  func client(of request: Request, _ context: LeaflogRequestContext) -> IPAddress? {
    guard isFromProxy(context),
      let last = request.headers[HTTPField.Name("X-Forwarded-For")!]?.split(separator: ",").last
    else { return context.remoteAddress }
    return IPAddress(last.filter { $0 != " " }) ?? context.remoteAddress
  }
}
