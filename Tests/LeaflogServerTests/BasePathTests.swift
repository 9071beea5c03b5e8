import Foundation
import Leaflog
import LeaflogServer
import Pages
import TestSupport
import Testing

/// The service below a path, `--base`, whether a proxy keeps that path or cuts it off.
@Suite struct BasePathTests {
  private static let base = BasePath("/garden/leaflog")

  private func run(_ body: (AccessFixture) async throws -> Void) async throws {
    var options = ServerOptions()
    options.alwaysRequiresToken = true
    options.base = try #require(Self.base)
    try await AccessFixture.run(options) { fixture in
      try fixture.server.library.settings.set(.disclaimer, to: "acknowledged")
      try await body(fixture)
    }
  }

  @Test(arguments: [
    ("/leaflog", "/leaflog"), ("/leaflog/", "/leaflog"), ("/a/b-c_d.e~f", "/a/b-c_d.e~f"),
  ])
  func `a base is a path`(text: String, base: String) throws {
    #expect(BasePath(text)?.text == base)
  }

  @Test(arguments: [
    "", "/", "//", "leaflog", "/a//b", "/a/../b", "/.", "/ä", "/a b", "/a%20b", "/a?b", "/a;b",
    "http://a/b", "/a//",
  ])
  func `anything else is none`(text: String) { #expect(BasePath(text) == nil) }

  @Test func `the address of a page is no base`() async throws {
    for text in ["/plants", "/api/leaflog", "/assets"] {
      var options = ServerOptions()
      options.base = try #require(BasePath(text))
      let error = await #expect(throws: LeaflogError.self) {
        _ = try await RunningServer(importing: [], options)
      }
      #expect(error?.code == .invalidRequest, "\(text)")
    }
  }

  @Test func `requests may have it or not, and answers have it`() async throws {
    try await run { fixture in
      let server = fixture.server
      for start in ["", "/garden/leaflog", "http://localhost/garden/leaflog"] {
        let page = try await server.answer("GET", "\(start)/timeline?by=week", [fixture.bearer])
        #expect(page.status == 200, "\(start)")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains(#"<body data-root="/garden/leaflog/""#))
        #expect(text.contains(#"href="/garden/leaflog/plants""#))
        #expect(page.headers["content-length"] == "\(page.body.count)")
        let sent = try await server.answer("\(start)/timeline", ["Accept: text/html"])
        #expect(
          sent.headers["refresh"] == "0; url=/garden/leaflog/sign-in?back=%2Ftimeline", "\(start)")
        let name = UUID().uuidString
        let made = try await server.answer(
          "POST", "\(start)/api/v1/plants", [fixture.bearer], text: #"{"name":"\#(name)"}"#)
        let address = try #require(made.headers["location"])
        #expect(address.hasPrefix("/garden/leaflog/api/v1/plants/"))
        #expect(try await server.answer("GET", address, [fixture.bearer]).status == 200)
      }
      for other in ["/garden/leaflogs/timeline", "/garden/timeline", "/leaflog/timeline"] {
        #expect(try await server.answer("GET", other, [fixture.bearer]).status == 404, "\(other)")
      }
      #expect(try await server.answer("GET", "/garden/leaflog", [fixture.bearer]).status == 200)
    }
  }

