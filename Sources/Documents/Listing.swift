/// A listing in JSON.
package struct Listing<Item: Encodable>: Encodable {
  let items: [Item]
  let next: String?

  package init(items: [Item], next: String?) {
    (self.items, self.next) = (items, next)
  }

  private enum Key: CodingKey { case items, next }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(items, forKey: .items)
    try object.encode(next, forKey: .next)  // null at the end
  }
}
