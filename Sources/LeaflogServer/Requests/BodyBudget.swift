internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Synchronization

/// The memory for bodies that are read whole: all of them together, and those of each client.
///
/// A body counts from its head, or without a length from its first byte, until its request is answered, so many that
/// never end take no more than this.
final class BodyBudget: Sendable {
  /// The client of a request: its token, or else its network.
  enum Client: Hashable, Sendable {
    case token(String)
    case network([UInt8])
  }

  private struct State {
    var total = 0
    var clients: [Client: Int] = [:]
  }

  private let byteCount: Int
  private let byteCountPerClient: Int
  private let state = Mutex(State())

  init(_ limits: ServerLimits) {
    (byteCount, byteCountPerClient) = (limits.bodiesByteCount, limits.bodiesByteCountPerClient)
  }

  fileprivate func take(_ count: Int, for client: Client) throws {
    try state.withLock { state in
      let own = state.clients[client, default: 0] + count
      guard own <= byteCountPerClient else {
        throw Problem(
          .tooManyRequests, "Too many large requests of yours are in progress.",
          remedy: "Send them one after the other.", headers: [.retryAfter: "1"])
      }
      guard state.total + count <= byteCount else {
        throw Problem(
          .serviceUnavailable, "Too many large requests are in progress.",
          remedy: "Send it again later.", headers: [.retryAfter: "5"])
      }
      state.total += count
      state.clients[client] = own
    }
  }

  fileprivate func release(_ count: Int, of client: Client) {
    state.withLock { state in
      state.total -= count
      let rest = state.clients[client, default: 0] - count
      state.clients[client] = rest > 0 ? rest : nil
    }
  }
}

/// The part of the budget that one request has taken, which is free again with the last reference.
final class BodyShare: Sendable {
  /// The largest body that a route takes which is open to everybody: a secret, and the page to go back to.
  static let maxOpenByteCount = 1024

  /// Of a request whose client is not known yet.
  static let none = BodyShare(BodyBudget(ServerLimits()), of: .network([]), upTo: 0)

  private let budget: BodyBudget
  private let client: BodyBudget.Client
  /// The limit for the body.
  private let maxByteCount: Int
  private let taken = Mutex(0)

  init(_ budget: BodyBudget, of client: BodyBudget.Client, upTo maxByteCount: Int = .max) {
    (self.budget, self.client, self.maxByteCount) = (budget, client, maxByteCount)
  }

  deinit { budget.release(taken.withLock { $0 }, of: client) }

  /// Takes memory for more bytes.
  ///
  /// - Throws: a problem when too much is taken.
  func take(_ count: Int) throws {
    try budget.take(count, for: client)
    taken.withLock { $0 += count }
  }

  /// Reads a whole body. One that is announced as too large is not read.
  func collect(_ request: Request, upTo limit: Int) async throws -> ByteBuffer {
    let limit = min(limit, maxByteCount)
    let tooLarge = Problem(.contentTooLarge, "The body is larger than \(limit) bytes.")
    let said = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard said <= limit else { throw tooLarge }
    // Before it comes: a refusal later would have read it in vain.
    try take(said)
    var whole = ByteBuffer()
    for try await piece in request.body {
      guard whole.readableBytes + piece.readableBytes <= limit else { throw tooLarge }
      if said == 0 { try take(piece.readableBytes) }
      whole.writeImmutableBuffer(piece)
    }
    return whole
  }
}
