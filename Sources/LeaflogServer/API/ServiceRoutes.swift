internal import Hummingbird
package import Leaflog

/// The need of a route: what a token has to include before the route is run.
package enum RouteNeed: Sendable, Hashable {
  /// Nothing: it is open to everybody who reaches the service.
  case open
  /// Any token of the service.
  case anyToken
  case right(AccessRight)

  static let readPhotos = RouteNeed.right(.readPhotos)
  static let readDiary = RouteNeed.right(.readDiary)
  static let writePhotos = RouteNeed.right(.writePhotos)
  static let writeDiary = RouteNeed.right(.writeDiary)
  static let send = RouteNeed.right(.send)
  static let administer = RouteNeed.right(.administer)

  /// Whether it is more than a token.
  var isRight: Bool { if case .right = self { true } else { false } }

  /// Whether a token with a scope may use the route.
  package func isMet(by scope: AccessScope) -> Bool {
    switch self {
    case .open, .anyToken: true
    case .right(let right): scope.includes(right)
    }
  }
}

/// A route, as `LeaflogServer.routes()` lists it.
package struct ServedRoute: Sendable {
  /// `GET`
  package let method: String
  /// Its parameters are written `{name}`.
  package let path: String
  package let need: RouteNeed
  /// Whether its answers are pages that are kept in memory.
  package let isKept: Bool
}

/// All routes of the service, pages and files included, each with its need: none can be added without one.
final class ServiceRoutes {
  typealias Handler = @Sendable (Request, LeaflogRequestContext) async throws -> Response

  fileprivate struct Key: Hashable {
    let method: HTTPRequest.Method
    let path: String
  }

  let router: Router<LeaflogRequestContext>
  private var needs: [Key: RouteNeed] = [:]
  /// Pages that are kept in memory.
  private var kept: Set<Key> = []

  init(_ router: Router<LeaflogRequestContext>) { self.router = router }

  /// - Parameters:
  ///   - path: its parameters are written `:name` or `{name}`.
  ///   - isKept: whether answers are kept in memory.
  func on(
    _ method: HTTPRequest.Method, _ path: String, _ need: RouteNeed, isKept: Bool = false,
    _ handler: @escaping Handler
  ) {
    let path = RouterPath(path)
    router.on(path, method: method, use: handler)
    let key = Key(method: method, path: path.description)
    needs[key] = need
    if isKept { kept.insert(key) }
  }

  /// All routes, by path.
  var all: [ServedRoute] {
    needs.map {
      ServedRoute(
        method: $0.key.method.rawValue, path: $0.key.path, need: $0.value,
        isKept: kept.contains($0.key))
    }
    .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  /// The needs as a request is looked up.
  var table: Table { Table(needs: needs) }

  struct Table: Sendable {
    fileprivate var needs: [Key: RouteNeed] = [:]

    /// Whether a page is for those with a scope.
    ///
    /// - Parameter path: of a page without parameters, such as `/plants`.
    func allows(_ path: String, for scope: AccessScope) -> Bool {
      needs[Key(method: .get, path: path)]?.isMet(by: scope) ?? false
    }

    /// The need of the route that a request has matched; that of no route is a token, so that unauthenticated clients
    /// cannot tell.
    func need(of request: Request, _ context: LeaflogRequestContext) -> RouteNeed {
      guard let path = context.endpointPath else { return .anyToken }
      let method = request.method == .head ? .get : request.method
      return needs[Key(method: method, path: path)] ?? .administer
    }
  }
}
