/// A tag that entries have.
public struct Tag: Sendable, Hashable {
  /// As it was written for the latest of its entries.
  public let name: String
  /// How many entries have it, those in the trash left out.
  public let count: Int
  /// The latest of their days.
  public let lastDay: LocalDay

  package init(name: String, count: Int, lastDay: LocalDay) {
    self.name = name
    self.count = count
    self.lastDay = lastDay
  }
}

extension [String] {
  /// As tags are kept: each on one line, trimmed and composed, without empty ones and repetitions.
  ///
  /// - Throws: `InvalidValue` for one that has several lines, or more than 100 characters.
  package func checkedTags() throws(InvalidValue) -> [String] {
    var checked: [String] = []
    for tag in tidied {
      let tag = try oneLine(tag, field: "tags", upTo: 100)
      checked.append(tag)
    }
    return checked
  }
}
