import Fields
import Testing

private struct Pot: Fielded, Equatable {
  var name = ""
  var litres: Double?
  var plants: [String] = []
  var isGlazed = false

  static let blank = Pot()

  static let fields = Fields<Pot>([
    Field("name", \.name, .line(10)),
    Field("litres", \.litres, .number(0.5...20, step: 0.5)).formerly("volume"),
    Field("plants", \.plants, .texts, standard: []),
    Field("isGlazed", \.isGlazed, .flag, standard: false),
  ])
}

@Suite struct PatchTests {
  private let pot = Pot(name: "big", litres: 5, plants: ["fern"], isGlazed: true)

  private func patch(_ json: String) throws -> Patch<Pot> {
    try Patch(JSONNode(parsing: Array(json.utf8)), named: "pot")
  }

  @Test func `a field is kept, set or cleared`() throws {
    #expect(try patch("{}").applied(to: pot) == pot)
    #expect(
      try patch(#"{"name": " small ", "litres": null}"#).applied(to: pot)
        == Pot(name: "small", litres: nil, plants: ["fern"], isGlazed: true))
    #expect(
      try patch(#"{"plants": null, "isGlazed": null}"#).applied(to: pot)
        == Pot(name: "big", litres: 5))
  }

  @Test(arguments: [
    (#"{"litres": 0.25}"#, "Litres must be 0.5 to 20 in steps of 0.5, not 0.25."),
    (#"{"litres": "5"}"#, "Litres must be 0.5 to 20 in steps of 0.5, not “5”."),
    (#"{"name": null}"#, "Name must not be empty."), (#"{"name": ""}"#, "Name must not be empty."),
    (#"{"name": "a\nb"}"#, "Name must be one line without control characters."),
    (#"{"name": "a very long name"}"#, "Name must have at most 10 characters, not 16."),
    (#"{"isGlazed": "yes"}"#, "Is glazed must be true or false, not “yes”."),
    (#"{"plants": ["fern", 3]}"#, "Plants must be a list of texts, not 3."),
    (#"{"plants": {}}"#, "Plants must be a list of texts, not an object."),
    (#"{"litre": 1}"#, "Unknown field “pot.litre”."), ("5", "Pot must be an object, not 5."),
  ])
  func `a value that a field does not take is refused`(json: String, message: String) {
    let error = #expect(throws: InvalidValue.self) { try patch(json) }
    #expect(error?.description == message)
  }

  @Test(
    arguments: [
      ("litres", "2,5", .number(2.5)), ("isGlazed", "YES", .flag(true)), ("litres", "", .null),
      ("plants", "fern; moss", .list([.text("fern"), .text("moss")])),
    ] as [(String, String, Scalar)])
  func `a typed text is read leniently`(name: String, text: String, value: Scalar) throws {
    var patch = Patch<Pot>()
    try patch.set(name, text: text)
    let field = try #require(Pot.fields[name])
    #expect(field.get(patch.applied(to: pot)) == value)
  }

  @Test func `a field is also read under its former name, and never written under it`() throws {
    #expect(try patch(#"{"volume": 2}"#).applied(to: pot).litres == 2)
    #expect(try patch(#"{"volume": null}"#).applied(to: pot).litres == nil)
    let read = try Pot.fields.read(JSONNode(parsing: Array(#"{"name": "big", "volume": 2}"#.utf8)))
    #expect(read.litres == 2)
    #expect(Pot.fields.formerNames == ["volume": "litres"])
    #expect(!String(decoding: Pot.fields.json(read), as: UTF8.self).contains("volume"))
    for both in [#"{"volume": null, "litres": 2}"#, #"{"litres": 2, "volume": 2}"#] {
      let error = #expect(throws: InvalidValue.self) { try patch(both) }
      #expect(error?.description.contains("former name") == true)
    }
  }

  @Test func `a new thing needs its required fields`() throws {
    let error = #expect(throws: InvalidValue.self) { try patch(#"{"litres": 5}"#).made() }
    #expect(error?.description == "“pot.name” is missing.")
    #expect(try patch(#"{"name": "new"}"#).made() == Pot(name: "new"))
    #expect(try patch(#"{"litres": 1}"#).made(from: pot, with: ["name"]).name == "big")
  }
}
