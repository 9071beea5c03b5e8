/// A tag and its use among the entries.
public struct Tag: Sendable, Hashable {
  /// The spelling used by the latest of its entries.
  public let name: String
  /// How many entries have it, not counting those in the trash.
  public let count: Int
  /// The latest day of these entries.
  public let lastDay: LocalDay

  package init(name: String, count: Int, lastDay: LocalDay) {
    self.name = name
    self.count = count
    self.lastDay = lastDay
  }
}

extension [String] {
  /// The tags as they are stored: each a single trimmed line, without empty ones and duplicates.
  ///
  /// - Throws: `InvalidValue` for a tag with several lines or more than 100 characters.
  package func checkedTags() throws(InvalidValue) -> [String] {
    var checked: [String] = []
    for tag in tidied {
      let tag = try oneLine(tag, field: "tags", upTo: 100)
      checked.append(tag)
    }
    return checked
  }

  /// The tags that stand for keywords of other programs, which may be longer or in several lines.
  package var storableTags: [String] {
    let lines = map { keyword in
      let scalars = keyword.unicodeScalars.map {
        $0.properties.generalCategory == .control ? " " : $0
      }
      return String(
        String(String.UnicodeScalarView(scalars)).trimmingPrefix { $0 == " " }.prefix(100))
    }
    return (try? lines.checkedTags()) ?? []
  }
}
