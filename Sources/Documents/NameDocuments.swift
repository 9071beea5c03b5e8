package import Leaflog

/// A tag in JSON.
package struct TagDocument: Encodable {
  let tag: String
  let count: Int
  let lastDay: String

  package init(_ tag: Tag) {
    self.tag = tag.name
    count = tag.count
    lastDay = tag.lastDay.description
  }
}

/// The name of a symptom in JSON.
package struct SymptomNameDocument: Encodable {
  let name: String
  let count: Int
  let lastDay: String

  package init(_ name: SymptomName) {
    self.name = name.name
    count = name.count
    lastDay = name.lastDay.description
  }
}
