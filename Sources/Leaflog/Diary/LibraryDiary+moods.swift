internal import DiaryCatalog

extension LibraryDiary {
  /// The mood of a day, if there is one.
  public func mood(on day: LocalDay) throws(LeaflogError) -> Entry? {
    try entries(of: .mood, from: day, to: day).first
  }

  /// Sets the mood of a day. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a day in the future.
  public func setMood(
    _ mood: Mood, on day: LocalDay, notes: String? = nil, tags: [String]? = nil
  ) throws(LeaflogError) -> Entry {
    let time = try placedDay(day, of: .mood)
    return try change(.moodSet) { tables, now in
      try tables.entries.upsert(
        on: time, .mood, notes: notes, tags: tags, now: now
      ) { _ in .mood(mood) }
    }
  }

  /// The number of days with each mood, the most frequent first; moods without any are absent.
  public func moodCounts(
    from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [(mood: Mood, count: Int)] {
    let counts = try read { try $0.moods.counts(from: first, to: last) }
    let order = Dictionary(
      uniqueKeysWithValues: Mood.allCases.enumerated().map { ($1, $0) })
    return counts.map { (mood: $0.key, count: $0.value) }
      .sorted { ($1.count, order[$0.mood] ?? 0) < ($0.count, order[$1.mood] ?? 0) }
  }
}
