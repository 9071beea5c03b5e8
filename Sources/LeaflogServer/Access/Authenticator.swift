internal import Hummingbird
internal import Leaflog
internal import Synchronization

/// Authenticates requests.
///
/// A valid secret is accepted no matter how many wrong ones came from its address before, as the address may be a
/// proxy's and so everybody's. The limit only bounds work and log volume; 256 random bits need no protection against
/// guessing.
struct Authenticator: Sendable {
  let options: ServerOptions
  private let access: LibraryAccess
  private let library: Library
  private let tokens: LibraryTokens
  private let attempts = FailedAttempts()

  init(_ options: ServerOptions, _ library: Library, _ access: LibraryAccess) {
    (self.options, self.library, self.access) = (options, library, access)
    tokens = library.tokens
  }

  /// The token that a request carries; nil when it carries none.
  ///
  /// - Throws: a problem for an invalid one.
  func holder(
    of request: Request, _ context: LeaflogRequestContext
  ) async throws -> AccessToken? {
    if let secret = Self.bearer(of: request) {
      return try await holder(of: secret, request, context)
    }
    let secrets = SessionCookie.secrets(in: request)
    for secret in secrets {
      if let token = tokens.sessionHolderAtOnce(of: secret) { return token }
      if let session = try await call({ try $0.session(of: secret) }) { return session.token }
    }
    // Browsers also send stale cookies where no token is required.
    guard options.requiresToken, !secrets.isEmpty else { return nil }
    throw refusal(request, context)
  }

  /// The token with this secret.
  ///
  /// - Throws: a problem when there is none.
  func holder(
    of secret: String, _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> AccessToken {
    if let token = tokens.holderAtOnce(of: secret) { return token }
    guard let token = try await call({ try $0.holder(of: secret) }) else {
      throw refusal(request, context)
    }
    return token
  }

  /// Whether a browser has to be given a token: one is required, and its request has no cookie of a valid session. A wrong
  /// one is not counted: this tells nothing else, and a browser whose session has ended is led here however often it asks.
  func needsToken(_ request: Request) async throws -> Bool {
    let secrets = SessionCookie.secrets(in: request)
    guard options.requiresToken, !secrets.isEmpty else { return options.requiresToken }
    return try await call { tokens in
      try secrets.allSatisfy { try tokens.session(of: $0) == nil }
    }
  }

  /// Whether the token or session with which a request was made is still valid, or none is needed.
  func stillAllows(_ request: Request) async -> Bool {
    // One that cannot be looked up is not known to be valid.
    guard let bearer = Self.bearer(of: request) else {
      return (try? await !needsToken(request)) ?? false
    }
    if tokens.holderAtOnce(of: bearer) != nil { return true }
    return (try? await call { try $0.holder(of: bearer) != nil }) ?? false
  }

  /// The present time by the library's clock.
  var now: Timestamp { library.clock.now }

  /// Runs a call on the tokens, on a thread that may block.
  func call<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryTokens) throws -> Value
  ) async throws -> Value {
    let tokens = tokens
    return try await access.read { try body(tokens.with($0)) }
  }

  /// Whether the connection between browser and server is safe from eavesdropping.
  func isConnectionSecure(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    if options.clientHasTLS(request, context) { return true }
    if options.isFromProxy(context) { return false }
    return request.head.authority.flatMap { Authority($0) }.map { ServiceNames.isLocal($0.host) }
      ?? false
  }

  /// `Authorization: Bearer SECRET` (RFC 6750, 2.1).
  private static func bearer(of request: Request) -> String? {
    let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// Counts a wrong secret.
  ///
  /// - Returns: the seconds to wait, if there were too many before; nil otherwise.
  func countFailure(_ request: Request, _ context: LeaflogRequestContext) -> Int? {
    let client = options.client(of: request, context)
    // Programs such as fail2ban count these lines.
    context.logger.info("refused", metadata: ["client": "\(client?.description ?? "")"])
    return attempts.add(from: client, at: library.clock.now)
  }

  private func refusal(_ request: Request, _ context: LeaflogRequestContext) -> Problem {
    refusalOfTooMany(request, context) ?? .wrongSecret
  }

  /// Counts a wrong secret.
  ///
  /// - Returns: the answer, if there were too many before; nil otherwise.
  func refusalOfTooMany(_ request: Request, _ context: LeaflogRequestContext) -> Problem? {
    countFailure(request, context).map { seconds in
      Problem(
        .tooManyRequests, "Too many wrong tokens came from your address.", code: .tooManyAttempts,
        headers: [.retryAfter: "\(seconds)"])
    }
  }
}

