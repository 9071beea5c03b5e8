internal import HTTPTypes
internal import Hummingbird

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
