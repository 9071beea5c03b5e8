internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Pages

/// The path below which a proxy offers the service, such as `/leaflog`; empty where it has a host of its own.
///
/// Everything within the service is written without it: addresses in pages and scripts, routes, cookies. Requests lose
/// it before they are routed (`BasedRequests`), and answers get it at the very end (`BasedAnswers`). A proxy may keep it
/// or cut it off.
package struct BasePath: Sendable, Hashable {
  /// Without a slash at its end.
  package let text: String

  package static let none = BasePath(checked: "")

  private init(checked text: String) { self.text = text }

  /// Parses `/leaflog` or `/garden/leaflog/`; nil for anything that would have to be escaped in an address or a cookie.
  package init?(_ text: String) {
    let parts = (text.hasSuffix("/") ? text.dropLast() : text[...])
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].isEmpty,
      parts.dropFirst().allSatisfy({
        $0.wholeMatch(of: /[A-Za-z0-9._~-]+/) != nil && $0 != "." && $0 != ".."
      })
    else { return nil }
    self.init(checked: parts.joined(separator: "/"))
  }

  /// The name of its first folder; empty where there is none.
  var first: String { String(text.dropFirst().prefix { $0 != "/" }) }

  /// The address that a browser has for a path of the service.
  func address(_ path: String) -> String {
    path.hasPrefix("/") && !path.hasPrefix("//") && within(path) == nil ? text + path : path
  }

  /// The path of the service in a target; nil where the target does not begin with the base.
  private func within(_ target: String) -> String? {
    guard target.hasPrefix(text) else { return nil }
    let rest = target.dropFirst(text.count)
    switch rest.first {
    case nil, "?", "#": return "/" + rest
    case "/": return String(rest)
    default: return nil
    }
  }

  /// Whether a target is one at which the service tells how it is.
  func isHealth(_ target: String) -> Bool {
    HealthRoutes.paths.contains(String((within(target) ?? target).prefix { $0 != "?" }))
  }

  /// A request as the service knows it.
  fileprivate func inner(_ request: Request) -> Request {
    var head = request.head
    head.path = head.path.map { within($0) ?? $0 }
    head.headerFields[.cookie] = head.headerFields[.cookie].map(innerCookies)
    return Request(head: head, body: request.body)
  }

  // MARK: Cookies

  /// The names of cookies in the service, and those by which browsers keep them. Another library on the same host has
  /// others, and `__Host-` is only for cookies of the whole host (RFC 6265bis, 4.1.3).
  private var cookieNames: [(inner: String, outer: String)] {
    let place = "-at" + text.replacing("/", with: "-")
    return [
      (SessionCookie.secureName, "__Secure-leaflog"), (SessionCookie.plainName, "leaflog"),
      (Appearance.cookieName, Appearance.cookieName),
    ].map { ($0, $1 + place) }
  }

  private func innerCookies(_ text: String) -> String {
    text.split(separator: ";").compactMap { cookie -> String? in
      let cookie = cookie.drop { $0 == " " }
      let name = cookie.prefix { $0 != "=" }
      if let known = cookieNames.first(where: { $0.outer == name }) {
        return known.inner + cookie.dropFirst(name.count)
      }
      // Those of a library at the root of the host are not this one's.
      return cookieNames.contains { $0.inner == name } ? nil : String(cookie)
    }.joined(separator: "; ")
  }

  private func outerCookie(_ text: String) -> String {
    let name = text.prefix { $0 != "=" }
    guard let known = cookieNames.first(where: { $0.inner == name }) else { return text }
    return (known.outer + text.dropFirst(name.count)).split(separator: "; ")
      .map { $0 == "Path=/" ? "Path=\(self.text)" : $0 }.joined(separator: "; ")
  }

  // MARK: Answers

  /// An answer as browsers get it.
  ///
  /// - Parameter isBased: whether its body has the base already.
  fileprivate func outer(_ response: Response, isBased: Bool) async throws -> Response {
    var response = response
    response.headers[.location] = response.headers[.location].map(address)
    response.headers[.refresh] = response.headers[.refresh]?
      .replacing(/url=(.*)/) { "url=" + address(String($0.output.1)) }
    response.headers[values: .setCookie] = response.headers[values: .setCookie].map(outerCookie)
    let type = response.headers[.contentType] ?? ""
    guard !isBased, let kind = BasedText.Kind(mediaType: type) else { return response }
    let body = try await response.body.collected()
    response.body = ResponseBody(
      byteBuffer: ByteBuffer(
        bytes: BasedText.adding(text, to: Array(body.readableBytesView), kind)))
    return response
  }
}

/// Takes the base from requests before they are routed.
struct BasedRequests<Next: HTTPResponder>: HTTPResponder where Next.Context: RequestContext {
  let base: BasePath
  let next: Next

  func respond(to request: Request, context: Next.Context) async throws -> Response {
    let request = base == .none ? request : base.inner(request)
    return try await next.respond(to: request, context: context)
  }
}

/// Adds the base to the addresses in answers.
struct BasedAnswers<Context: RequestContext>: RouterMiddleware {
  let base: BasePath

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    let isBased = response.headers[.leaflogBased] != nil
    if isBased { response.headers[.leaflogBased] = nil }
    return base == .none ? response : try await base.outer(response, isBased: isBased)
  }
}
