import Foundation
import TestSupport
import Testing

/// `leaflog token`, and `leaflog serve` for others than this machine.
@Suite struct TokenCommandTests {
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--quiet").status == 0)
    return fixture
  }

  @Test func `a secret is printed once, by itself`() throws {
    let fixture = try fixture()
    let added = try fixture.leaflog("token", "add", "phone")
    let secret = try #require(added.output.split(separator: "\n").first)
    #expect(added.output == "\(secret)\n" && secret.hasPrefix("leaflog_"))
    #expect(added.error.contains("phone") && added.error.contains("Authorization: Bearer"))
    #expect(!added.error.contains(secret))
    let quiet = try fixture.leaflog("token", "add", "camera", "--quiet")
    #expect(quiet.error.isEmpty && quiet.output.hasPrefix("leaflog_"))
    let document = try fixture.json("token", "add", "tablet")
    #expect((document["secret"] as? String)?.hasPrefix("leaflog_") == true)
    let listing = try fixture.leaflog("token", "list", "--json")
    #expect(!listing.output.contains("leaflog_"))
    #expect(listing.json.first?.texts("name") == ["camera", "phone", "tablet"])
  }

  @Test func `a token is limited to what it may do, a plant and a day`() throws {
    let fixture = try fixture()
    _ = try fixture.leaflog("plant", "add", "Basil")
    let camera = try fixture.json(
      "token", "add", "camera", "--may", "send", "--plant", "basil", "--until", "2099-12-31")
    #expect(camera["may"] as? String == "send" && camera["until"] as? String == "2099-12-31")
    #expect(try fixture.leaflog("token").output.contains("send, only Basil, until 2099-12-31"))
    for (name, value) in [("--may", "nothing"), ("--plant", "Basil"), ("--calendar", "care")] {
      let answer = try fixture.leaflog("token", "add", "x", "--may", "diary", name, value)
      #expect(answer.status == 64, "\(name)")
    }
    let gone = try fixture.refusal(
      "token", "add", "x", "--may", "send", "--plant", "Tomato", status: 1)
    #expect(gone.code == "notFound")
  }

  @Test func `tokens are listed and revoked`() throws {
    let fixture = try fixture()
    let none = try fixture.leaflog("token")
    #expect(none.status == 0 && none.output.isEmpty && none.error.contains("token add NAME"))
    let id = try #require(try fixture.json("token", "add", "Küche")["id"] as? String)
    let lines = try fixture.leaflog("token").output
    #expect(lines.wholeMatch(of: /Küche  added \d{4}-\d\d-\d\d  never used  everything\n/) != nil)
    #expect(try fixture.refusal("token", "add", "KÜCHE", status: 1).code == "nameTaken")
    #expect(try fixture.refusal("token", "add", " ", status: 64).code == "invalidRequest")
    let unknown = try fixture.refusal("token", "revoke", "phone", status: 1)
    #expect(unknown.code == "notFound" && unknown.message.contains("`leaflog token list`"))
    #expect(try fixture.json("token", "revoke", "küche")["id"] as? String == id)
    #expect(try fixture.json("token").items.isEmpty)
    _ = try fixture.leaflog("token", "add", "phone")
    #expect(try fixture.leaflog("token", "revoke", "phone").output.hasPrefix("Revoked phone"))
  }

  @Test func `a token is revoked with the photos that it has sent`() throws {
    let fixture = try fixture()
    let secret = try fixture.leaflog("token", "add", "camera", "--may", "send", "--quiet").output
    let running = try fixture.leaflog.start(["serve", "--port", "0", "--json"])
    let line = try #require(running.output.next())
    let started = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    var camera = fixture.leaflog
    camera.environment["LEAFLOG_TOKEN"] = secret.trimmingCharacters(in: .newlines)
    let folder = Fixtures.path("Photos/basil")
    let sent = try camera.run([
      "import", folder, "--to", try #require(started["address"] as? String),
    ])
    #expect(sent.status == 0, "\(sent.error)")
    #expect(sent.error.contains("does not include the diary") && !sent.error.contains("is gone"))
    #expect(running.interrupt(with: SIGTERM))
    _ = running.wait()
    #expect(try fixture.leaflog("token", "revoke", "camera").status == 0)
    // It is not too late.
    let revoked = try fixture.leaflog("token", "revoke", "camera", "--undo")
    #expect(revoked.output.contains("Moved 4 photos to the trash. `leaflog undo` undoes it."))
    #expect(try fixture.entries().isEmpty)
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try fixture.entries().count == 4)
    // What comes from elsewhere, too, is no more what the token has sent.
    #expect(try fixture.leaflog("import", folder).output.contains("4 files are already"))
    let unknown = try fixture.refusal("token", "revoke", "camera", "--undo", status: 1)
    #expect(unknown.code == "notFound")
  }

  @Test func `a damaged file with tokens is damage`() throws {
    let fixture = try fixture()
    try fixture.folder.write(Data("{".utf8), to: "library/access.json")
    let refusal = try fixture.refusal("token", "list", status: 12)
    #expect(refusal.code == "damaged" && refusal.message.contains("access.json"))
  }

  @Test(arguments: [
    ["--listen", "0.0.0.0"], ["--host", "plants.example"], ["--require-token"], ["--listen", "::"],
  ])
  func `nobody else is served without a token`(arguments: [String]) throws {
    let fixture = try fixture()
    let result = try fixture.leaflog.run(["serve", "--port", "0"] + arguments)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.contains("`leaflog token add NAME`"))
  }

  @Test(arguments: [
    ["--listen", "plants.example"], ["--listen", ""], ["--host", "https://plants.example"],
    ["--host", "plants.example:80"], ["--host", ""], ["--host", "a/b"], ["--port", "65536"],
    ["--max-connections", "0"], ["--log-format", "xml"], ["--tls-certificate", "a.pem"],
    ["--tls-key", "a.pem"], ["--tls", "other"],
    ["--tls", "own", "--tls-certificate", "a.pem", "--tls-key", "b.pem"],
  ])
  func `a text that is no address or name is refused`(arguments: [String]) throws {
    let fixture = try fixture()
    #expect(try fixture.leaflog.run(["serve"] + arguments).status == 64)
  }

  @Test func `a port that is taken is told as that`() throws {
    let fixture = try fixture()
    let other = try LoopbackServer(.silence)
    let taken = try fixture.refusal("serve", "--port", "\(other.port)", status: 1)
    #expect(taken.code == "failed" && taken.message.contains("Port \(other.port)"))
    _ = try fixture.leaflog("token", "add", "phone")
    // An address of nobody (RFC 5737).
    let missing = try fixture.refusal("serve", "--port", "0", "--listen", "192.0.2.1", status: 1)
    #expect(missing.message == "This machine does not have the address 192.0.2.1.")
  }

  @Test func `a certificate that is not there is named`() throws {
    let fixture = try fixture()
    let refusal = try fixture.refusal(
      "serve", "--port", "0", "--tls-certificate", "a.pem", "--tls-key", "b.pem", status: 1)
    #expect(refusal.code == "failed" && refusal.message.contains("a.pem cannot be read"))
  }

  @Test func `a certificate of one's own is told by its authority's fingerprint`() throws {
    let fixture = try fixture()
    _ = try fixture.leaflog("token", "add", "phone")
    let running = try fixture.leaflog.start([
      "serve", "--port", "0", "--listen", "0.0.0.0", "--tls", "own", "--json",
    ])
    let line = try #require(running.output.next())
    #expect(running.interrupt(with: SIGTERM))
    #expect(!running.wait().error.contains("The connection is not encrypted"))
    let started = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect((started["address"] as? String)?.hasPrefix("https://0.0.0.0:") == true)
    let fingerprint = try #require(started["authorityFingerprint"] as? String)
    // The same authority the next time.
    let again = try fixture.leaflog.start(["serve", "--port", "0", "--tls", "own"])
    // In lines of eight pairs.
    #expect(again.output.skip(to: String(fingerprint.suffix(23))))
    #expect(again.interrupt(with: SIGTERM))
    #expect(again.wait().status == 0)
    // It stays until somebody says yes.
    let asked = try fixture.leaflog("serve", "renew-authority", "--json")
    #expect(asked.status == 13 && asked.output.contains("--yes"))
    for name in ["a b", "127.0.0.1", "plants.example:80"] {
      #expect(try fixture.leaflog("serve", "renew-authority", name).status == 64)
    }
    let renewed = try fixture.leaflog("serve", "renew-authority", "--yes", "--json")
    let told = try JSONSerialization.jsonObject(with: Data(renewed.output.utf8)) as? [String: Any]
    let other = try #require(told?["authorityFingerprint"] as? String)
    #expect(renewed.status == 0 && other.count == 95 && other != fingerprint)
    let last = try fixture.leaflog("serve", "renew-authority", "--yes")
    #expect(last.status == 0 && last.output.contains("Each device must trust the new authority"))
  }

  @Test func `serving others is said to be without TLS`() throws {
    let fixture = try fixture()
    _ = try fixture.leaflog("token", "add", "phone")
    let running = try fixture.leaflog.start([
      "serve", "--port", "0", "--listen", "0.0.0.0", "--json",
    ])
    let line = try #require(running.output.next())
    let started = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect((started["address"] as? String)?.hasPrefix("http://0.0.0.0:") == true)
    #expect(started["requiresToken"] as? Bool == true)
    #expect(running.interrupt(with: SIGTERM))
    let result = running.wait()
    #expect(result.status == 0 && result.error.contains("The connection is not encrypted"))
  }
}
