internal import DiaryCatalog

extension Library {
  /// How many days insights can be asked about.
  public static let insightsDays = 1...3660

  /// Counts and means of the last days of the diary, and the logs before its episodes.
  ///
  /// Show `Insights.disclaimer` with it, everywhere.
  ///
  /// - Parameters:
  ///   - days: how many days, `today` among them; 1 to 3660.
  ///   - today: the last day to look at.
  /// - Throws: `LeaflogError` with code `invalidRequest` for fewer days, or more.
  public func insights(days: Int = 90, today: LocalDay) throws(LeaflogError) -> Insights {
    guard Self.insightsDays.contains(days) else {
      throw .invalid(
        "Insights cover \(Self.insightsDays.lowerBound) to \(Self.insightsDays.upperBound) days, "
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
