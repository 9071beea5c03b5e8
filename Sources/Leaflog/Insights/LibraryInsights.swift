internal import DiaryCatalog

/// Counts and means of the diary, the doctor's report and the calendar.
public struct LibraryInsights: LibraryFace {
  let library: Library
}

extension LibraryInsights {
  /// The numbers of days that insights can cover.
  public static let dayCounts = 1...3660

  /// Counts and means of the last days of the diary, and the logs before its episodes.
  ///
  /// Show `Insights.disclaimer` with it, everywhere.
  ///
  /// - Parameters:
  ///   - days: the number of days up to and including `today`, 1 to 3660.
  ///   - today: the last day to look at.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number of days out of range.
  public func compute(days: Int = 90, today: LocalDay) throws(LeaflogError) -> Insights {
    guard Self.dayCounts.contains(days) else {
      throw .invalid(
        "Insights cover \(Self.dayCounts.lowerBound) to \(Self.dayCounts.upperBound) days, "
          + "not \(days).")
    }
    let spans = InsightsSpans(days: days, today: today)
    let record = try read { tables in
      var record = DiaryRecord()
      record.episodes = try tables.episodes.records(in: spans.episodes)
      for span in spans.logs(with: record.episodes) {
        record.logs.merge(try tables.logs.all(in: span)) { $1 }
      }
      record.symptomDays = try tables.symptoms.days(in: spans.symptoms)
      return record
    }
    return Insights(record, spans)
  }
}