  @Test func `documents name their addresses with it`() async throws {
    try await run { fixture in
      let server = fixture.server
      let description = try await server.answer("GET", "/api/v1/openapi.json", [fixture.bearer])
      let servers = try #require(try description.json["servers"] as? [[String: String]])
      #expect(servers == [["url": "/garden/leaflog/api/v1"]])
      let problem = try await server.answer("GET", "/api/v1/plants/none", [fixture.bearer])
      let remedy = try #require(try problem.json["remedy"] as? String)
      #expect(remedy.contains("GET /garden/leaflog/api/v1/plants "))
      let manifest = try await server.answer("/manifest.webmanifest").json
      for name in ["id", "start_url", "scope"] {
        #expect(manifest[name] as? String == "/garden/leaflog/")
      }
      for (list, name) in [("icons", "src"), ("shortcuts", "url")] {
        for item in try #require(manifest[list] as? [[String: Any]]) {
          #expect((item[name] as? String)?.hasPrefix("/garden/leaflog/") == true)
        }
      }
      let target = try #require(manifest["share_target"] as? [String: Any])
      #expect(target["action"] as? String == "/garden/leaflog/add/shared")
    }
  }

  @Test func `a cookie is for the base alone, and others' are not read`() async throws {
    var options = ServerOptions()
    (options.proxies, options.base) = (AddressRange.loopback, try #require(Self.base))
    try await AccessFixture.run(options) { fixture in
      let server = fixture.server
      for (scheme, name) in [
        ("https", "__Secure-leaflog-at-garden-leaflog"), ("http", "leaflog-at-garden-leaflog"),
      ] {
        let answer = try await fixture.signIn(nil, ["X-Forwarded-Proto: \(scheme)"])
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.hasPrefix(name + "="))
        #expect("\(cookie);".contains("; Path=/garden/leaflog;") && cookie.contains("; HttpOnly"))
        #expect(cookie.contains("; Secure") == (scheme == "https"))
        let pair = cookie.prefix { $0 != ";" }
        let secret = pair.drop { $0 != "=" }
        for (lines, status) in [
          ("\(pair)", 200), ("a=b; \(pair); c=d", 200), ("__Host-leaflog=x; \(pair)", 200),
          ("leaflog\(secret)", 401), ("__Host-leaflog\(secret)", 401),
        ] {
          let read = try await server.answer("/api/v1/timeline", ["Cookie: \(lines)"])
          #expect(read.status == status, "\(lines)")
        }
        let left = try await server.answer("POST", "/sign-out", ["Cookie: \(pair)"])
        #expect(left.headers["location"] == "/garden/leaflog/sign-in")
        #expect(left.headers["set-cookie"]?.hasPrefix("\(name)=; ") == true)
      }
      let look = try await server.answer(
        "POST", "/me/appearance",
        [fixture.bearer, "Content-Type: application/x-www-form-urlencoded"],
        body: Array("theme=dark&accent=blue".utf8))
      #expect(
        look.headers["set-cookie"]?.hasPrefix("leaflog-look-at-garden-leaflog=dark.blue; ") == true)
    }
  }

  // MARK: Every page

  /// The values of attributes that begin with a slash, by attribute.
  private static func paths(in html: String) -> [(name: String, value: String)] {
    html.matches(of: /[ \n]([a-z-]+)="(\/[^"]*)"/).map { (String($0.1), String($0.2)) }
  }

  /// Paths that go back to the service in forms, which takes them as they are.
  private static let inner: Set = ["value"]

  @Test func `every page that a link leads to has it in all of its addresses`() async throws {
    var options = ServerOptions()
    options.base = try #require(Self.base)
    let clock = TestClock(at: .noonInJune)
    try await RunningServer.run(
      options, clock: clock.wallClock,
      prepare: { library in
        try library.settings.set(.disclaimer, to: "acknowledged")
        _ = try FormTests.fill(library, on: "\(library.today)")
      }
    ) { server in
      let own = "/garden/leaflog/"
      var waiting = [own, own + "sign-in", own + "pair", own + "offline", own + "add/what"]
      var seen = Set(waiting)
      var pages: Set<String> = []
      while let address = waiting.popLast() {
        let answer = try await server.answer("GET", address, ["Accept: text/html"])
        if let location = answer.headers["location"] { #expect(location.hasPrefix(own)) }
        #expect(answer.status < 400, "\(address)")
        guard answer.headers["content-type"]?.hasPrefix("text/html") == true else { continue }
        pages.insert(String(address.prefix { $0 != "?" }))
        for (name, value) in Self.paths(in: String(decoding: answer.body, as: UTF8.self)) {
          #expect(
            value.hasPrefix(own) != Self.inner.contains(name), "\(name)=\(value) at \(address)")
          let target = String(value.prefix { $0 != "#" }).replacing("&amp;", with: "&")
          // One of those that differ in the values of parameters alone, which go on and on.
          let key = target.replacing(/=[^&]*/, with: "")
          if name == "href", seen.insert(key).inserted { waiting.append(target) }
        }
      }
      #expect(pages.count > 40, "\(pages.sorted())")
    }
  }

  /// The places in scripts where paths are written without it.
  private static let known = [
    "at(", "ask(", "path(url) === ", "path(url).startsWith(", "path(from).startsWith(",
    "saved.place.startsWith(",
    "form[action$=", "assets + ", "location.pathname + ",
  ]

  @Test func `every script names addresses by a function that knows it`() throws {
    for name in Asset.names where name.hasSuffix(".js") {
      let text = String(decoding: try #require(Asset.named(name)).bytes, as: UTF8.self)
      for line in text.split(separator: "\n") where !line.hasPrefix("//") {
        for found in line.matches(of: /["'`]\/[a-z]/) {
          let before = line[..<found.range.lowerBound]
          let isKnown = Self.known.contains(where: before.hasSuffix)
          #expect(isKnown || line.contains("const page = {"), "\(name): \(line)")
        }
      }
    }
  }
}
