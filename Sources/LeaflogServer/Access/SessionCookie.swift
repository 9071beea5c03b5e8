internal import Hummingbird
internal import Leaflog

/// The cookie that holds a session's secret.
enum SessionCookie {
  /// For this host only, and never sent over an insecure connection (RFC 6265bis, 4.1.3).
  private static let secureName = "__Host-leaflog"
  private static let plainName = "leaflog"
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
