import Foundation
import TestSupport
import Testing

@Suite struct QuoteCommandTests {
  @Test func `the day has one quote, whatever happens on it`() throws {
    let fixture = try CommandFixture.imported()
    let quote = try fixture.json("quote")
    #expect(
      Set(quote.keys) == ["author", "day", "favourite", "id", "origin", "source", "text"])
    #expect(quote["favourite"] as? Bool == false)
    #expect(quote["origin"] as? String == "bundled")
    let id = try #require(quote["id"] as? String)
    #expect(try fixture.leaflog("quote", "add", "Mine.").status == 0)
    #expect(try fixture.json("quote", "today", "--on", "today")["id"] as? String == id)
    let text = try fixture.leaflog("quote", "today").output
    #expect(text.hasPrefix("“") && text.contains("\n  — ") && text.hasSuffix("\n  \(id)\n"))
    let yesterday = try fixture.json("quote", "--on", "yesterday")
    #expect(yesterday["id"] as? String != id)
    #expect(try fixture.json("quote", "--on", "2024-02-29")["day"] as? String == "2024-02-29")
    let refused = try fixture.refusal("quote", "--on", "2999-01-01", status: 64)
    #expect(refused.code == "invalidRequest" && refused.message.contains("future"))
    #expect(try fixture.leaflog("quote", "--on", "2025-02-29").status == 64)
    #expect(try CommandFixture().leaflog("quote").status == 10)
  }

  @Test func `showing a quote changes nothing`() throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    for arguments in [["today"], ["list"], ["list", "--all"], ["share"], ["--on", "yesterday"]] {
      #expect(try fixture.leaflog.run(["quote"] + arguments).status == 0)
    }
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `a quote of one's own is deleted, and undone`() throws {
    let fixture = try CommandFixture.imported()
    let id = try #require(
      try fixture.leaflog("quote", "add", "--json", "Mine.").json.first?["id"] as? String)
    let text = try fixture.leaflog("quote", "delete", id).output
    #expect(text == "“Mine.”\n  \(id.prefix(8))\nDeleted the quote. `leaflog undo` undoes it.\n")
    #expect(try !fixture.leaflog("quote", "list", "--all").output.contains("Mine."))
    #expect(try fixture.leaflog("history").output.contains("1 quote deleted"))
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try fixture.leaflog("quote", "list", "--all").output.contains("Mine."))
    #expect(
      try fixture.leaflog("quote", "delete", "--json", id).json.first?["changed"] as? Bool == true)
    #expect(try fixture.refusal("quote", "delete", "b1", status: 64).code == "invalidRequest")
  }

  @Test func `quotes of one's own are added once, and found`() throws {
    let fixture = try CommandFixture.imported()
    let add = ["Il faut cultiver notre jardin.", "--author", "Voltaire", "--source", "Candide"]
    func added() throws -> [String: Any] {
      try #require(
        fixture.leaflog.run(["quote", "add", "--json"] + add).json.first)
    }
    let (first, again) = (try added(), try added())
    #expect(first["changed"] as? Bool == true && again["changed"] as? Bool == false)
    #expect(first["id"] as? String == again["id"] as? String)
    #expect(first["author"] as? String == "Voltaire" && first["source"] as? String == "Candide")
    let all = try fixture.json("quote", "list", "--all", "--limit", "3")
    #expect(all.texts("id") == [try #require(first["id"] as? String), "b1", "b2"])
    let next = try fixture.json(
      "quote", "list", "--all", "--limit", "2", "--before", #require(all["next"] as? String))
    #expect(next.texts("id") == ["b3", "b4"])
    #expect(try fixture.json("quote", "list", "--search", "cultiver JARDIN").items.count == 1)
    #expect(try fixture.json("quote", "list", "--all", "--search", "xyzzy").items.isEmpty)
    let nothing = try fixture.leaflog("quote", "list", "--search", "xyzzy")
    #expect(nothing.output.isEmpty && nothing.error.contains("No quote"))
    for arguments in [
      [], [""], [" "], [String(repeating: "a", count: 1001)], ["a", "--author", "b\nc"],
    ] {
      let result = try fixture.leaflog.run(["quote", "add"] + arguments)
      #expect(result.status == 64, "\(arguments) \(result.error)")
    }
    #expect(try fixture.leaflog("quote", "list", "--all", "--from", "today").status == 64)
  }

  @Test func `favourites come, go and come back, and each step can be taken back`() throws {
    let fixture = try CommandFixture.imported()
    let untouched = try CatalogDump(of: fixture)
    let today = try fixture.json("quote")
    let made = try fixture.json("quote", "favourite")
    #expect(made["id"] as? String == today["id"] as? String)
    #expect(made["favourite"] as? Bool == true && made["changed"] as? Bool == true)
    let entry = try #require(made["entry"] as? String)
    #expect(try fixture.json("quote", "favourite")["changed"] as? Bool == false)
    let again = try fixture.leaflog("quote", "favourite")
    #expect(again.status == 0 && again.output.contains("already"))
    #expect(try fixture.json("quote")["favourite"] as? Bool == true)
    #expect(try fixture.leaflog("quote").output.contains("a favourite"))
    let listed = try #require(try fixture.entries("--kind", "quote").first)
    #expect(listed["id"] as? String == entry)
    #expect((listed["quote"] as? [String: Any])?["text"] as? String == made["text"] as? String)

    #expect(try fixture.json("quote", "favourite", "b1")["id"] as? String == "b1")
    #expect(try fixture.json("quote", "list").texts("id") == ["b1", made["id"] as? String])
    let page = try fixture.json("quote", "list", "--limit", "1")
    #expect(page.texts("id") == ["b1"])
    #expect(
      try fixture.json("quote", "list", "--before", #require(page["next"] as? String))
        .texts("entry") == [entry])
    #expect(
      try fixture.json("quote", "list", "--search", "performed perseverance").items.first?[
        "favourite"]
        as? Bool == true)

    let gone = try fixture.json("quote", "unfavourite", String(entry.prefix(8)))
    #expect(gone["favourite"] as? Bool == false && gone["changed"] as? Bool == true)
    #expect(try fixture.json("quote", "unfavourite", entry)["changed"] as? Bool == false)
    #expect(try fixture.entries("--deleted").map { $0["id"] as? String } == [entry])
    #expect(try fixture.json("quote", "favourite")["entry"] as? String == entry)
    #expect(try fixture.leaflog("undo").output.contains("`quote favourite`: 1 quote added."))
    #expect(try fixture.json("quote", "list").texts("id") == ["b1"])
    #expect(try fixture.json("undo").counts == ["quote": [0, 0, 1]])
    #expect(try fixture.json("quote", "list").items.count == 2)
    for _ in 0..<2 { #expect(try fixture.leaflog("undo").status == 0) }
    #expect(
      try CatalogDump(of: fixture).changes(since: untouched).filter { !$0.contains("quote") }
        .isEmpty)
    #expect(try fixture.entries("--kind", "quote").isEmpty)

    #expect(try fixture.refusal("quote", "unfavourite", "b1", status: 1).code == "notFound")
    #expect(try fixture.refusal("quote", "favourite", "nonesuch", status: 1).code == "notFound")
    #expect(try fixture.leaflog("quote", "unfavourite").status == 64)
  }

  @Test func `the network is used when it is set, once a day, and for nothing else`() throws {
    // libcurl takes its proxies from the process, so what could ask is launched.
    let proxy = try LoopbackServer(.http("503 Service Unavailable", ""))
    var fixture = try CommandFixture.imported()
    for name in ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy"] {
      fixture.leaflog.environment[name] = "http://127.0.0.1:\(proxy.port)"
    }
    fixture.leaflog.environment["no_proxy"] = ""
    let bundled = try fixture.json("quote")
    #expect(try fixture.leaflog("settings", "set", "quotes.source", "zenquotes").status == 0)
    // Another one before that which the service is going to give would be the day's second.
    let unknown = try fixture.refusal("quote", "share", status: 1)
    #expect(unknown.code == "notFound" && unknown.message.contains("not known yet"))
    for arguments in [
      ["quote", "list"], ["quote", "--on", "yesterday"],
      ["quote", "favourite", "b1"], ["today"],
    ] {
      let result = try fixture.leaflog.start(arguments).wait()
      #expect(result.status == 0, "\(arguments): \(result.error)")
    }
    #expect(proxy.requests.isEmpty)
    let asked = try fixture.leaflog.launch("quote", "--json")
    #expect(asked.status == 0)
    #expect(asked.json.first?["id"] as? String == bundled["id"] as? String)
    #expect(asked.error.contains("the proxy answered with status 503"))
    #expect(proxy.requests.count == 1)
    #expect(proxy.requests.first?.hasPrefix("CONNECT zenquotes.io:443 HTTP/1.1\r\n") == true)
    let again = try fixture.leaflog.launch("quote", "--json")
    #expect(again.output == asked.output && again.error.isEmpty)
    #expect(proxy.requests.count == 1)
  }

  @Test func `a library that can only be read has a quote all the same`() throws {
    let fixture = try CommandFixture.imported()
    #expect(try fixture.leaflog("settings", "set", "quotes.source", "zenquotes").status == 0)
    let library = fixture.folder.file("library")
    for name in [""] + fixture.folder.files(below: "library").filter({ !$0.contains("/") }) {
      chmod(library + "/" + name, name.isEmpty ? 0o555 : 0o444)
    }
    chmod(fixture.folder.path, 0o755)
    let result = try Unprivileged(fixture.leaflog)("quote", "--json")
    chmod(library, 0o755)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.json.first?["origin"] as? String == "bundled")
    #expect(result.error.contains("can only be read"))
  }
}
