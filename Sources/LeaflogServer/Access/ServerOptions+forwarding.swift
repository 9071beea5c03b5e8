internal import HTTPTypes
internal import Hummingbird

/// Information from a proxy about the requests it forwards.
extension ServerOptions {
  func isFromProxy(_ context: LeaflogRequestContext) -> Bool {
    isBehindProxy && context.remoteAddress?.isLoopback == true
  }

  /// Whether the client's own connection uses TLS, as far as is known.
  func clientHasTLS(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    guard isFromProxy(context),
      let scheme = request.headers[HTTPField.Name("X-Forwarded-Proto")!]
    else { return tls != nil }
    return scheme.lowercased() == "https"
  }

  /// The client's address as far as is known: a proxy appends it to the list it received.
  func client(of request: Request, _ context: LeaflogRequestContext) -> IPAddress? {
    guard isFromProxy(context),
      let last = request.headers[HTTPField.Name("X-Forwarded-For")!]?.split(separator: ",").last
    else { return context.remoteAddress }
    return IPAddress(last.filter { $0 != " " }) ?? context.remoteAddress
  }
}
