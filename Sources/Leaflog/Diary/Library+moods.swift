internal import DiaryCatalog

extension Library {
  /// The mood of a day, if it was said.
  public func mood(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .mood, from: day, to: day).first
  }

  /// Says or changes how a day felt. `undo` takes it back.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day to come.
  public func setMood(
    _ mood: Mood, on day: LocalDay, notes: String? = nil, tags: [String]? = nil,
    now: RecordedTime? = nil
  ) throws(LeaflogError) -> Entry {
    let time = try placed(.day(day), now: now)
    return try translating {
      try catalog.setOnce(
        a: time, .mood, notes: notes, tags: tags, as: .moodSet, now: moment
      ) { _ in .mood(mood) }
    }
  }

  /// On how many days each mood was said, the most frequent first; those that never were are absent.
  public func moodCounts(
    from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [(mood: Mood, count: Int)] {
    let counts = try translating { try catalog.moodCounts(from: first, to: last) }
    let order = Dictionary(
      uniqueKeysWithValues: Mood.allCases.enumerated().map { ($1, $0) })
    return counts.map { (mood: $0.key, count: $0.value) }
      .sorted { ($1.count, order[$0.mood] ?? 0) < ($0.count, order[$1.mood] ?? 0) }
  }
}
