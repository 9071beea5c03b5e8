package import Fields

/// A thing or a result as both interfaces show it in JSON, by its table of fields.
package protocol Shown: Encodable, Sendable {
  static var shown: Fields<Self> { get }
}

extension Shown {
  package func encode(to encoder: any Encoder) throws {
    try Encoded(self, Self.shown).encode(to: encoder)
  }
}
