internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// The effect of an `Idempotency-Key` on a route. The description says it at the operation, and each request is checked
/// by it before the route runs.
enum KeyUse: Sendable {
  /// The request happens once, and a repetition gets the same answer.
  ///
  /// - Parameter note: what is remembered; nil where the catalog remembers the request.
  case once(note: String? = nil)
  /// The key is taken, as clients may send one with everything, and not needed.
  ///
  /// - Parameter note: how the request is idempotent without it.
  case needless(note: String)
  /// The key is refused, as the answer has a secret and could not be given twice.
  ///
  /// - Parameter remedy: the way on after a lost answer.
  case refused(remedy: String)
  /// The route only reads.
  case ignored

  var isOnce: Bool { if case .once = self { true } else { false } }

  /// The header as the operation has it; nil where it is none of its parameters.
  var header: RequestHeader? {
    switch self {
    case .once: .idempotencyKey
    case .needless: .needlessKey
    case .refused, .ignored: nil
    }
  }

  /// The sentences about it in the operation's description.
  var note: String? {
    switch self {
    case .once(let note): note
    case .needless(let note): "Idempotent. \(note)"
    case .refused(let remedy): Self.refusal + remedy
    case .ignored: nil
    }
  }

  private static let refusal =
    "An Idempotency-Key is refused (400), as the answer has a secret, which is kept nowhere. "

  /// Refuses the key of a request where there must be none, or where it is malformed.
  func check(_ request: Request) throws {
    guard let key = request.headers[.idempotencyKey] else { return }
    switch self {
    case .once, .needless: try ClientRequest.Key.check(key)
    case .refused: throw Problem(.badRequest, note)
    case .ignored: break
    }
  }
}

extension RequestHeader {
  static let idempotencyKey = RequestHeader(
    .idempotencyKey, pattern: keyPattern,
    "Makes the request happen once, however often it is sent. With another request of its kind "
      + "(changes of the library, jobs, uploads), the same key is refused (409). One of fewer than 22 characters is remembered for a day."
  )

  fileprivate static let needlessKey = RequestHeader(
    .idempotencyKey, component: "Idempotency-Key-not-needed", pattern: keyPattern,
    "Accepted but not needed: the request may be sent any number of times without one.")

  private static let keyPattern = #"^[A-Za-z0-9_"-]{1,200}$"#
}

extension Asked {
  /// The fields of the body, and the request's idempotency key; nil without one.
  func keyedBody() async throws -> (fields: BodyReader, key: ClientRequest.Key?) {
    let (request, holder) = (request, context.holder)
    return try await body { fields, bytes in
      let key = try request.headers[.idempotencyKey].map {
        try ClientRequest.Key(
          $0, for: Array("\(request.method.rawValue) \(request.uri.string)\n".utf8) + bytes,
          of: holder)
      }
      return (fields, key)
    }
  }
}
