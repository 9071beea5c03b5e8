import Fields
import Testing

private struct Leaf: Sendable {
  let name: String
  let lengths: [Int]?
}

private struct Stem: Sendable {
  let top: Leaf?
  let others: [Leaf]?
  let note: JSONNode?
}

/// Fields that views add, as they are written.
@Suite struct ShownFieldsTests {
  private let leaf = Fields<Leaf>([
    Field(adding: "name", .text) { $0.name },
    Field(adding: "lengths", Kind(.list(.whole(0...9)))) { $0.lengths }.orNull(),
  ])

  private var stem: Fields<Stem> {
    Fields([
      Field(adding: "top", leaf) { $0.top }.orNull(),
      Field(adding: "others", each: leaf) { $0.others },
      Field(adding: "note", json: { $0.note }),
    ])
  }

  private func json<Thing>(_ thing: Thing, _ fields: Fields<Thing>) -> String {
    String(decoding: fields.json(thing), as: UTF8.self)
  }

  @Test func `a value that there is none of is left out, or null`() {
    #expect(json(Leaf(name: "a", lengths: nil), leaf) == #"{"lengths":null,"name":"a"}"#)
    #expect(json(Stem(top: nil, others: nil, note: nil), stem) == #"{"top":null}"#)
    #expect(json(Stem(top: nil, others: [], note: nil), stem) == #"{"others":[],"top":null}"#)
  }

  @Test func `any JSON is written as it was read`() throws {
    let text = #"{"a":[1,2.5,null,{}],"\"b\"":{"c":true},"d":"é/\n"}"#
    let stem = Stem(top: nil, others: nil, note: try JSONNode(parsing: Array(text.utf8)))
    #expect(json(stem, self.stem) == #"{"note":\#(text),"top":null}"#)
  }

  @Test func `a view has the fields of what it contains beside its own`() {
    struct Pot: Sendable { let stem: Stem }
    let pot = Fields<Pot>(
      stem.all.map { $0.shown { $0.stem } } + [Field(adding: "size", .whole(1...9)) { _ in 3 }])
    let leaf = Leaf(name: "a", lengths: [2])
    #expect(
      json(Pot(stem: Stem(top: leaf, others: nil, note: nil)), pot)
        == #"{"size":3,"top":{"lengths":[2],"name":"a"}}"#)
    #expect(
      json(Pot(stem: Stem(top: nil, others: [leaf], note: nil)), pot)
        == #"{"others":[{"lengths":[2],"name":"a"}],"size":3,"top":null}"#)
  }
}
