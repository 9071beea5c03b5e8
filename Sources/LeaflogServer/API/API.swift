internal import Hummingbird
internal import Leaflog
internal import NIOPosix

/// The routes below `/api/v1`, each added to the router together with its description.
final class API {
  private let service: ServiceRoutes
  private let writing: Writing
  private(set) var routes: [Route] = []

  init(_ service: ServiceRoutes, _ writing: Writing) {
    (self.service, self.writing) = (service, writing)
  }

  /// A route with an answer of its own making.
  func on(
    _ method: HTTPRequest.Method, _ path: RoutePath, _ operation: String, _ need: RouteNeed,
    _ summary: String, key: KeyUse, query: [any AnyParameter] = [], headers: [RequestHeader] = [],
    body: RouteBody = .none,
    answers: [Answer], _ answer: @escaping @Sendable (Asked) async throws -> Response
  ) {
    add(
      Route(
        method: method, path: path, operation: operation, need: need, summary: summary, key: key,
        query: query, ownHeaders: headers, body: body, answers: answers), answer)
  }

  /// A route whose requests are remembered outside the catalog.
  ///
  /// - Parameters:
  ///   - note: where they are remembered.
  ///   - answer: receives the fields of the body, and the key that it has to keep with what it makes.
  func once(
    _ method: HTTPRequest.Method, _ path: RoutePath, _ operation: String, _ need: RouteNeed,
    _ summary: String, note: String, body: Body = .none, answers: [Answer],
    _ answer: @escaping @Sendable (Asked, BodyReader, ClientRequest.Key?) async throws -> Response
  ) {
    on(
      method, path, operation, need, summary, key: .once(note: note), body: .json(body),
      answers: answers
    ) { asked in
      let (fields, key) = try await asked.keyedBody()
      return try await answer(asked, fields, key)
    }
  }

  func add(_ route: Route, _ answer: @escaping @Sendable (Asked) async throws -> Response) {
    routes.append(route)
    service.on(route.method, "api/v1/\(route.path.text)", route.need) { request, context in
      try route.key.check(request)
      return try await answer(Asked(request, context, route))
    }
  }

  func get(
    _ path: RoutePath, _ operation: String, _ need: RouteNeed, _ summary: String,
    query: [any AnyParameter] = [], headers: [RequestHeader] = [], answers: [Answer],
    _ answer: @escaping @Sendable (Asked) async throws -> Response
  ) {
    on(
      .get, path, operation, need, summary, key: .ignored, query: query, headers: headers,
      answers: answers, answer)
  }

  /// A route that writes to the library.
  ///
  /// - Parameters:
  ///   - isVersioned: whether clients may limit it to the version that they have seen.
  ///   - write: reads the fields of the body, and makes the change with them.
  func write(
    _ method: HTTPRequest.Method, _ path: RoutePath, _ operation: String, _ need: RouteNeed,
    _ summary: String, body: Body = .none, isVersioned: Bool = false, answers: Answer...,
    write: @escaping @Sendable (Call) throws -> Written
  ) {
    let answers = answers.map { answer in
      var answer = answer
      answer.headers += [.change, .unsent]
      return answer
    }
    let writing = writing
    on(
      method, path, operation, need, summary, key: .once(),
      headers: isVersioned ? [.ifMatch, .ifNoneMatch] : [], body: .json(body), answers: answers
    ) { try await writing.answer($0, write) }
  }
}

/// A request to a route of the API, whose query has been checked.
struct Asked: Sendable {
  let request: Request
  let context: LeaflogRequestContext
  let query: QueryReader
  private let route: Route

  /// The library, as far as the request's token sees it.
  var access: LibraryAccess { get throws { try context.access } }

  init(_ request: Request, _ context: LeaflogRequestContext, _ route: Route) throws {
    (self.request, self.context, self.route) = (request, context, route)
    query = try QueryReader(request, route.query)
  }

  /// A part of the path, decoded.
  func name(_ parameter: Parameter<String>) throws -> String {
    precondition(
      route.path.parameters.contains { $0.name == parameter.name }, "the path has the parameter")
    return try context.text(parameter.name)
  }

  /// The fields of the body, which has to be JSON.
  func body(upTo maxByteCount: Int = BodyReader.maxByteCount) async throws -> BodyReader {
    try await body(upTo: maxByteCount) { fields, _ in fields }
  }

  /// The same, with what else is made of its bytes.
  func body<Value: Sendable>(
    upTo maxByteCount: Int = BodyReader.maxByteCount,
    _ value: @escaping @Sendable (BodyReader, _ bytes: [UInt8]) throws -> Value
  ) async throws -> Value {
    guard case .json(let body) = route.body else { preconditionFailure("the body is JSON") }
    let bytes = try await BodyReader.bytes(of: request, context.bodies, upTo: maxByteCount)
    return try await decoding(bytes.count) { try value(BodyReader(bytes, body), bytes) }
  }
}

/// Decodes a body. A large one is decoded on a thread that may be busy, so that neither another connection nor a read of
/// the library waits for it.
func decoding<Value: Sendable>(
  _ byteCount: Int, _ decode: @escaping @Sendable () throws -> Value
) async throws -> Value {
  // A change of threads takes as long as decoding about so much.
  if byteCount <= 1 << 12 { return try decode() }
  return try await decoder.runIfActive(decode)
}

/// One thread, so that large bodies leave the other cores alone.
private let decoder = {
  let pool = NIOThreadPool(numberOfThreads: 1)
  pool.start()
  return pool
}()
