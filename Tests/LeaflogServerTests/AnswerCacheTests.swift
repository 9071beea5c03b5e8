import Leaflog
import LeaflogServer
import Synchronization
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

      _ = try other.diary.delete([entry.id], of: .photo)
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

  @Test func `an answer that several ask for at once is made once, and anew after a commit`()
    async throws
  {
    let maker = Maker()
    let cache = AnswerCache<Int>(byteCount: 1000) { .generation(maker.commit.withLock { $0 }) }
    let first = Task { try await maker.ask(cache, waits: true) }
    for await _ in maker.begun.stream { break }
    let second = Task { try await maker.ask(cache) }
    for _ in 1...100 { await Task.yield() }
    maker.commit.withLock { $0 = 2 }
    #expect(try await maker.ask(cache) == 2)
    maker.gate.continuation.yield()
    #expect(try await first.value == 1)
    #expect(try await [1, 2].contains(second.value))
    #expect(try await maker.ask(cache) == 2)
    #expect(maker.made.withLock { $0 } == 2)
  }

  @Test func `a failure is not kept`() async throws {
    let cache = AnswerCache<Int>(byteCount: 1000) { .generation(1) }
    await #expect(throws: CancellationError.self) {
      try await cache.answer(to: "page") { throw CancellationError() }
    }
    #expect(try await cache.answer(to: "page") { (7, 1) } == 7)
    #expect(try await cache.answer(to: "page") { (8, 1) } == 7)
  }
}

/// Makes answers, which are numbered.
private final class Maker: Sendable {
  let commit = Mutex(1)
  let made = Mutex(0)
  /// The answers that have been begun.
  let begun = AsyncStream<Void>.makeStream()
  /// The signal to complete an answer that waits.
  let gate = AsyncStream<Void>.makeStream()

  func ask(_ cache: AnswerCache<Int>, waits: Bool = false) async throws -> Int {
    try await cache.answer(to: "page") { [self] in
      let number = made.withLock { made in
        made += 1
        return made
      }
      begun.continuation.yield()
      if waits { for await _ in gate.stream { break } }
      return (number, 1)
    }
  }
}
