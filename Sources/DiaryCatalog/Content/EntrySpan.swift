internal import DiaryModel
internal import GRDB

/// The entries of a kind in a span of days, as a condition on the entries `e` of a query: a range of the index by kind.
struct EntrySpan {
  let kind: EntryKind
  let days: ClosedRange<LocalDay>

  static let condition = """
    e.deletedAt IS NULL AND e.kind = ? AND e.localDay BETWEEN ? AND ?
    """

  var arguments: StatementArguments {
    [kind.rawValue, days.lowerBound.description, days.upperBound.description]
  }
}
