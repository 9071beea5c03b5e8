internal import DiaryCatalog

extension LibraryDiary {
  /// The log of a day, if there is one.
  public func dailyLog(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .dailyLog, from: day, to: day).first
  }

  /// Sets fields of a day's log, which is created when there is none. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - body: edits the log of the day, empty when there was none.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future, or a value out of
  ///   its range.
  public func setDailyLog(
    on day: LocalDay, notes: String? = nil, tags: [String]? = nil,
    _ body: (inout DailyLog) throws -> Void
  ) throws(LeaflogError) -> Entry {
    let time = try placedDay(day, of: .dailyLog)
    return try change(.logSet) { tables, now in
      try tables.entries.upsert(
        on: time, .dailyLog, notes: notes, tags: tags, now: now
      ) { content in
        var log = DailyLog()
        if case .dailyLog(let there) = content { log = there }
        try body(&log)
        return .dailyLog(log)
      }
    }
  }

  /// How many consecutive days up to today have a log; the streak holds while today's is still
  /// missing.
  public func loggingStreak(today: LocalDay) throws(LeaflogError) -> Int {
    try read { try $0.logs.streak(upTo: today) }
  }
}
