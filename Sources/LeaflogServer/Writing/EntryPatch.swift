internal import Fields
internal import Leaflog

/// The edit of one entry by a request's body; fields that it does not name stay.
struct EntryPatch {
  private let entry: Entry
  private let library: Library
  private let body: BodyReader

  init(_ entry: Entry, _ library: Library, _ body: BodyReader) {
    (self.entry, self.library, self.body) = (entry, library, body)
  }

  /// The fields of all kinds of entries.
  static let body = Body(
    [
      BodyField.notes, BodyField.tags, time, BodyField.plant, isFavourite, symptom, episode, log,
      BodyField.mood, BodyField.allowFuture, BodyField.allowOverlap,
    ])

  private static let time = Parameter<RecordedTime>(
    "occurredAt", .captureTime, "Only of a photo may a month or a year be all that is known.")
  private static let isFavourite = Parameter<Bool>("favourite", .flag)
  private static let symptom = Part<Symptom>(.patch)
  private static let episode = Part<Episode>("episode", .patch)
  private static let log = Part<DailyLog>("dailyLog", .patch)

  /// - Returns: the entry as it is now; nil when nothing had to be changed.
  func apply() throws -> Entry? {
    try refuseFieldsOfOthers()
    let notes = try body.textChange(BodyField.notes)
    let tags = try body.listChange(BodyField.tags)
    switch entry.content {
    case .photo: return try editPhoto(notes, tags)
    case .symptom: return try editSymptom(notes, tags)
    case .episode: return try editEpisode(notes, tags)
    case .dailyLog:
      let patch = try body.patch(Self.log)
      return try library.diary.setDailyLog(on: entry.time.localDay, notes: notes, tags: tags) {
        $0 = patch?.applied(to: $0) ?? $0
      }
    case .mood(let former):
      return try library.diary.setMood(
        body.value(BodyField.mood) ?? former, on: entry.time.localDay, notes: notes, tags: tags)
    case .completion:
      return try library.activities.edit(entry, notes: notes, tags: tags).changed.first
    case .quote:
      throw Problem(
        .conflict,
        "Favourites cannot be edited; delete and recreate them, or use entries/tags for tags.")
    }
  }

  private func editPhoto(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let time = try body.value(Self.time)
    let plant = try body.plant(in: library)
    let isFavourite = try body.value(Self.isFavourite)
    let confirmed: Set<Doubt.Confirmation> =
      try body.known(BodyField.allowFuture) ? [.future] : []
    return try library.photos.edit(
      .photos([entry.id]), notes: notes, tags: tags, plant: plant, isFavourite: isFavourite,
      confirmed: confirmed
    ) { time?.keeping($0.time) }.changed.first
  }

  private func editSymptom(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let time = try time()
    let patch = try body.patch(Self.symptom, in: library)
    return try library.diary.editSymptom(
      entry, at: time, notes: notes, tags: tags,
      patch.map { patch in { $0 = patch.applied(to: $0) } }
    ).changed.first
  }

  private func editEpisode(_ notes: String?, _ tags: [String]?) throws -> Entry? {
    let start = try time().map { EntryTime($0, in: library.timeZone).localDay }
    let patch = try body.patch(Self.episode)
    let confirmed: Set<Doubt.Confirmation> =
      try body.known(BodyField.allowOverlap) ? [.anyOverlap] : []
    return try library.diary.editEpisode(
      entry, from: start, notes: notes, tags: tags, confirmed: confirmed
    ) { $0 = patch?.applied(to: $0) ?? $0 }.changed.first
  }

  private func time() throws -> RecordedTime? {
    try body.value(BodyField.time)?.keeping(entry.time)
  }

  /// Refuses fields that entries of other kinds have.
  private func refuseFieldsOfOthers() throws {
    let own: [String] =
      switch entry.kind {
      case .photo: ["occurredAt", "plant", "favourite"]
      case .symptom: ["occurredAt", "symptom"]
      case .episode: ["occurredAt", "episode"]
      case .dailyLog: ["dailyLog"]
      case .mood: ["mood"]
      case .quote, .completion: []
      }
    let all: [any AnyParameter] = [
      Self.time, BodyField.plant, Self.isFavourite, Self.symptom, Self.episode, Self.log,
      BodyField.mood,
    ]
    guard entry.kind != .quote,
      let other = all.first(where: { body.has($0) && !own.contains($0.name) })
    else { return }
    throw Problem(.conflict, "“\(other.name)” cannot be edited in an entry of this kind.")
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
