import Foundation
import TestSupport
import Testing

/// A library on a disk that cannot be written, such as a snapshot.
@Suite(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
struct ReadOnlyDiskTests {
  private let disk: SmallDisk
  private let leaflog: Command

  init() throws {
    disk = try SmallDisk(size: "16m")
    leaflog = Command(library: disk.path + "/library")
    try #require(leaflog("init", "--quiet").status == 0)
    try #require(
      leaflog("import", Fixtures.path("Photos/basil"), "--policy", "exact", "--quiet").status == 0)
  }

  @Test(arguments: [[], ["--tls", "own"]])
  func `a library there is served for reading, to those who have a token already`(
    options: [String]
  ) async throws {
    let token = try leaflog("token", "add", "phone", "--quiet").output
      .trimmingCharacters(in: .newlines)
    if !options.isEmpty {
      let first = try leaflog.start(["serve", "--port", "0"] + options)
      _ = first.output.next()
      #expect(first.interrupt(with: SIGTERM))
      #expect(first.wait().status == 0)
    }
    try disk.coverReadOnly()
    let running = try leaflog.start(
      ["serve", "--require-token", "--port", "0"] + options)
    #expect(running.error.next()?.contains("read-only disk") == true)
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    if options.isEmpty {
      let exchange = HTTPExchange(port: try #require(Int(port)))
      let signedIn = ["Authorization: Bearer \(token)"]
      for path in ["/", "/timeline", "/me/store", "/api/v1/timeline", "/api/v1/jobs"] {
        let answer = try await exchange.answer("GET", path, signedIn)
        #expect(answer.status == 200, "\(path)")
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(path.hasPrefix("/api") || page.contains("on a read-only disk"), "\(path)")
      }
      #expect(try await exchange.answer("GET", "/api/v1/timeline", []).status == 401)
      for (path, headers) in [("/api/v1/plants", signedIn), ("/api/v1/jobs", signedIn)] {
        let answer = try await exchange.answer(
          "POST", path, headers + ["Content-Type: application/json"], body: Array("{}".utf8))
        #expect(answer.status == 503, "\(path)")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("\"readOnly\""))
      }
      let signIn = try await exchange.answer(
        "POST", "/sign-in",
        ["Accept: text/html", "Content-Type: application/x-www-form-urlencoded"],
        body: Array("token=\(token)".utf8))
      #expect(signIn.status == 503)
      #expect(String(decoding: signIn.body, as: UTF8.self).contains("nobody can sign in"))
    }
    #expect(running.interrupt(with: SIGTERM))
    let ended = running.wait()
    #expect(ended.status == 0 && !ended.error.contains("level=error"), "\(ended.error)")
  }

  @Test func `pages and answers say that a disk has become read-only while its library is served`()
    async throws
  {
    let running = try leaflog.start(["serve", "--port", "0"])
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    let exchange = HTTPExchange(port: try #require(Int(port)))
    try disk.coverReadOnly()
    let page = try await exchange.answer("GET", "/timeline", ["Accept: text/html"])
    #expect(page.status == 200)
    #expect(String(decoding: page.body, as: UTF8.self).contains("on a read-only disk"))
    let answer = try await exchange.answer(
      "POST", "/api/v1/plants", ["Content-Type: application/json"],
      body: Array(#"{"name":"Rose"}"#.utf8))
    #expect(answer.status == 503)
    #expect(running.interrupt(with: SIGTERM))
    _ = running.wait()
  }

  @Test func `a service on a mount for reading shows what is written through another mount`()
    async throws
  {
    let path = try disk.bindReadOnly()
    let reader = Command(library: path + "/library")
    let running = try reader.start(["serve", "--port", "0"])
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    let exchange = HTTPExchange(port: try #require(Int(port)))
    for name in ["Rose", "Lily"] {
      #expect(try leaflog("plant", "add", name).status == 0)
      let plants = try await exchange.answer("GET", "/api/v1/plants")
      #expect(plants.status == 200)
      #expect(String(decoding: plants.body, as: UTF8.self).contains(name))
    }
    #expect(running.interrupt(with: SIGTERM))
    _ = running.wait()
  }

  @Test func `commands read a library there, and say why they do not change it`() throws {
    try disk.coverReadOnly()
    let entries = try leaflog("timeline", "--json").json.first?["items"] as? [[String: Any]]
    #expect(entries?.count == 4)
    #expect(try leaflog("verify", "--full").status == 0)
    let refused = try leaflog("plant", "add", "Rose", "--json")
    #expect(refused.status == 1 && refused.error.contains("\"code\":\"readOnly\""))
  }
}

/// Tokens on a file system whose files are open to others, as they look there.
@Suite struct OpenTokensTests {
  @Test func `the command that adds a token and the service say that others can read them`() throws
  {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init", "--quiet").status == 0)
    #expect(try !fixture.leaflog("token", "add", "one").error.contains("Others"))
    let library = fixture.folder.file("library")
    chmod(library + "/access.json", 0o644)
    func started() throws -> String? {
      let running = try fixture.leaflog.start(["serve", "--port", "0"])
      _ = running.output.next()
      #expect(running.interrupt(with: SIGTERM))
      return running.wait().error
    }
    // The folder is for its owner alone.
    #expect(try started()?.contains("Others") == false)
    chmod(library, 0o755)
    #expect(try started()?.contains("Others on this machine can read") == true)
  }
}
