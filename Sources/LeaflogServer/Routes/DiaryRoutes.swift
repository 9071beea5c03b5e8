internal import Fields
internal import Hummingbird
internal import Leaflog

/// Symptoms, episodes, and a day's log and mood.
struct DiaryRoutes: Sendable {
  func add(to api: API) {
    api.write(
      .post, "symptoms", "addSymptom", .writeDiary, "Log a symptom",
      body: Body([Self.symptom, BodyField.time, Self.allowLate, BodyField.notes, BodyField.tags]),
      answers: .created(.answer(Entry.self), [.eTag]), write: Self.addSymptom)
    api.write(
      .post, "episodes", "addEpisode", .writeDiary, "Start an episode, or add one that is over",
      body: Body(
        [Self.episode, BodyField.day, BodyField.allowOverlap, BodyField.notes, BodyField.tags]),
      answers: .created(.answer(Entry.self), [.eTag]), write: Self.addEpisode)
    api.get(
      "days/\(Path.day)/log", "log", .readDiary, "A day's log; 404 where there is none",
      headers: [.ifMatch, .ifNoneMatch], answers: Answer.versioned(.answer(Entry.self))
    ) { try await Self.entry($0, "daily log") { try $0.diary.dailyLog(on: $1) } }
    api.get(
      "days/\(Path.day)/mood", "mood", .readDiary, "The mood of a day; 404 where there is none",
      headers: [.ifMatch, .ifNoneMatch], answers: Answer.versioned(.answer(Entry.self))
    ) { try await Self.entry($0, "mood") { try $0.diary.mood(on: $1) } }
    api.write(
      .patch, "days/\(Path.day)/log", "editLog", .writeDiary,
      "Set fields of a day's log; null removes one",
      body: Body([Self.log, BodyField.notes, BodyField.tags]), isVersioned: true,
      answers: .json(.answer(Entry.self), .ok, nil, [.eTag]), write: Self.editLog)
    api.write(
      .put, "days/\(Path.day)/mood", "setMood", .writeDiary, "Set the mood of a day",
      body: Body([Self.mood, BodyField.notes, BodyField.tags]), isVersioned: true,
      answers: .json(.answer(Entry.self), .ok, nil, [.eTag]), write: Self.setMood)
    api.get(
      "symptoms/names", "symptomNames", .readDiary,
      "The names of symptoms, the frequent and recent ones first",
      query: [Query.beginning], answers: [.json(.answer(Listing<SymptomName>.self))], symptomNames
    )
    api.get(
      "tags", "tags", .readPhotos, "All tags, the most frequent first",
      answers: [.json(.answer(Listing<Tag>.self))]
    ) { asked in try await Response.json(asked.access) { try Self.tags(in: $0) } }
    api.write(
      .patch, "tags/\(Path.tag)", "renameTag", .writeDiary, "Rename a tag everywhere",
      body: Body([Self.name]),
      answers: .json(.answer(Listing<Tag>.self))
    ) { call in
      let name = try call.body.known(Self.name)
      try call.writer().diary.renameTag(call.name(Path.tag), to: name)
      return Written(try Self.tags(in: call.library))
    }
  }

  private static let symptom = Part<Symptom>(.new)
  private static let episode = Part<Episode>("episode", .new)
  private static let log = Part<DailyLog>("dailyLog", .patch)
  private static let mood = BodyField.mood.required()
  private static let name = Parameter<String>("name", .line(100), isRequired: true)
  private static let allowLate = Parameter<Bool>(
    "allowLate", .flag, standard: false, "Confirms a time more than 48 hours ago.")

  private static func tags(in library: Library) throws -> Listing<Tag> {
    Listing(items: try library.diary.tags())
  }

  static func addSymptom(_ call: Call) throws -> Written {
    let body = call.body
    let (time, notes, tags) = (
      try body.value(BodyField.time), try body.value(BodyField.notes),
      try body.value(BodyField.tags) ?? []
    )
    let confirmed: Set<Doubt.Confirmation> = try body.known(allowLate) ? [.late] : []
    guard let symptom = try body.patch(symptom, in: call.library)?.made() else {
      preconditionFailure("it is required")
    }
    return Written(
      try call.writer().diary.addSymptom(
        symptom, at: time, notes: notes, tags: tags, confirmed: confirmed), .created)
  }

  static func addEpisode(_ call: Call) throws -> Written {
    let body = call.body
    let start = try body.value(BodyField.day) ?? call.library.today
    let (notes, tags) = (try body.value(BodyField.notes), try body.value(BodyField.tags) ?? [])
    let confirmed: Set<Doubt.Confirmation> =
      try body.known(BodyField.allowOverlap) ? [.anyOverlap] : []
    guard let episode = try body.patch(episode)?.made() else {
      preconditionFailure("it is required")
    }
    return Written(
      try call.writer().diary.addEpisode(
        episode, from: start, notes: notes, tags: tags, confirmed: confirmed,
        as: episode.isActive ? .episodeStart : .episodeAdd), .created)
  }

  /// The one entry of a kind that a day may have.
  private static func entry(
    _ asked: Asked, _ noun: String, _ find: @escaping @Sendable (Library, LocalDay) throws -> Entry?
  ) async throws -> Response {
    let text = try asked.name(Path.day)
    return try await Response.versioned(asked.request, asked.access) { library in
      let day = try LocalDay(inPath: text, of: library)
      guard let entry = try find(library, day) else {
        throw Problem(.notFound, "There is no \(noun) on \(day).")
      }
      return (entry, EntityTag(version: entry))
    }
  }

  static func editLog(_ call: Call) throws -> Written {
    let day = try call.day()
    let notes = try call.body.textChange(BodyField.notes)
    let tags = try call.body.listChange(BodyField.tags)
    let patch = try call.body.patch(log)
    let library = try call.writer(editing: call.library.diary.dailyLog(on: day))
    return Written(
      try library.diary.setDailyLog(on: day, notes: notes, tags: tags) { log in
        log = patch?.applied(to: log) ?? log
      })
  }

  static func setMood(_ call: Call) throws -> Written {
    let day = try call.day()
    let notes = try call.body.textChange(BodyField.notes)
    let tags = try call.body.listChange(BodyField.tags)
    let mood = try call.body.known(mood)
    let library = try call.writer(editing: call.library.diary.mood(on: day))
    return Written(try library.diary.setMood(mood, on: day, notes: notes, tags: tags))
  }

  private func symptomNames(_ asked: Asked) async throws -> Response {
    let prefix = try asked.query.value(Query.beginning) ?? ""
    return try await Response.json(asked.access) { library in
      let names = try library.diary.symptomNames(startingWith: prefix, today: library.today)
      return Listing(items: names)
    }
  }
}

extension Call {
  /// A day in the path.
  func day() throws -> LocalDay { try LocalDay(inPath: name(Path.day), of: library) }
}

extension LocalDay {
  /// A day, or `today`.
  init(inPath text: String, of library: Library) throws {
    if text == "today" {
      self = library.today
    } else if let day = LocalDay(text) {
      self = day
    } else {
      throw Problem(.badRequest, "“\(shortened(text))” is not a day such as 2026-03-01.")
    }
  }
}
