internal import DiaryModel
internal import GRDB

/// The entries of a kind in a span of days, as a condition on the entries `e` of a query. As on the
/// timeline, instants bound the range of the index by kind, and the local day decides.
struct EntrySpan {
  let kind: EntryKind
  let days: ClosedRange<LocalDay>

  static let condition = """
    e.deletedAt IS NULL AND e.kind = ? AND e.occurredAt >= ? AND e.occurredAt < ?
      AND +e.localDay BETWEEN ? AND ?
    """

  var arguments: StatementArguments {
    [
      kind.rawValue, days.lowerBound.earliestMilliseconds, days.upperBound.latestMilliseconds,
      days.lowerBound.description, days.upperBound.description,
    ]
  }
}

extension LocalDay {
  private static let millisecondsPerDay: Int64 = 86_400_000
  /// The largest UTC offset.
  private static let slack: Int64 = 18 * 3_600_000

  /// The earliest moment at which the day begins anywhere on Earth, in milliseconds since 1970.
  var earliestMilliseconds: Int64 { Int64(dayNumber) * Self.millisecondsPerDay - Self.slack }

  /// The latest moment at which the day ends anywhere on Earth, in milliseconds since 1970; exclusive.
  var latestMilliseconds: Int64 { Int64(dayNumber + 1) * Self.millisecondsPerDay + Self.slack }
}
