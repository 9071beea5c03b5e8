internal import Hummingbird
internal import Leaflog

/// The cookie with a session's secret.
enum SessionCookie {
  /// For this host alone, and never sent where somebody could listen in (RFC 6265bis, 4.1.3).
  private static let secureName = "__Host-leaflog"
  private static let plainName = "leaflog"
  /// In seconds; the longest that browsers keep one. The server ends the session before, once nobody uses it.
  private static let maxAge = 400 * 86_400

  /// The secrets that a request comes with: at most two.
  static func secrets(in request: Request) -> [String] {
    names(in: request).compactMap { request.cookies[$0]?.value }
  }

  /// - Parameter isSecure: whether nobody can listen in on the connection.
  static func make(_ secret: String, isSecure: Bool) -> Cookie {
    cookie(isSecure ? secureName : plainName, secret, maxAge: maxAge)
  }

  /// Those by which a browser forgets the ones that it sent.
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
