import Foundation
import Leaflog
import LeaflogServer
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// Pages that are kept in memory until the next commit, and their validators.
@Suite struct KeptPageTests {
  private static var key: Regex<(Substring, Substring)> {
    /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/
  }

  /// The kept pages of a library, with the parameters that they take.
  private func addresses(of library: ScopedLibrary) async throws -> [String] {
    let kept = try await LeaflogServer(library.server.library).routes().filter(\.isKept)
    #expect(kept.count > 15)
    let patterns = kept.map { $0.path.split(separator: "/") }
    let day = library.server.library.today
    let further = [
      "/?on=\(day.advanced(by: -1))", "/timeline?select=true", "/timeline?grid=true",
      "/timeline?day=\(day)", "/timeline?back=%2Fplants", "/activities?order=true",
      "/quotes?filter=own", "/search?text=Basil", "/plants/basil",
      "/activities/gewohnheit?month=\(day.description.prefix(7))",
    ]
    return try await library.addresses().filter { address in
      let path = address.prefix { $0 != "?" }.split(separator: "/")
      return !address.contains("changed=")
        && patterns.contains { pattern in
          pattern.count == path.count
            && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    } + further
  }

  @Test(arguments: ["en", "de-AT"])
  func `a kept page says nothing that neither the catalog nor its key has`(
    _ language: String
  ) async throws {
    try await ScopedLibrary.run { library in
      let (server, addresses) = (library.server, try await addresses(of: library))
      func pages(_ token: String) async throws -> [String: String] {
        var pages: [String: String] = [:]
        for address in addresses {
          let answer = try await server.answer(address, [token, "Accept-Language: \(language)"])
          let html = String(decoding: answer.body, as: UTF8.self)
          if answer.status == 200 {
            #expect((answer.headers["etag"] == nil) == html.contains(Self.key), "\(address)")
          }
          pages[address] = html.replacing(Self.key, with: "KEY")
        }
        return pages
      }
      let first = try await pages(library.owner)
      #expect(try await pages(library.owner) == first)

      // All that a page must not depend on changes; the commit makes each page be made anew.
      library.clock.set(try #require(RecordedTime("2026-06-01T22:47:11")))
      let other = try library.token(.everything)
      let job = try await server.write("POST", "jobs", #"{"kind":"exportDiary"}"#, [other])
      #expect(job.status == 202)
      for folder in ["blobs", "previews"] {
        try? FileManager.default.removeItem(atPath: server.library.path + "/" + folder)
      }
      _ = try server.library.settings.set(.reportName, to: "Another Name")
      let second = try await pages(other)
      for address in addresses { #expect(second[address] == first[address], "\(address)") }
    }
  }

  @Test func `a page is unchanged until something in its key changes`() async throws {
    try await ScopedLibrary.run { library in
      let server = library.server
      func status(_ tag: String, _ headers: String...) async throws -> Int {
        try await server.answer("/plants", headers + ["If-None-Match: \(tag)"]).status
      }
      func tag(_ headers: String...) async throws -> String {
        try #require(try await server.answer("/plants", headers).headers["etag"])
      }
      let first = try await tag(library.owner)
      let unchanged = try await server.answer(
        "/plants", [library.owner, "If-None-Match: \(first)"])
      #expect(unchanged.status == 304 && unchanged.body.isEmpty)
      #expect(unchanged.headers["etag"] == first && unchanged.headers["vary"] != nil)
      #expect(unchanged.headers["cache-control"] == "private, no-cache")

      #expect(try await status(first, library.owner, "Accept-Language: de") == 200)
      #expect(try await status(first, library.owner, "Accept-Language: en-XA") == 200)
      #expect(try await status(first, library.owner, "Cookie: leaflog-look=dark.blue") == 200)
      let reader = try library.token(AccessScope(.read))
      #expect(try await status(first, reader) == 200)
      let limited = try library.token(AccessScope(.photos, plant: library.basil))
      #expect(try await status(first, limited) == 200)
      #expect(try await tag(limited) != tag(reader))
      #expect(
        try await server.answer("/plants?grid=true", [library.owner]).headers["etag"] != first)
      #expect(try await status(first) == 401)

      // A page that reports a change is none of these.
      let reports = try await server.answer(
        "/plants?changed=1", [library.owner, "If-None-Match: \(first)"])
      #expect(reports.status == 200 && reports.headers["etag"] == nil)

      let other = try Library.open(at: server.library.path)
      _ = try other.plants.add(PlantDetails(name: "Dill"))
      #expect(try await status(first, library.owner) == 200)
      let second = try await tag(library.owner)
      _ = try other.history.undo()
      let answer = try await server.answer("/plants", [library.owner, "If-None-Match: \(second)"])
      #expect(
        !String(decoding: answer.body, as: UTF8.self).contains("Dill") && answer.status == 200)
      try other.close()
    }
  }

  @Test func `a page that a commit overtakes has another validator than the one before it`()
    async throws
  {
    let calls = Counter()
    let action = Mutex<(at: Int, run: @Sendable () -> Void)?>(nil)
    let clock = WallClock {
      // Jobs look at the clock as well, elsewhere.
      guard MultiThreadedEventLoopGroup.currentEventLoop != nil else { return .noonInJune }
      let call = calls.next()
      action.withLock { $0.flatMap { $0.at == call ? $0.run : nil } }?()
      return .noonInJune
    }
    try await RunningServer.run(
      clock: clock, prepare: { _ = try $0.settings.set(.disclaimer, to: "acknowledged") }
    ) { server in
      let other = try Library.open(
        at: server.library.path, clock: WallClock { .noonInJune })
      _ = try await server.answer("/plants")
      let before = calls.value
      let former = try await server.answer("/plants")
      // The last look at the clock is for the key, once the commit is known.
      let last = calls.value + (calls.value - before)
      action.withLock {
        $0 = (
          last,
          { #expect(throws: Never.self) { try other.plants.add(PlantDetails(name: "Dill")) } }
        )
      }
      let overtaken = try await server.answer("/plants")
      #expect(String(decoding: overtaken.body, as: UTF8.self).contains("Dill"))
      #expect(overtaken.headers["etag"] != former.headers["etag"])
      try other.close()
    }
  }

  @Test func `a token that another process revokes opens no kept page`() async throws {
    try await ScopedLibrary.run { library in
      let secret = try library.server.library.tokens.add("guest").secret
      let guest = "Authorization: Bearer \(secret)"
      let first = try await library.server.answer("/timeline", [guest])
      let tag = try #require(first.headers["etag"])
      let other = try Library.open(at: library.server.library.path)
      _ = try other.tokens.revoke(matching: "guest")
      try other.close()
      let second = try await library.server.answer("/timeline", [guest, "If-None-Match: \(tag)"])
      #expect(second.status == 401)
    }
  }

  @Test func `a page is another one once the day has ended`() async throws {
    try await ScopedLibrary.run { library in
      func page(_ tag: String? = nil) async throws -> Answer {
        try await library.server.answer(
          "/timeline", [library.owner] + (tag.map { ["If-None-Match: \($0)"] } ?? []))
      }
      _ = try library.server.library.settings.set(.dayEnd, to: "3")
      let first = try await page()
      let tag = try #require(first.headers["etag"])
      library.clock.set(try #require(RecordedTime("2026-06-01T23:59:59")))
      #expect(try await page(tag).status == 304)
      // The calendar's day is a later one than the diary's.
      library.clock.set(try #require(RecordedTime("2026-06-02T00:00:00")))
      #expect(try await page(tag).status == 200)
      library.clock.set(try #require(RecordedTime("2026-06-02T03:00:00")))
      let next = try await page(tag)
      #expect(next.status == 200 && next.body != first.body)
      // The clock is behind: no day is known to be in the future.
      library.clock.set(try #require(RecordedTime("2026-05-31T12:00:00")))
      #expect(try await page(next.headers["etag"]).status == 200)
    }
  }

  @Test func `each answer has a key of its own for its form`() async throws {
    try await ScopedLibrary.run { library in
      let yesterday = "/?on=\(library.server.library.today.advanced(by: -1))"
      for (address, encoding) in [
        (yesterday, "identity"), (yesterday, "gzip"), ("/quotes", "gzip"),
      ] {
        var keys: Set<String> = []
        for _ in 1...3 {
          let answer = try await library.server.answer(
            address, [library.owner, "Accept-Encoding: \(encoding)"])
          #expect(answer.headers["etag"] == nil && answer.status == 200)
          let body = encoding == "gzip" ? try CompressionTests.unpacked(answer.body) : answer.body
          let html = String(decoding: body, as: UTF8.self)
          keys.formUnion(html.matches(of: Self.key).map { String($0.0) })
        }
        #expect(keys.count == 3, "\(address)")
      }
    }
  }

  @Test func `the compressed page has a validator of its own`() async throws {
    try await ScopedLibrary.run { library in
      let accept = "Accept-Encoding: gzip"
      let plain = try await library.server.answer("/timeline", [library.owner])
      let packed = try await library.server.answer("/timeline", [library.owner, accept])
      #expect(packed.headers["content-encoding"] == "gzip")
      #expect(try CompressionTests.unpacked(packed.body) == plain.body)
      let tag = try #require(packed.headers["etag"])
      #expect(tag.hasSuffix("-gzip\"") && tag != plain.headers["etag"])
      let again = try await library.server.answer(
        "/timeline", [library.owner, accept, "If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.headers["etag"] == tag)
    }
  }

  @Test func `a kept page has the base once`() async throws {
    var options = ServerOptions()
    options.base = try #require(BasePath("/leaflog"))
    try await RunningServer.run(
      options, prepare: { _ = try $0.settings.set(.disclaimer, to: "acknowledged") }
    ) { server in
      let pages = try await [
        server.answer("/leaflog/timeline"), server.answer("/leaflog/timeline"),
        server.answer("/leaflog/timeline?changed=0"),
      ].map { String(decoding: $0.body, as: UTF8.self) }
      #expect(pages[0] == pages[1] && pages[0].contains(#"href="/leaflog/plants""#))
      #expect(!pages[0].contains("/leaflog/leaflog") && !pages[0].contains(#"href="/plants""#))
    }
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
