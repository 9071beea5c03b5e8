import Leaflog
import TestSupport
import Testing

/// Answers that are kept until the next commit.
@Suite struct AnswerCacheTests {
  @Test func `a change by another process shows at once, on pages and on pictures`() async throws {
    try await RunningServer.run { server in
      let first = try await server.answer("/api/v1/timeline")
      #expect(try await server.answer("/api/v1/timeline").body == first.body)
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let thumbnail = "/api/v1/photos/\(entry.id)/thumbnail"
      let picture = try await server.answer(thumbnail)
      #expect(try await server.answer(thumbnail).body == picture.body && picture.status == 200)

      let other = try Library.open(at: server.library.path)
      _ = try other.diary.addTags(["seen"], to: [entry.id])
      let second = try await server.answer("/api/v1/timeline")
      #expect(
        second.body != first.body && String(decoding: second.body, as: UTF8.self).contains("seen"))

      _ = try other.diary.delete(.photo, [entry.id])
      let third = try await server.answer("/api/v1/timeline")
      #expect(!String(decoding: third.body, as: UTF8.self).contains(entry.id.description))
      try other.close()
    }
  }

  @Test func `requests that differ in anything have answers of their own`() async throws {
    try await RunningServer.run { server in
      var bodies: Set<[UInt8]> = []
      let paths = [
        "timeline", "timeline?limit=1", "timeline?limit=2", "timeline?kind=mood",
        "timeline?oldestFirst=true",
      ]
      for _ in 1...2 {
        for path in paths { bodies.insert(try await server.answer("/api/v1/" + path).body) }
      }
      #expect(bodies.count == paths.count)
    }
  }
}
