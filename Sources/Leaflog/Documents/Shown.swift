package import Fields

/// A thing or a result as both interfaces show it in JSON, by its table of fields.
package protocol Shown: Sendable {
  static var shown: Fields<Self> { get }
}

/// Writes JSON on one line, with sorted names and unescaped slashes.
package enum JSON {
  package static func line<Value: Shown>(_ value: Value) -> String {
    String(decoding: Value.shown.json(value), as: UTF8.self)
  }

  package static func line(_ value: Scalar) -> String { line(JSONNode(of: value)) }

  package static func line(_ value: JSONNode) -> String {
    var json = JSONWriter()
    json.write(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// A listing.
package struct Listing<Item: Shown>: Shown {
  let items: [Item]
  let next: String?

  package init(items: [Item], next: String? = nil) { (self.items, self.next) = (items, next) }

  package static var shown: Fields<Listing> {
    Fields([
      Field(adding: "items", each: Item.shown) { $0.items },
      Field(adding: "next", .cursor) { $0.next }.orNull(),
    ])
  }
}

/// The number of entries in a span of days.
extension Bucket: Shown {
  package static let shown = Fields<Bucket>([
    Field(adding: "bucket", .bucket) { $0.name }, Field(adding: "count", .count) { $0.count },
  ]).named("Bucket")
}

extension Kind<Int> {
  /// How many there are.
  package static let count = Kind.whole(0 ... .max)
  package static let byteCount = Kind.whole(0 ... .max)
  /// The width or the height of a picture.
  package static let pixels = Kind.whole(1 ... .max)
  /// The number of a commit or a change.
  package static let number = Kind.whole(0 ... .max)
}

extension Kind<Double> {
  package static let mean = Kind.number(0 ... .greatestFiniteMagnitude)
  /// A length of time in seconds.
  package static let seconds = Kind.number(0 ... .greatestFiniteMagnitude)
}

extension Kind<String> {
  /// The place in a listing at which another page begins.
  package static let cursor = Kind(
    .written(
      TextForm(
        takes: "a cursor of another page",
        about:
          "Where another page begins; null where there is none. A list that comes whole today may have further pages one day."
      )))

  package static let bucket = Kind(
    .written(
      TextForm(
        takes: "a day, a week, a month or a year",
        pattern: "^[0-9]{4}(-W[0-9]{2}|-[0-9]{2}(-[0-9]{2})?)?$")))

  package static let month = Kind(
    .written(TextForm(takes: "a month such as 2026-03", pattern: "^[0-9]{4}-[0-9]{2}$")))

  package static let mediaType = Kind(
    .written(TextForm(takes: "a media type such as image/jpeg", pattern: "^[a-z]+/.+$")))

  /// One of some names that have no type of their own.
  package static func oneOf(_ names: String...) -> Kind { Kind(.choice(names)) }
}

extension Kind<[EntryID]> {
  package static let ids = Kind(.list(Kind<EntryID>.id.rule))
}

extension Fields {
  /// A number for each of some names; those without one are left out.
  package static func counts<Name: RawRepresentable<String> & CaseIterable & Hashable & Sendable>()
    -> Fields where Thing == [Name: Int]
  {
    Fields(Name.allCases.map { name in Field(adding: name.rawValue, .count) { $0[name] } })
  }
}

extension Duration {
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// In seconds, to the millisecond.
  package var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
