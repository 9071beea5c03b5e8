import Fields
import Testing

/// Schemas of rules and tables.
@Suite struct SchemaTests {
  private func text(_ schema: JSONSchema, isStrict: Bool = false) -> String {
    var schemas = SchemaWriter(isStrict: isStrict)
    return String(decoding: schemas.node(schema).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (Rule.flag, #"{"type":"boolean"}"#),
    (.whole(1...7), #"{"type":"integer","minimum":1,"maximum":7}"#),
    (.whole(.min ... .max), #"{"type":"integer","format":"int64"}"#),
    (
      .number(0...12, step: 0.25),
      #"{"type":"number","minimum":0,"maximum":12,"multipleOf":0.25}"#
    ), (.choice(["a", "b"]), #"{"type":"string","enum":["a","b"]}"#),
    (.list(.flag), #"{"type":"array","items":{"type":"boolean"}}"#),
    (.line(9), #"{"type":"string"}"#),
  ])
  func `a rule has the schema of its values`(rule: Rule, expected: String) {
    #expect(text(.rule(rule, .answer), isStrict: true) == expected)
  }

  @Test(arguments: [
    (Rule.whole(1...7), #"{"type":"integer","description":"1 to 7."}"#),
    (.whole(0 ... .max), #"{"type":"integer","format":"int64","minimum":0}"#),
    (.whole(1 ... .max), #"{"type":"integer","format":"int64","description":"1 or more."}"#),
    (
      .number(0...12, step: 0.25),
      #"{"type":"number","minimum":0,"description":"0 to 12 in steps of 0.25."}"#
    ), (.choice(["a", "b"]), #"{"type":"string","description":"Known values: a, b."}"#),
    (
      .list(.choice(["a"])),
      #"{"type":"array","items":{"type":"string","description":"Known values: a."}}"#
    ), (.object, #"{"type":"object","additionalProperties":true}"#),
  ])
  func `values of an answer may become more`(rule: Rule, expected: String) {
    #expect(text(.rule(rule, .answer)) == expected)
    for use in [JSONSchema.Use.new, .patch] {
      #expect(text(.rule(rule, use)) == text(.rule(rule, use), isStrict: true))
    }
  }

  @Test func `null is one of the values of a choice that may be cleared`() {
    #expect(
      text(.nullable(.rule(.choice(["a"]), .patch)))
        == #"{"type":["string","null"],"enum":["a",null]}"#)
    #expect(text(.nullable(.any)) == #"{"oneOf":[{},{"type":"null"}]}"#)
  }

  @Test(arguments: [JSONSchema.Use.new, .patch])
  func `a text that may be absent may be blank, and another may not`(use: JSONSchema.Use) {
    func schema(_ rule: Rule, _ presence: Presence) -> String {
      text(Shape("label", rule, presence).schema(use))
    }
    #expect(schema(.verbatim, .optional) == schema(.text, .optional))
    #expect(schema(.verbatim, .required) == schema(.text, .required))
    #expect(schema(.verbatim, .required) != schema(.verbatim, .optional))
  }

  @Test func `answers leave out what is absent, new things need what is required`() {
    let (answer, new, patch) = (
      text(.table(Jar.fields.shape, .answer)), text(.table(Jar.fields.shape, .new)),
      text(.table(Jar.fields.shape, .patch))
    )
    #expect(
      answer
        == #"{"type":"object","properties":{"width":{"type":"integer","format":"int64"},"#
        + #""height":{"type":"integer","format":"int64"},"#
        + #""isWide":{"type":"boolean"}},"additionalProperties":true,"required":["width","isWide"]}"#
    )
    #expect(
      text(.table(Jar.fields.shape, .answer), isStrict: true)
        == answer.replacing("true", with: "false"))
    #expect(
      new
        == #"{"type":"object","properties":{"width":{"type":"integer","format":"int64"},"#
        + #""height":{"type":["integer","null"],"format":"int64"}},"additionalProperties":false,"required":["width"]}"#
    )
    #expect(
      patch
        == #"{"type":"object","properties":{"width":{"type":"integer","format":"int64"},"#
        + #""height":{"type":["integer","null"],"format":"int64"}},"additionalProperties":false}"#)
  }

  @Test func `a table with a name stands apart`() {
    var schemas = SchemaWriter()
    let table = Jar.fields.named("Jar").shape
    for (use, name) in [(JSONSchema.Use.answer, "Jar"), (.new, "JarInput"), (.patch, "JarPatch")] {
      let node = schemas.node(.table(table, use))
      #expect(
        String(decoding: node.bytes, as: UTF8.self)
          == "{\"$ref\":\"#/components/schemas/\(name)\"}")
    }
    #expect(schemas.named.members.map(\.name) == ["Jar", "JarInput", "JarPatch"])
  }
}

/// A thing with a few fields.
private struct Jar: Fielded {
  var width = 0
  var height: Int?

  static let blank = Jar()
  static let fields = Fields<Jar>([
    Field("width", \.width, .whole(.min ... .max)),
    Field("height", \.height, .whole(.min ... .max)),
    Field(adding: "isWide", .flag) { $0.width > $0.height ?? 0 },
  ])
}
