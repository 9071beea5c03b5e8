import Foundation
import TestSupport
import Testing

@Suite struct SearchCommandTests {
  private let fixture: CommandFixture

  /// Notes on four photos, words about two plants.
  init() throws {
    fixture = try CommandFixture.imported(name: "search") { fixture in
      for (day, note) in [
        ("2025-05-10", "Sown: über Nacht gequollen 🌱"), ("2025-05-17", "first TRUE leaves"),
        ("2025-05-24", "true colours first shown"),
        ("2025-04-02", "naïve spider-mites, 12 of them"),
      ] {
        try fixture.json("photo", "edit", fixture.id(day), "--note", note)
      }
      try fixture.json("plant", "edit", "monstera", "--location", "Küche, am Südfenster")
      try fixture.json("plant", "edit", "basil", "--scientific-name", "Ocimum basilicum")
    }
  }

  private func search(_ words: String...) throws -> [String: Any] {
    let result = try fixture.leaflog.run(["search", "--json"] + words)
    #expect(result.status == 0, "\(words): \(result.error)")
    return try #require(result.json.first)
  }

  @Test(
    arguments: [
      ("first", ["2025-05-24", "2025-05-20", "2025-05-17"]), ("lea", ["2025-05-17"]),
      ("eaves", []), ("TRUE LEAVES", ["2025-05-17"]), ("shown tru", ["2025-05-24"]),
      ("\"first true\"", ["2025-05-17"]), ("\"true first\"", []), ("\"first tru\"", []),
      ("\"first true", ["2025-05-17"]), ("uber", ["2025-05-10"]), ("ÜBER nacht", ["2025-05-10"]),
      ("u\u{308}ber", ["2025-05-10"]), ("naive", ["2025-04-02"]), ("🌱", ["2025-05-10"]),
      ("🌵", []), ("12", ["2025-04-02"]), ("spider-mites", ["2025-04-02"]),
      ("mites", ["2025-04-02"]),
      ("leaves*", ["2025-05-17"]), ("basil first", ["2025-05-24", "2025-05-17"]),
      ("tomato first", ["2025-05-20"]), ("kuche naive", ["2025-04-02"]),
      ("ocimum \"true leaves\"", ["2025-05-17"]), ("monstera first", []), ("zzz", []),
    ])
  func `a search finds notes, together with the plant`(text: String, days: [String])
    throws
  {
    #expect(try search(text).texts("localDay") == days)
  }

  @Test func `words may be arguments of their own`() throws {
    #expect(try search("leaves", "basil").texts("localDay") == ["2025-05-17"])
  }

  @Test func `a plant is found by its words, and so are its photos`() throws {
    for text in ["südfenster", "SUDF", "Küche am", "monst"] {
      let result = try search(text)
      #expect(
        (result["plants"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["monstera"]
      )
      #expect(result.items.count == 5)
      #expect(result.items.allSatisfy { $0.plantName == "monstera" })
    }
    #expect((try search("first")["plants"] as? [Any])?.isEmpty == true)
    let lines = try fixture.leaflog("search", "südfenster").output.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("monstera  5 photos") == true)
    #expect(lines.dropFirst().first == "")
  }

  @Test func `a changed or deleted thing is no longer found, and undo finds it again`() throws {
    try fixture.json("photo", "edit", fixture.id("2025-05-17"), "--note", "later")
    #expect(try search("leaves").items.isEmpty)
    #expect(try search("later").items.count == 1)
    try fixture.json("undo")
    #expect(try search("leaves").items.count == 1)
    try fixture.json("photo", "delete", fixture.id("2025-05-17"), "--yes")
    #expect(try search("leaves").items.isEmpty)
    try fixture.json("plant", "delete", "monstera", "--yes")
    #expect((try search("monstera")["plants"] as? [Any])?.isEmpty == true)
    #expect(try search("monstera").items.isEmpty)
    try fixture.json("undo")
    #expect(try search("monstera").items.count == 5)
  }

  @Test func `nothing found is no error, and is said on standard error`() throws {
    let result = try fixture.leaflog("search", "zzz")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.error == "Nothing found.\n")
    #expect(try fixture.leaflog("search", "zzz", "--quiet").error.isEmpty)
    #expect(try fixture.leaflog("search").status == 64)
    #expect(try fixture.leaflog("search", "first", "--limit", "0").status == 64)
    #expect(try fixture.leaflog("search", "first", "--before", "nonsense").status == 64)
  }

  @Test(arguments: ["--before", "--after"])
  func `pages there and back meet everything once`(option: String) throws {
    // Equal times are the difficult ones.
    try fixture.json("photo", "redate", "--plant", "tomato", "--source", "mtime")
    let moved = try fixture.leaflog(
      "photo", "move", "--from-plant", "tomato", "--plant", "monstera")
    #expect(moved.status == 0)
    let all = try search("monstera").texts("id")
    #expect(all.count == 9 && Set(all).count == 9)
    var pages: [[String: Any]] = [try search("monstera", "--limit", "2")]
    while let next = pages.last?["next"] as? String {
      pages.append(try search("monstera", "--limit", "2", option, next))
    }
    #expect(pages.map { $0.items.count } == [2, 2, 2, 2, 1])
    #expect(pages.flatMap { $0.texts("id") } == all)
    #expect(pages[0]["previous"] is NSNull)
    #expect(pages[4]["next"] is NSNull)
    var back: [[String: Any]] = [pages[4]]
    while let previous = back.last?["previous"] as? String {
      back.append(try search("monstera", "--limit", "2", option, previous))
    }
    #expect(back.reversed().flatMap { $0.texts("id") } == all)
    let hint = try fixture.leaflog("search", "monstera", "--limit", "2").error
    #expect(hint == "For more, repeat with --before \(pages[0]["next"] as? String ?? "")\n")
  }

  @Test(
    arguments: [
      "\"", "\"\"", "\"\"\"", "*", "**", "NOT", "AND", "OR NOT", "(", ")", "NEAR(a b)",
      "notes:first",
      "{notes}:first", "^first", "first -leaves", "'; DROP TABLE entry; --", "%", "_", "\\",
      "first\u{1}",
      "\u{FFFD}", "a\"b", "--", ":", "+",
    ])
  func `strange text is harmless`(text: String) throws {
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog("search", "--json", "--", text)
    #expect(result.status == 0, "\(result.error)")
    let page = try #require(result.json.first)
    // A word that is no word is left out; nothing here is an operator.
    let counts = ["first\u{1}": 3, "^first": 3, "first -leaves": 1]
    #expect(page.items.count == counts[text] ?? 0, "\(page.texts("notes"))")
    #expect(try fixture.leaflog("search", "--", text).status == 0)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }
}
