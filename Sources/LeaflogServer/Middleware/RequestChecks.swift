internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// A reason to refuse requests, found without waiting.
protocol RequestCheck: Sendable {
  /// - Throws: a problem for a request to refuse.
  func check(_ request: Request, _ context: LeaflogRequestContext) throws
}

/// Runs checks in order before a request goes on. One middleware for all of them spares each request a suspension
/// point per check.
struct RequestChecks: RouterMiddleware {
  private let checks: [any RequestCheck]

  init(_ checks: any RequestCheck...) { self.checks = checks }

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    for check in checks { try check.check(request, context) }
    return try await next(request, context)
  }
}

/// Refuses requests without a valid token or session, where one is needed, and those beyond what their token may do. It
/// gives the others the library as far as their token sees it.
struct AccessCheck: RouterMiddleware {
  let authenticator: Authenticator
  let access: LibraryAccess
  let needs: ServiceRoutes.Table

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    (context.needs, context.need) = (needs, needs.need(of: request, context))
    guard context.need != .open else { return try await next(request, context) }
    do {
      context.holder = try await authenticator.holder(of: request, context)
      if context.holder == nil, authenticator.options.requiresToken { throw Problem.noSecret }
    } catch let problem as Problem where problem.status == .unauthorized && request.wantsPage {
      return SignInPages.answer(to: request, problem)
    }
    if let wanted = request.headers[.leaflogToken], wanted != context.holder?.id.description {
      throw Problem.otherToken
    }
    guard context.need.isMet(by: context.scope) else {
      guard context.endpointPath == "/", let start = Self.start(for: context.scope) else {
        throw Problem.notAllowed
      }
      return Response(
        status: .seeOther, headers: [.location: start, .cacheControl: "no-store"])
    }
    context.limitedAccess = access.limited(to: context.scope)
    let response = try await next(request, context)
    return context.holder == nil
      ? response : AllowedAnswer(authenticator: authenticator, request: request).limiting(response)
  }

  /// Where a browser begins whose token does not include the page of today.
  private static func start(for scope: AccessScope) -> String? {
    scope.includes(.readPhotos) ? "/timeline" : nil
  }
}

/// Refuses requests meant for another host: a page elsewhere may have pointed its own name here (DNS rebinding), and
/// would read the diary through the browser of somebody with access.
struct HostCheck: RequestCheck {
  private static let hostName = HTTPField.Name("Host")!

  let names: ServiceNames

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    // The first one is the authority; a second one stays among the fields (RFC 9112, 3.2).
    guard let text = request.head.authority, !request.headers.contains(Self.hostName)
    else { throw Problem(.badRequest, "A request must have exactly one Host.") }
    if let authority = Authority(text), names.contains(authority.host, context) { return }
    // A container is asked for its health under the address of its host.
    guard HealthRoutes.paths.contains(context.endpointPath ?? "") else {
      throw Problem(
        .misdirectedRequest, "This server does not serve that host.", code: .foreignHost,
        remedy:
          "If it is one of the server's own names, start the server with it: leaflog serve --host NAME."
      )
    }
  }
}

/// Refuses requests of other sites' pages, which a browser would send with its user's cookie. Browsers state with each
/// write where the page comes from, and with each read, too, where the connection is secure (Fetch Metadata); a request
/// that does not state it comes from a program. A link on another site leads here all the same.
struct OriginCheck: RequestCheck {
  let names: ServiceNames
  let allowed: AllowedOrigins

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    let isReading = request.method == .get || request.method == .head
    guard
      allowed.allow(request)
        || (isReading ? isRead(request) : isFromHere(request) && isOwn(request, context))
    else {
      let what = isReading ? "read" : "make changes"
      throw Problem(
        .forbidden, "Pages from other sites may not \(what) here.", code: .foreignOrigin,
        remedy: names.remedy(forOriginOf: request, context))
    }
  }

  /// Whether a read is this site's own, or shows a page in a tab of its own.
  private func isRead(_ request: Request) -> Bool {
    isFromHere(request)
      || request.headers[.secFetchMode] == "navigate"
        && request.headers[.secFetchDest] == "document"
  }

  private func isFromHere(_ request: Request) -> Bool {
    request.headers[.secFetchSite].map { ["same-origin", "none"].contains($0) } ?? true
  }

  private func isOwn(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    guard let origin = request.headers[.origin] else { return true }
    return names.isOwn(origin: origin, of: request, context)
  }
}

