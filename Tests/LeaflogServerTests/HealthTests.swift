import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// What the service tells load balancers and monitors.
@Suite struct HealthTests {
  private func status(_ answer: Answer) throws -> String? { try answer.json["status"] as? String }

  @Test(arguments: ["/healthz", "/readyz"])
  func `it answers without a host in HTTP 1.0, and under any host`(path: String) async throws {
    try await AccessFixture.run { fixture in
      let old = try await fixture.server.send("GET \(path) HTTP/1.0\r\n\r\n")
      #expect(try old.status == 200 && status(old) == "ok")
      #expect(old.headers["cache-control"] == "no-store")
      for host in ["192.0.2.9:8765", "evil.example", "[2001:db8::1]"] {
        let answer = try await fixture.server.answer(path, ["Host: \(host)"])
        #expect(try answer.status == 200 && status(answer) == "ok", "\(host)")
      }
      let head = try await fixture.server.answer("HEAD", path, ["Host: 192.0.2.9"])
      #expect(head.status == 200 && head.body.isEmpty)
      let new = try await fixture.server.send("GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n")
      #expect(new.status == 400)
    }
  }

  @Test func `below a path it answers with the path and without it`() async throws {
    var options = ServerOptions()
    options.base = try #require(BasePath("/leaflog"))
    try await RunningServer.run(importing: [], options) { server in
      for path in ["/leaflog/healthz", "/healthz", "/healthz?from=balancer"] {
        let answer = try await server.send("GET \(path) HTTP/1.0\r\n\r\n")
        #expect(answer.status == 200, "\(path)")
      }
    }
  }

  @Test func `nothing else answers without a host or to foreign ones, and it is said how it would`()
    async throws
  {
    try await AccessFixture.run { fixture in
      for path in ["/api/v1/timeline", "/", "/metrics", "/healthzz", "/readyz/x"] {
        let old = try await fixture.server.send("GET \(path) HTTP/1.0\r\n\(fixture.bearer)\r\n\r\n")
        #expect(old.status == 400, "\(path)")
        for accept in ["text/html", "application/json"] {
          let answer = try await fixture.server.answer(
            path, ["Host: 192.0.2.9", fixture.bearer, "Accept: \(accept)"])
          #expect(answer.status == 421, "\(path)")
          #expect(String(decoding: answer.body, as: UTF8.self).contains("--host"), "\(path)")
        }
      }
      let german = try await fixture.server.answer(
        "/", ["Host: 192.0.2.9", "Accept: text/html", "Accept-Language: de"])
      #expect(String(decoding: german.body, as: UTF8.self).contains("--host"))
    }
  }

  @Test func `tokens that cannot be read are a fault where one is needed`() async throws {
    try await AccessFixture.run { fixture in
      try Data("{".utf8).write(
        to: URL(fileURLWithPath: fixture.server.library.path + "/access.json"))
      for path in ["/healthz", "/readyz"] {
        let answer = try await fixture.server.answer(path)
        #expect(try answer.status == 503 && status(answer) == "tokens")
        #expect(try answer.json.count == 1)
      }
    }
    try await RunningServer.run(importing: []) { server in
      try Data("{".utf8).write(to: URL(fileURLWithPath: server.library.path + "/access.json"))
      #expect(try await server.answer("/healthz").status == 200)
    }
  }

  @Test func `a library whose disk is away is a fault`() async throws {
    try await RunningServer.run { server in
      let path = server.library.path
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      for address in ["/healthz", "/readyz"] {
        let answer = try await server.answer(address)
        #expect(try answer.status == 503 && status(answer) == "library")
      }
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      #expect(try await server.answer("/readyz").status == 200)
    }
  }
}
