internal import Hummingbird

/// Refuses requests that were meant for another host: a page elsewhere may have let its own name point here
/// (DNS rebinding), and would read the diary with the browser of somebody who may.
struct HostCheck<Context: RequestContext>: RouterMiddleware {
  /// Names and addresses, in lower case and without a port.
  let names: Set<String>

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let authority = request.head.authority, names.contains(Self.name(of: authority)) else {
      throw Problem(.misdirectedRequest, "This server is not known by that name.")
    }
    return try await next(request, context)
  }

  /// The host of an authority without its port, in lower case (RFC 3986, 3.2).
  static func name(of authority: String) -> String {
    let host = authority.lowercased()
    if host.hasPrefix("[") {
      return host.firstIndex(of: "]").map { String(host[...$0]) } ?? host
    }
    return String(host.prefix { $0 != ":" })
  }
}
