package import Leaflog

/// The results of a search in JSON.
package struct SearchDocument: Encodable {
  let plants: [PlantDocument]
  let items: [Entry]
  let next: String?
  let previous: String?

  package init(_ result: SearchResult, today: LocalDay) {
    plants = result.plants.map { PlantDocument($0, today: today) }
    items = result.page.elements
    next = result.page.next?.description
    previous = result.page.previous?.description
  }

  private enum Key: CodingKey { case plants, items, next, previous }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(plants, forKey: .plants)
    try object.encode(items, forKey: .items)
    try object.encode(next, forKey: .next)  // null at the end
    try object.encode(previous, forKey: .previous)
  }
}
