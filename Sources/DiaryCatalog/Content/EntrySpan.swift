internal import DiaryModel
internal import GRDB

/// The entries of a kind in a span of days, as a condition of a query of the entries `e`. As on the
/// timeline, the instants bound the index by kind, and the day decides.
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
  /// The largest offset there is.
  private static let slack: Int64 = 18 * 3_600_000

  /// Where on Earth the day begins first, in milliseconds since 1970.
  var earliestMilliseconds: Int64 { Int64(dayNumber) * Self.millisecondsPerDay - Self.slack }

  /// Where on Earth the day ends last, in milliseconds since 1970; excluded.
  var latestMilliseconds: Int64 { Int64(dayNumber + 1) * Self.millisecondsPerDay + Self.slack }
}
