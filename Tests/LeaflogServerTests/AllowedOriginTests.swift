import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// Pages of other sites that may use the API (CORS).
@Suite struct AllowedOriginTests {
  private static let origin = "https://plants.example:8443"
  private static let plant = #"{"name":"fern"}"#

  private func run(_ body: (AccessFixture) async throws -> Void) async throws {
    var options = ServerOptions()
    options.alwaysRequiresToken = true
    options.allowedOrigins = [Self.origin]
    try await AccessFixture.run(options, body)
  }

  private func asks(_ origin: String) -> [String] {
    ["Origin: \(origin)", "Access-Control-Request-Method: PATCH", "Sec-Fetch-Site: cross-site"]
  }

  @Test func `a preflight of an allowed origin is answered, without a token`() async throws {
    try await run { fixture in
      let answer = try await fixture.server.answer(
        "OPTIONS", "/api/v1/plants/fern", asks(Self.origin))
      #expect(answer.status == 204)
      #expect(answer.headers["access-control-allow-origin"] == Self.origin)
      #expect(answer.headers["access-control-allow-methods"]?.contains("PATCH") == true)
      #expect(answer.headers["access-control-allow-headers"]?.contains("Authorization") == true)
      #expect(answer.headers["access-control-allow-credentials"] == nil)
      #expect(answer.headers["vary"]?.contains("Origin") == true)
    }
  }

  @Test(arguments: [
    "https://plants.example", "http://plants.example:8443", "https://evil.example", "null",
    "https://plants.example:8443.evil.example", "https://PLANTS.example:8443",
  ])
  func `no other origin is allowed`(origin: String) async throws {
    try await run { fixture in
      let preflight = try await fixture.server.answer(
        "OPTIONS", "/api/v1/plants/fern", asks(origin))
      #expect(preflight.status >= 400)
      let headers = [fixture.bearer, "Origin: \(origin)", "Sec-Fetch-Site: cross-site"]
      let read = try await fixture.server.answer("/api/v1/timeline", headers)
      for answer in [preflight, read] {
        #expect(answer.headers["access-control-allow-origin"] == nil)
      }
      let write = try await fixture.server.write("POST", "plants", Self.plant, headers)
      #expect(write.status == 403)
    }
  }

  @Test func `without the option no origin is allowed`() async throws {
    try await AccessFixture.run { fixture in
      let answer = try await fixture.server.answer(
        "OPTIONS", "/api/v1/plants/fern", asks(Self.origin))
      #expect(answer.status >= 400 && answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func `a page of an allowed origin reads and writes with a token, and never with a cookie`()
    async throws
  {
    try await run { fixture in
      let page = ["Origin: \(Self.origin)", "Sec-Fetch-Site: same-site"]
      let made = try await fixture.server.write(
        "POST", "plants", Self.plant, page + [fixture.bearer])
      #expect(made.status == 201)
      #expect(made.headers["access-control-allow-origin"] == Self.origin)
      #expect(made.headers["access-control-expose-headers"]?.contains("ETag") == true)
      // Errors can be read, too.
      let refused = try await fixture.server.answer("/api/v1/timeline", page)
      #expect(refused.status == 401)
      #expect(refused.headers["access-control-allow-origin"] == Self.origin)
      let cookie = try await fixture.cookie()
      let write = try await fixture.server.write(
        "POST", "plants", #"{"name":"basil"}"#, page + [cookie])
      #expect(write.status == 403)
    }
  }
}
