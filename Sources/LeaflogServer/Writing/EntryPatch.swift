internal import Fields
internal import Leaflog

/// The edit of one entry by a request's body; fields that it does not name stay.
struct EntryPatch {
  private let entry: Entry
  private let library: Library
  private var body: BodyReader

  init(_ entry: Entry, _ library: Library, _ body: BodyReader) {
    (self.entry, self.library, self.body) = (entry, library, body)
  }

  /// - Returns: the entry as it is now; nil when nothing had to be changed.
  mutating func apply() throws -> Entry? {
    let notes = try body.textChange("notes")
    let tags = try body.texts("tags")
    switch entry.content {
    case .photo: return try editPhoto(notes, tags)
    case .symptom: return try editSymptom(notes, tags)
    case .episode: return try editEpisode(notes, tags)
    case .dailyLog:
      let patch = try body.patch("dailyLog", of: DailyLog.self)
      try finish()
      return try library.diary.setDailyLog(on: entry.time.localDay, notes: notes, tags: tags) {
        $0 = patch?.applied(to: $0) ?? $0
      }
    case .mood(let former):
      let mood = try body.text("mood").map { try Mood.named($0, field: "mood") }
      try finish()
      return try library.diary.setMood(
        mood ?? former, on: entry.time.localDay, notes: notes, tags: tags)
    case .quote, .completion:
      throw Problem(
        .conflict,
        "Favourites and completions cannot be edited; delete and recreate them, or use entries/tags "
          + "for tags.")
    }
  }

  private mutating func editPhoto(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let time = try body.captureTime("occurredAt")?.keeping(entry.time)
    let plant = try body.plant(in: library)
    let isFavourite = try body.flag("isFavourite")
    let confirmed = try body.confirmations()
    try finish()
    return try library.photos.edit(
      .photos([entry.id]), notes: notes, tags: tags, plant: plant, isFavourite: isFavourite,
      confirmed: confirmed
    ) { _ in time }.changed.first
  }

  private mutating func editSymptom(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let time = try time()
    let patch = try body.symptomPatch(in: library)
    try finish()
    return try library.diary.editSymptom(
      entry, at: time, notes: notes, tags: tags,
      patch.map { patch in { $0 = patch.applied(to: $0) } }
    ).changed.first
  }

  private mutating func editEpisode(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let start = try time().map { EntryTime($0, in: library.timeZone).localDay }
    let patch = try body.patch("episode", of: Episode.self)
    let confirmed = try body.confirmations()
    try finish()
    return try library.diary.editEpisode(
      entry, from: start, notes: notes, tags: tags, confirmed: confirmed
    ) { $0 = patch?.applied(to: $0) ?? $0 }.changed.first
  }

  private mutating func time() throws -> RecordedTime? {
    try body.time("occurredAt")?.keeping(entry.time)
  }

  /// Refuses fields that have not been read. Those of other kinds of entries are not misspellings.
  private mutating func finish() throws {
    let others = [
      "occurredAt", "plant", "isFavourite", "symptom", "episode", "dailyLog", "mood",
    ].filter { body.value($0) != nil }
    if let field = others.first {
      throw Problem(.conflict, "“\(field)” cannot be edited in an entry of this kind.")
    }
    _ = try body.confirmations()
    try body.finish()
  }
}

extension RecordedTime {
  /// The time as the new one of an entry: a day alone keeps the time of day, and a time without an offset keeps the
  /// recorded one.
  func keeping(_ former: EntryTime) -> RecordedTime {
    switch self {
    case .day(let day): former.on(day)
    case .wall(let wall) where former.basis == .zoned: .zoned(wall, former.offset)
    case .wall, .zoned, .instant, .month, .year: self
    }
  }
}
