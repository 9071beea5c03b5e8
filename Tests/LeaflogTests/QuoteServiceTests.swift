import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct QuoteServiceTests {
  private static let answer = """
    [{"q":"Everything you can imagine is real.","a":"Pablo Picasso","h":"<blockquote>…</blockquote>"}]
    """

  private func service(
    _ server: LoopbackServer, timeout: Duration = .seconds(600)
  ) -> QuoteService {
    QuoteService(address: "http://127.0.0.1:\(server.port)/api/today", timeout: timeout)
  }

  private func library(_ source: String? = "zenquotes") throws -> LibraryFixture {
    let fixture = try LibraryFixture()
    fixture.clock.set(now)
    if let source { try fixture.library.settings.set(.quotesSource, to: source) }
    return fixture
  }

  private let now = RecordedTime("2026-03-29T09:00+02:00")!

  @Test func `the service's answer is the quote of the day, and it is asked once`() async throws {
    let server = try LoopbackServer(.http("200 OK", Self.answer))
    let fixture = try library()
    let found = try await fixture.library.quotes.fetch(from: service(server))
    #expect(found.problem == nil)
    #expect(found.day == LocalDay("2026-03-29"))
    #expect(found.quote.text == "Everything you can imagine is real.")
    #expect(found.quote.author == "Pablo Picasso")
    #expect(found.quote.origin == .zenquotes)
    for time in ["2026-03-29T00:10+01:00", "2026-03-29T23:59+02:00"] {
      fixture.clock.set(try #require(RecordedTime(time)))
      let again = try await fixture.library.quotes.fetch(from: service(server))
      #expect(again == found)
    }
    #expect(try fixture.library.quotes.ofDay(found.day) == found.quote)
    #expect(server.requests.count == 1)
    fixture.clock.set(now)
    // Also when it is no longer set, and by another process.
    try fixture.library.settings.set(.quotesSource, to: "bundled")
    let reader = try Library.open(
      at: fixture.library.path, for: .reading, clock: fixture.clock.wallClock)
    #expect(try await reader.quotes.fetch(from: service(server)) == found)
    #expect(server.requests.count == 1)
  }

  @Test func `the request carries nothing but what HTTP needs`() async throws {
    let server = try LoopbackServer(.http("200 OK", Self.answer))
    let fixture = try library()
    defer { withExtendedLifetime(fixture) {} }
    _ = try await fixture.library.quotes.fetch(from: service(server))
    let lines = try #require(server.requests.first).components(separatedBy: "\r\n")
    #expect(lines.first == "GET /api/today HTTP/1.1")
    let headers = lines.dropFirst().filter { !$0.isEmpty }.map { $0.lowercased() }
    let needed = [
      "host: 127.0.0.1:\(server.port)", "accept: application/json", "connection: close",
      "user-agent:", "accept-language:",
    ]
    for header in headers where !header.hasPrefix("accept-encoding: ") {
      #expect(needed.contains(header.trimmingCharacters(in: .whitespaces)), "\(header)")
    }
    #expect(!lines.joined().lowercased().contains("leaflog"), "\(lines)")
  }

  @Test func `the same quote on another day is the same quote`() async throws {
    let server = try LoopbackServer(.http("200 OK", Self.answer))
    let fixture = try library()
    let first = try await fixture.library.quotes.fetch(from: service(server))
    fixture.clock.set(try #require(RecordedTime("2026-03-30T09:00+02:00")))
    let second = try await fixture.library.quotes.fetch(from: service(server))
    #expect(server.requests.count == 2)
    #expect(first.quote == second.quote)
  }

  @Test(arguments: [
    ("500 Internal Server Error", Self.answer, "status 500"),
    ("429 Too Many Requests", Self.answer, "status 429"),
    ("204 No Content", "", "status 204"),
    ("200 OK", "<html>Sign in to the hotel's network</html>", "not a quote"),
    ("200 OK", "", "not a quote"),
    ("200 OK", "[]", "not a quote"),
    ("200 OK", #"{"q":"a","a":"b"}"#, "not a quote"),
    ("200 OK", #"[{"a":"b"}]"#, "not a quote"),
    ("200 OK", #"[{"q":"","a":"b"}]"#, "not a quote"),
    ("200 OK", #"[{"q":"  \n ","a":"b"}]"#, "not a quote"),
    ("200 OK", #"[{"q":"a\u001b[31mb","a":"b"}]"#, "not a quote"),
    ("200 OK", #"[{"q":"\#(String(repeating: "a", count: 501))","a":"b"}]"#, "not a quote"),
    ("200 OK", #"[{"q":"a","a":"\#(String(repeating: "b", count: 101))"}]"#, "not a quote"),
    ("200 OK", String(repeating: " ", count: 70_000) + Self.answer, "not a quote"),
    (
      "200 OK", #"[{"q":"Too many requests. Obtain an auth key.","a":"zenquotes.io"}]"#,
      "no more questions"
    ),
  ])
  func `an answer that is no quote is told, and the day keeps one of the library`(
    status: String, body: String, message: String
  ) async throws {
    let server = try LoopbackServer(.http(status, body))
    let fixture = try library()
    let expected = try fixture.library.quotes.ofDay(#require(LocalDay("2026-03-29")))
    let found = try await fixture.library.quotes.fetch(from: service(server))
    #expect(found.quote == expected)
    #expect(found.problem?.contains(message) == true, "\(found.problem ?? "nil")")
    // The same all day: not asked again, although it may be well by then.
    let well = try LoopbackServer(.http("200 OK", Self.answer))
    let later = try await fixture.library.quotes.fetch(from: service(well))
    #expect(later.quote == expected && later.problem == nil)
    #expect(well.requests.isEmpty)
  }

  @Test func `nobody is sent elsewhere`() async throws {
    let target = try LoopbackServer(.http("200 OK", Self.answer))
    let server = try LoopbackServer(
      .http("302 Found", "", headers: ["Location: http://127.0.0.1:\(target.port)/"]))
    let fixture = try library()
    defer { withExtendedLifetime(fixture) {} }
    let found = try await fixture.library.quotes.fetch(from: service(server))
    #expect(found.problem?.contains("status 302") == true, "\(found.problem ?? "nil")")
    #expect(target.requests.isEmpty)
  }

  @Test(arguments: [
    LoopbackServer.Answer.silence,
    .drip(Data("HTTP/1.1 ".utf8) + Data(repeating: 0x32, count: 10_000), every: .milliseconds(100)),
    .drip(
      Data("HTTP/1.1 200 OK\r\n\r\n".utf8) + Data(repeating: 0x20, count: 10_000),
      every: .milliseconds(100)),
  ])
  func `whoever does not answer in time is not waited for`(answer: LoopbackServer.Answer)
    async throws
  {
    let server = try LoopbackServer(answer)
    let fixture = try library()
    let found = try await fixture.library.quotes.fetch(
      from: service(server, timeout: .milliseconds(700)))
    #expect(
      found.problem?.contains("did not answer within 0.7 s") == true, "\(found.problem ?? "")")
    #expect(found.quote.origin == .bundled)
  }

  @Test(arguments: [
    "http://127.0.0.1:1/", "http://nonesuch.invalid/api/today", "nonesuch://a/", "no address",
  ])
  func `who cannot be reached is told`(address: String) async throws {
    let service = QuoteService(address: address, timeout: .seconds(5))
    let fixture = try library()
    defer { withExtendedLifetime(fixture) {} }
    let found = try await fixture.library.quotes.fetch(from: service)
    #expect(found.problem != nil)
    #expect(found.quote.origin == .bundled)
  }

  @Test func `a connection that breaks is told`() async throws {
    for bytes in ["", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[{", "garbage\r\n\r\n"] {
      let server = try LoopbackServer(.bytes(Data(bytes.utf8)))
      let fixture = try library()
      defer { withExtendedLifetime(fixture) {} }
      let found = try await fixture.library.quotes.fetch(from: service(server))
      #expect(found.problem != nil, "\(bytes)")
      #expect(found.quote.origin == .bundled)
    }
  }

  @Test func `nobody is asked unless it is set, for other days, or where nothing can be kept`()
    async throws
  {
    let server = try LoopbackServer(.http("200 OK", Self.answer))
    for source in [nil, "bundled"] {
      let fixture = try library(source)
      #expect(try await fixture.library.quotes.fetch(from: service(server)).problem == nil)
    }
    let fixture = try library()
    let yesterday = try await fixture.library.quotes.fetch(
      of: LocalDay("2026-03-28"), from: service(server))
    #expect(yesterday.quote.origin == .bundled)
    _ = try fixture.library.quotes.ofDay(#require(LocalDay("2026-03-29")))
    await #expect(throws: LeaflogError.self) {
      try await fixture.library.quotes.fetch(
        of: LocalDay("2026-03-30"), from: service(server))
    }
    let reader = try Library.open(
      at: fixture.library.path, for: .reading, clock: fixture.clock.wallClock)
    let read = try await reader.quotes.fetch(from: service(server))
    #expect(read.problem?.contains("can only be read") == true)
    #expect(server.requests.isEmpty)
  }

  @Test func `of two that ask at once the first counts`() async throws {
    let server = try LoopbackServer(.http("200 OK", Self.answer))
    let other = try LoopbackServer(.http("200 OK", #"[{"q":"Another.","a":"Somebody"}]"#))
    let fixture = try library()
    async let first = fixture.library.quotes.fetch(from: service(server))
    async let second = fixture.library.quotes.fetch(from: service(other))
    #expect(try await first.quote == second.quote)
  }
}
