internal import Documents
internal import Fields
internal import Hummingbird
internal import Leaflog

/// Symptoms, episodes, and a day's log and mood.
struct DiaryRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    writing.add(.post, "symptoms", to: group, Self.addSymptom)
    writing.add(.post, "episodes", to: group, Self.addEpisode)
    writing.add(.patch, "days/:day/log", to: group, Self.editLog)
    writing.add(.put, "days/:day/mood", to: group, Self.setMood)
    group.get("symptoms/names") { request, _ in try await symptomNames(request) }
    group.get("tags") { request, _ in
      try QueryReader(request).finish()
      return try await Response.json(access) { library in
        Listing(items: try library.diary.tags())
      }
    }
    writing.add(.patch, "tags/:tag", to: group) { call in
      var body = call.body
      let name = try body.requiredText("name")
      try body.finish()
      try call.writer().diary.renameTag(call.name("tag"), to: name)
      return Written(
        Listing(items: try call.library.diary.tags()))
    }
  }

  static func addSymptom(_ call: Call) throws -> Written {
    var body = call.body
    let (time, notes, tags) = (
      try body.time("occurredAt"), try body.text("notes"), try body.texts("tags") ?? []
    )
    let confirmed = try body.confirmations()
    guard let patch = try body.symptomPatch(in: call.library) else {
      throw BodyReader.refusal("“symptom” is missing.")
    }
    let symptom = try patch.made()
    try body.finish()
    return Written(
      try call.writer().diary.addSymptom(
        symptom, at: time, notes: notes, tags: tags, confirmed: confirmed), .created)
  }

  static func addEpisode(_ call: Call) throws -> Written {
    var body = call.body
    let start = try body.day("occurredAt") ?? call.library.today
    let (notes, tags) = (try body.text("notes"), try body.texts("tags") ?? [])
    let confirmed = try body.confirmations()
    guard let patch = try body.patch("episode", of: Episode.self) else {
      throw BodyReader.refusal("“episode” is missing.")
    }
    try body.finish()
    let episode = try patch.made()
    return Written(
      try call.writer().diary.addEpisode(
        episode, from: start, notes: notes, tags: tags, confirmed: confirmed,
        as: episode.isActive ? .episodeStart : .episodeAdd), .created)
  }

  static func editLog(_ call: Call) throws -> Written {
    var body = call.body
    let day = try call.day("day")
    let (notes, tags) = (try body.textChange("notes"), try body.texts("tags"))
    let patch = try body.patch("dailyLog", of: DailyLog.self)
    try body.finish()
    let library = try call.writer(editing: call.library.diary.dailyLog(on: day))
    return Written(
      try library.diary.setDailyLog(on: day, notes: notes, tags: tags) { log in
        log = patch?.applied(to: log) ?? log
      })
  }

  static func setMood(_ call: Call) throws -> Written {
    var body = call.body
    let day = try call.day("day")
    let (notes, tags) = (try body.textChange("notes"), try body.texts("tags"))
    let mood = try Mood.named(body.requiredText("mood"), field: "mood")
    try body.finish()
    let library = try call.writer(editing: call.library.diary.mood(on: day))
    return Written(try library.diary.setMood(mood, on: day, notes: notes, tags: tags))
  }

  private func symptomNames(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let prefix = try reader.text("startingWith") ?? ""
    try reader.finish()
    return try await Response.json(access) { library in
      let names = try library.diary.symptomNames(startingWith: prefix, today: library.today)
      return Listing(items: names)
    }
  }
}

extension Call {
  /// A day in the path.
  func day(_ name: String) throws -> LocalDay {
    let text = self.name(name)
    if text == "today" { return library.today }
    guard let day = LocalDay(text) else {
      throw Problem(.badRequest, "“\(shortened(text))” is not a day such as 2026-03-01.")
    }
    return day
  }
}

/// User input, shortened for a message.
private func shortened(_ text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }
