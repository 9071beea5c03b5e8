import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct SearchTests {
  /// Photos with these notes, of the plant before the colon.
  private func filled(_ notes: [(plant: String, notes: String?)]) throws -> CatalogFixture {
    let fixture = try CatalogFixture()
    for (number, item) in notes.enumerated() {
      let photo = madePhoto(1000 + number, plant: item.plant)
      try fixture.catalog.add([photo])
      guard let notes = item.notes else { continue }
      var edit = EntryEdit(EntryID(sourceDigest: photo.sourceDigest))
      edit.notes = notes
      _ = try fixture.catalog.apply([edit], as: .photoEdit, now: now)
    }
    return fixture
  }

  /// The notes found, oldest first.
  private func found(_ text: String, _ catalog: Catalog) throws -> [String] {
    try catalog.search(SearchText(text), at: .start, limit: 50).elements
      .map { $0.notes ?? $0.plant?.name ?? "" }.reversed()
  }

  @Test func `words are found by their start, without case and diacritics`() throws {
    let catalog = try filled([
      ("fern", "Erste Blüten"), ("fern", "no flower yet"), ("Rosé", "🌱 zwei Knospen"),
    ]).catalog
    #expect(try found("blut", catalog) == ["Erste Blüten"])
    #expect(try found("BLÜTE", catalog) == ["Erste Blüten"])
    #expect(try found("lüten", catalog) == [])
    #expect(try found("flow*", catalog) == ["no flower yet"])
    #expect(try found("yet flo", catalog) == ["no flower yet"])
    #expect(try found("🌱", catalog) == ["🌱 zwei Knospen"])
    #expect(try found("rose knosp", catalog) == ["🌱 zwei Knospen"])
  }

  @Test(arguments: [
    ("Fuß tut weh", ["Fuß", "FUß", "FUSS", "Fuss", "fuẞ", "\"fuss tut\""], ["fuse"]),
    ("今日は成語を学んだ", ["成語", "今日", "学", "\"成語を\"", "語を学"], ["語成", "明日"]),
    ("植物需要浇水", ["浇水", "植物", "需要浇"], ["水浇"]),
    (
      "Αθήνα, ο Οδυσσεύς", ["Αθήνα", "ΑΘΗΝΑ", "αθηνα", "ΟΔΥΣΣΕΎΣ", "οδυσσευσ", "οδυσσευς"], ["θηνα"]
    ),
    ("バスタオルを洗う", ["タオル", "ﾀｵﾙ", "\u{30D0}\u{30B9}", "\u{30CF}\u{3099}ス"], ["ハス"]),
    ("한국어 단어를 찾다", ["한국", "단어", "찾", "\u{1112}\u{1161}\u{11AB}국"], ["국어", "어를"]),
    ("ต้นไม้ในบ้าน", ["บ้าน", "ไม้"], ["บต"]),
    ("Düfte, İstanbul, ılık", ["dufte", "DÜFTE", "du\u{308}fte", "istanbul", "ilik"], ["üfte"]),
    ("ＡＢＣ ﬁnd it", ["abc", "find", "FIND"], ["bc"]),
    ("Ёлка и чай", ["ёлка", "ЁЛКА", "\u{435}\u{308}лка", "ЧАЙ"], ["лка"]),
    ("water💧💧now ❤️", ["💧", "now", "❤", "❤️"], ["🌱"]),
    ("Zuver\u{AD}lässig, हिन्दी में", ["zuverlässig", "हिन्दी", "हिन्"], ["lässig"]),
  ])
  func `case, marks and scripts are folded, and words without spaces are found within`(
    notes: String, finding: [String], missing: [String]
  ) throws {
    let catalog = try filled([("fern", notes), ("basil", "nothing of it")]).catalog
    for text in finding { #expect(try found(text, catalog) == [notes], "\(text)") }
    for text in missing { #expect(try found(text, catalog) == [], "\(text)") }
  }

  @Test func `names that differ in case only are the same name`() throws {
    for (one, other) in [
      ("Weiß", "WEISS"), ("Grün", "GRÜN"), ("Grün", "gru\u{308}n"), ("Αθήνα", "ΑΘΗΝΑ"),
      ("Οδυσσεύς", "ΟΔΥΣΣΕΥΣ"),
      ("ﬁg", "FIG"), ("Straße", "STRASSE"),
    ] { #expect(foldedName(one) == foldedName(other), "\(one)") }
    for (one, other) in [("Grün", "Grun"), ("か", "が"), ("ılık", "ilik"), ("й", "и"), ("é", "e")] {
      #expect(foldedName(one) != foldedName(other), "\(one)")
    }
    let catalog = try filled([("Weiß", nil)]).catalog
    #expect(try catalog.plant("WEISS").name == "Weiß")
  }

  @Test func `the words of any text are found, however it is damaged`() {
    for text in ["", "a", "\u{FFFD}", "\u{301}", "\u{200D}", "日本\u{301}語", "e\u{301}\u{302}"] {
      _ = SearchWords.all(in: text)
    }
    var words = SearchWords()
    let bytes: [UInt8] = [
      0x61, 0xFF, 0x62, 0xE4, 0xBB, 0x20, 0xC3, 0xF4, 0x90, 0x80, 0x80, 0x63, 0xED, 0xA0, 0x80,
    ]
    var found: [String] = []
    bytes.withUnsafeBufferPointer { text in
      words.forEach(in: text) { word, place in
        #expect(place.lowerBound < place.upperBound && place.upperBound <= text.count)
        found.append(String(decoding: word, as: UTF8.self))
        return true
      }
    }
    #expect(found == ["a", "b", "c"])
  }

  @Test func `quotes ask for the words as they stand`() throws {
    let catalog = try filled([("fern", "the first flower"), ("fern", "flower, the first")]).catalog
    #expect(try found("\"first flower\"", catalog) == ["the first flower"])
    #expect(try found("\"first flow\"", catalog) == [])
    #expect(try found("\"the first", catalog).count == 2)
    #expect(try found("flower \"the first\"", catalog).count == 2)
  }

  @Test func `a plant's words find its photos, and the plant`() throws {
    let catalog = try filled([("fern", "new frond"), ("basil", nil), ("basil", "cut")]).catalog
    _ = try catalog.editPlant(catalog.plant("basil").id, now: now) {
      ($0.scientificName, $0.location) = ("Ocimum basilicum", "kitchen sill")
    }
    #expect(try found("ocimum", catalog) == ["basil", "cut"])
    #expect(try found("kitchen cut", catalog) == ["cut"])
    #expect(try catalog.plants(matching: SearchText("sill kitch")).map(\.name) == ["basil"])
    #expect(try catalog.plants(matching: SearchText("cut")).isEmpty)
  }

  @Test(
    arguments: [
      "", " ", "\"", "\"\"", "*", "-", "NOT", "AND OR", "notes:x", "(", "a\"b", "^x", "x NEAR y",
      "'; DROP",
      "\u{0}", "x\u{0}y", "\u{301}",
    ]
  ) func `no text is an operator or an error`(text: String) throws {
    let catalog = try filled([("fern", "plain")]).catalog
    #expect(try found(text, catalog).isEmpty)
    #expect(try catalog.plants(matching: SearchText(text)).isEmpty)
  }

  @Test func `an entry that is edited, deleted and undone is found as it is now`() throws {
    let fixture = try filled([("fern", "before")])
    let catalog = fixture.catalog
    let id = EntryID(sourceDigest: madePhoto(1000).sourceDigest)
    func edit(_ change: (inout EntryEdit) -> Void, _ kind: ChangeKind) throws {
      var edit = EntryEdit(id)
      change(&edit)
      _ = try catalog.apply([edit], as: kind, now: now)
    }
    try edit({ $0.notes = "after" }, .photoEdit)
    #expect(try found("before", catalog).isEmpty)
    #expect(try found("after", catalog) == ["after"])
    _ = try catalog.undo(.photoEdit)
    #expect(try found("before", catalog) == ["before"])
    try edit({ $0.isDeleted = true }, .photoDelete)
    #expect(try found("before", catalog).isEmpty)
    _ = try catalog.undo(.photoDelete)
    try edit({ $0.notes = "" }, .photoEdit)
    #expect(try found("before", catalog).isEmpty)
    #expect(try found("fern", catalog) == ["fern"])
  }

  @Test func `pages meet everything once, there and back`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add((0..<500).map { madePhoto($0, at: $0 < 300 ? 1000 : nil) })
    let text = SearchText("monst")
    var position = TimelinePosition.start
    var ids: [EntryID] = []
    var last: Page<Entry>?
    while true {
      let page = try fixture.catalog.search(text, at: position, limit: 37)
      ids += page.elements.map(\.id)
      last = page
      guard let next = page.next else { break }
      position = .cursor(next)
    }
    #expect(ids.count == 500 && Set(ids).count == 500)
    var back: [EntryID] = []
    while let previous = last?.previous {
      let page = try fixture.catalog.search(text, at: .cursor(previous), limit: 37)
      back = page.elements.map(\.id) + back
      last = page
    }
    #expect(back == Array(ids.prefix(back.count)))
    #expect(back.count == 500 - 500 % 37)
  }

  /// More matches than are sorted: the timeline is walked, in which rows are in no order.
  @Test func `a word that most entries have is found in order of time`() throws {
    let fixture = try CatalogFixture()
    var random = SplitMix64(state: 7)
    let photos = (0..<20_500).map { number in
      madePhoto(
        number, at: Int64(random.next() % 1_000_000) * 1000,
        plant: number % 3 == 0 ? "fern" : "basil", notes: number % 50 == 0 ? "bud" : "leaf")
    }
    try fixture.catalog.add(photos)
    for (text, matches) in [
      ("leaf", { (entry: Entry) in entry.notes == "leaf" }),
      ("leaf fern", { $0.notes == "leaf" && $0.plant?.name == "fern" }),
      ("bud", { $0.notes == "bud" }),
    ] as [(String, (Entry) -> Bool)] {
      for order in [TimelineQuery.Order.newestFirst, .oldestFirst] {
        let query = TimelineQuery(order: order)
        let all = try fixture.catalog.page(query, at: .start, limit: 30_000).elements
        let expected = all.filter(matches)
        let first = try fixture.catalog.search(
          SearchText(text), query, at: .start, limit: 200)
        #expect(first.elements == Array(expected.prefix(200)))
        let second = try fixture.catalog.search(
          SearchText(text), query, at: .cursor(try #require(first.next)), limit: 100)
        #expect(second.elements == Array(expected.dropFirst(200).prefix(100)))
        let back = try fixture.catalog.search(
          SearchText(text), query, at: .cursor(try #require(second.previous)), limit: 50)
        #expect(back.elements == Array(expected.dropFirst(150).prefix(50)))
      }
    }
  }
}
