import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The service of a library that can only be read.
@Suite struct ReplicaServiceTests {
  @Test func `pages and the API are read, and say that nothing can be changed`() async throws {
    try await RunningServer.run(access: .reading) { server in
      for path in ["/", "/timeline", "/plants", "/me", "/add"] {
        let answer = try await server.answer("GET", path, ["Accept: text/html"])
        #expect(answer.status == 200, "\(path)")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("This is a read-only replica"))
      }
      #expect(try await server.answer("GET", "/api/v1/timeline").status == 200)
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let thumbnail = try await server.answer("GET", "/api/v1/photos/\(entry.id)/thumbnail")
      #expect(thumbnail.status == 200)
    }
  }

  @Test func `each route that changes the library refuses`() async throws {
    let own = [
      "session", "tokens", "jobs", "sign-in", "sign-out", "pair", "devices", "store", "export",
      "film",
    ]
    try await RunningServer.run(access: .reading) { server in
      let before = try server.library.history.page(limit: 1).changes.count
      let reader = try Library.open(at: server.library.path, for: .reading)
      let routes = try await LeaflogServer(reader).routes()
      let writing = routes.filter { route in
        !["GET", "HEAD"].contains(route.method) && !own.contains { route.path.contains("/\($0)") }
      }
      #expect(writing.count > 40)
      for route in writing {
        let address = route.path.replacing(/\{[^}]*\}|:[a-z]+/, with: "x")
        let answer = try await server.answer(route.method, address, text: "{}")
        #expect(answer.status == 403, "\(route)")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("replica"), "\(route)")
      }
      #expect(try server.library.history.page(limit: 1).changes.count == before)
      try reader.close()
    }
  }
}
