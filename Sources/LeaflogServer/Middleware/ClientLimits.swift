internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// Applies the limits that depend on the client, once it is known whether it may use the library: the place of its
/// connection, the memory for its body, and what an unauthenticated client may send.
struct ClientLimits: RouterMiddleware {
  let authenticator: Authenticator
  let connections: OpenConnections
  let bodies: BodyBudget

  func handle(
    _ request: Request, context: LeaflogRequestContext,
    next: (Request, LeaflogRequestContext) async throws -> Response
  ) async throws -> Response {
    let isOpen = context.need == .open
    if !isOpen { connections.admit(context.channel) }
    guard request.method != .get, request.method != .head else {
      return try await next(request, context)
    }
    var context = context
    context.bodies = BodyShare(
      bodies, of: client(request, context), upTo: isOpen ? BodyShare.maxOpenByteCount : .max)
    guard isOpen else { return try await next(request, context) }
    do { return try await next(request, context) } catch  where Self.isMalformed(error) {
      // Reading bodies is work, and only wrong secrets were limited otherwise.
      throw authenticator.refusalOfTooMany(request, context) ?? error
    }
  }

  private func client(_ request: Request, _ context: LeaflogRequestContext) -> BodyBudget.Client {
    context.holder.map { .token($0.id.description) }
      ?? .network(authenticator.options.client(of: request, context)?.network ?? [])
  }

  private static func isMalformed(_ error: any Error) -> Bool {
    switch error {
    case is InvalidValue: true
    case let error as LeaflogError: error.code == .invalidRequest
    case let problem as Problem:
      [.badRequest, .requestTimeout, .contentTooLarge, .unsupportedMediaType].contains(
        problem.status)
    default: false
    }
  }
}
