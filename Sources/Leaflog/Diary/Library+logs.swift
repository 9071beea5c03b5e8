internal import DiaryCatalog

extension Library {
  /// The log of a day, if there is one.
  public func dailyLog(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .dailyLog, from: day, to: day).first
  }

  /// Fills in the log of a day: what is there is changed, what is not is made. `undo` takes it
  /// back.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - body: changes what was logged so far.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day to come, or a value out of its range.
  public func setDailyLog(
    on day: LocalDay, notes: String? = nil, tags: [String]? = nil, now: RecordedTime? = nil,
    _ body: (inout DailyLog) -> Void
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(day), now: now)
    return try translating {
      try catalog.setOnce(
        a: time, .dailyLog, notes: notes, tags: tags, as: .logSet, now: moment
      ) { content in
        var log = DailyLog()
        if case .dailyLog(let there) = content { log = there }
        body(&log)
        return .dailyLog(log)
      }
    }
  }

  /// How many days in a row have a log, up to today; a today without one does not end it yet.
  public func loggingStreak(today: LocalDay) throws(LeaflogError) -> Int {
    try translating { try catalog.loggingStreak(upTo: today) }
  }
}