extension Problem {
  /// The request carries no credentials.
  static let noSecret = Problem(
    .unauthorized,
    "A token is needed: send it as “Authorization: Bearer TOKEN”, or start a session with it.",
    code: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])

  /// The token does not include what the route needs.
  static let notAllowed = Problem(
    .forbidden, "This token does not include that.", code: .notAllowed)

  /// The request was made for another token, and waits until that one is back.
  static let otherToken = Problem(.conflict, "This request was made for another token.")

  /// The token was revoked, the session has ended, or neither ever existed.
  static let wrongSecret = Problem(
    .unauthorized, "This token or session is not valid or no longer valid.", code: .unauthorized,
    headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
}

/// The cookie that holds a session's secret.
enum SessionCookie {
  /// For this host only, and never sent over an insecure connection (RFC 6265bis, 4.1.3).
  static let secureName = "__Host-leaflog"
  static let plainName = "leaflog"
  /// In seconds; the longest that browsers keep a cookie. The server ends an unused session earlier.
  private static let maxAge = 400 * 86_400

  /// The secrets that a request carries: at most two.
  static func secrets(in request: Request) -> [String] {
    names(in: request).compactMap { request.cookies[$0]?.value }
  }

  /// - Parameter isSecure: whether the connection is safe from eavesdropping.
  static func make(_ secret: String, isSecure: Bool) -> Cookie {
    cookie(isSecure ? secureName : plainName, secret, maxAge: maxAge)
  }

  /// Cookies that make a browser delete the ones it sent.
  static func removing(those request: Request) -> [Cookie] {
    names(in: request).map { cookie($0, "", maxAge: 0) }
  }

  private static func names(in request: Request) -> [String] {
    [secureName, plainName].filter { request.cookies[$0] != nil }
  }

  private static func cookie(_ name: String, _ value: String, maxAge: Int) -> Cookie {
    Cookie(
      name: name, value: value, maxAge: maxAge, path: "/", secure: name == secureName,
      httpOnly: true, sameSite: .strict)
  }
}

/// Recent attempts with a wrong secret, counted by address.
private final class FailedAttempts: Sendable {
  /// The number of attempts answered per window.
  static let limit = 10
  /// The length of a window, which begins with its first attempt.
  static let windowMilliseconds: Int64 = 60_000
  /// The number of addresses tracked. Beyond it, the one with the oldest window is dropped.
  static let maxAddressCount = 4096

  private struct Window {
    let beganAt: Timestamp
    var count: Int

    /// Whether the window has ended. Setting the clock back ends it too.
    func isOver(at now: Timestamp) -> Bool {
      now < beganAt || now >= beganAt.advanced(byMilliseconds: FailedAttempts.windowMilliseconds)
    }
  }

  private let windows = Mutex<[[UInt8]: Window]>([:])

  /// Counts one more attempt.
  ///
  /// - Returns: the seconds to wait, if there were too many before; nil otherwise.
  func add(from address: IPAddress?, at now: Timestamp) -> Int? {
    let key = address?.network ?? []
    return windows.withLock { windows in
      if windows[key]?.isOver(at: now) ?? true {
        Self.makeRoom(in: &windows, at: now)
        windows[key] = Window(beganAt: now, count: 0)
      }
      guard var window = windows[key] else { return nil }
      guard window.count < Self.limit else {
        let passed = now.milliseconds - window.beganAt.milliseconds
        return Int((Self.windowMilliseconds - passed + 999) / 1000)
      }
      window.count += 1
      windows[key] = window
      return nil
    }
  }

  private static func makeRoom(in windows: inout [[UInt8]: Window], at now: Timestamp) {
    guard windows.count >= maxAddressCount else { return }
    windows = windows.filter { !$0.value.isOver(at: now) }
    guard windows.count >= maxAddressCount,
      let oldest = windows.min(by: { $0.value.beganAt < $1.value.beganAt })
    else { return }
    windows[oldest.key] = nil
  }
}
