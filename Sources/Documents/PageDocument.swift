package import Leaflog

/// A page of entries in JSON.
package struct PageDocument: Encodable {
  let page: Page<Entry>
  let key: ListKey

  /// - Parameter key: the name of the list: `entries` on the timeline, `items` elsewhere.
  package init(_ page: Page<Entry>, as key: ListKey) {
    (self.page, self.key) = (page, key)
  }

  /// The name of the list of entries.
  package enum ListKey: CodingKey { case entries, items }

  private enum Key: CodingKey { case next, previous }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.container(keyedBy: ListKey.self)
    try list.encode(page.elements, forKey: key)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(page.next?.description, forKey: .next)  // null at the end
    try object.encode(page.previous?.description, forKey: .previous)
  }
}