extension HTTPField.Name {
  /// The id of the token that a request was made for, which may have waited for a network since. The session of the browser
  /// may be another one by now.
  fileprivate static let leaflogToken = Self("Leaflog-Token")!
  /// W3C Fetch Metadata Request Headers.
  fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
  fileprivate static let secFetchMode = Self("Sec-Fetch-Mode")!
  fileprivate static let secFetchDest = Self("Sec-Fetch-Dest")!
}

/// Refuses changes to a library that is served for reading before their bodies are received. Access to a replica, and
/// jobs that change nothing in it, belong to this machine and are allowed.
struct ReadingCheck: RequestCheck {
  let library: Library

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    let isReading = request.method == .get || request.method == .head
    if isReading { return }
    // Linux also makes a disk read-only after a fault, while it is in use.
    guard !library.isOnReadOnlyDisk else {
      throw Problem(
        .serviceUnavailable,
        "The library is on a read-only disk: the diary can be read, but nothing can be changed, and nobody can sign in or "
          + "out. Make the disk writable, and start the service again.",
        code: .readOnly)
    }
    guard library.access.allowsWriting || isOwn(context.endpointPath ?? "") else {
      throw Problem(
        .forbidden,
        "This is a read-only replica of the library. Make changes on the machine that writes to it.",
        code: .replica)
    }
  }

  private func isOwn(_ path: String) -> Bool {
    Self.ownPaths.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  private static let ownPaths = [
    "/api/v1/session", "/api/v1/tokens", "/api/v1/jobs", "/sign-in", "/sign-out", "/pair",
    "/me/devices", "/me/store", "/me/export", "/jobs", "/plants/{name}/film",
  ]
}

/// Refuses bodies that are encoded, such as compressed ones (RFC 9110, 15.5.16).
struct EncodingCheck: RequestCheck {
  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    guard let encoding = request.headers[.contentEncoding]?.lowercased(),
      !["", "identity"].contains(encoding)
    else { return }
    throw Problem(
      .unsupportedMediaType, "Send the body as it is, without the encoding \(encoding).",
      headers: [.acceptEncoding: "identity"])
  }
}

/// Answers requests to a known path with an unsupported method by listing the supported ones (RFC 9110, 15.5.6). The
/// router does not distinguish them from requests to an unknown path.
struct MethodCheck: RequestCheck {
  private struct Route {
    /// Nil stands for a parameter.
    let parts: [Substring?]
    let method: HTTPRequest.Method

    var parameterCount: Int { parts.count { $0 == nil } }
  }

  private let routes: [Route]

  init(_ router: Router<LeaflogRequestContext>) {
    routes = router.routes.flatMap { route in
      let parts = route.path.description.split(separator: "/").map { $0.hasPrefix("{") ? nil : $0 }
      let methods = route.method == .get ? [.get, .head] : [route.method]
      return methods.map { Route(parts: parts, method: $0) }
    }
  }

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    // It is nil where no route was found.
    guard context.endpointPath == nil else { return }
    let methods = methods(of: request.uri.path)
    guard !methods.isEmpty else { return }
    throw Problem(
      .methodNotAllowed, "This address does not support \(request.method.rawValue).",
      headers: [.allow: methods.joined(separator: ", ")])
  }

  private func methods(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    let found = routes.filter { route in
      route.parts.count == parts.count
        && zip(route.parts, parts).allSatisfy { $0 == nil || $0 == $1 }
    }
    // The router prefers a literal part to a parameter.
    let fewest = found.map(\.parameterCount).min()
    return Set(found.filter { $0.parameterCount == fewest }.map(\.method.rawValue)).sorted()
  }
}
