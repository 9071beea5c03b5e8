import Foundation
import TestSupport
import Leaflog
import LeaflogServer
import Synchronization

/// A server that asks for a token, whose library has one.
struct AccessFixture {
  let server: RunningServer
  let secret: String
  let clock: TestClock

  static func run(
    _ options: ServerOptions? = nil, jobKinds: [any JobKind.Type] = [],
    _ body: (AccessFixture) async throws -> Void
  ) async throws {
    var required = ServerOptions()
    required.alwaysRequiresToken = true
    let clock = TestClock(at: .noonInJune)
    let secret = Mutex("")
    try await RunningServer.run(
      importing: [], options ?? required, clock: clock.wallClock, jobKinds: jobKinds,
      prepare: { library in
        let added = try library.tokens.add("phone").secret
        secret.withLock { $0 = added }
      }
    ) { server in
      try await body(AccessFixture(server: server, secret: secret.withLock { $0 }, clock: clock))
    }
  }

  var bearer: String { "Authorization: Bearer \(secret)" }

  /// Signs in, and gives the line by which a browser says so.
  func cookie() async throws -> String {
    let answer = try await signIn()
    let cookie = answer.headers["set-cookie"]?.split(separator: ";").first ?? ""
    return "Cookie: \(cookie)"
  }

  func signIn(
    _ secret: String? = nil, _ headers: [String] = [], from address: String = "127.0.0.1"
  ) async throws -> Answer {
    try await server.answer(
      "POST", "/api/v1/session", headers, text: #"{"token":"\#(secret ?? self.secret)"}"#,
      from: address)
  }

  /// Every method and path that it has, with something for the parameters.
  func routes() async throws -> [(method: String, path: String)] {
    try await LeaflogServer(server.library).routes().flatMap { route in
      let path = route.path.replacing(/\{[^}]*\}/, with: "ab")
      return (route.method == "GET" ? ["GET", "HEAD"] : [route.method]).map { ($0, path) }
    }
  }
}
