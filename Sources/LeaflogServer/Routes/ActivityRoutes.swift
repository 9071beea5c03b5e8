internal import Documents
internal import Fields
internal import Hummingbird
internal import Leaflog

/// Activities, and the days on which they were done.
struct ActivityRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("activities") { request, _ in
      try QueryReader(request).finish()
      return try await Response.json(access) { try Self.all(in: $0) }
    }
    group.get("activities/:name") { request, context in try await activity(request, context) }
    writing.add(.post, "activities", to: group, Self.add)
    writing.add(.patch, "activities/:name", to: group, Self.edit)
    writing.add(.put, "activities/order", to: group) { call in
      var body = call.body
      let names = try body.texts("ids") ?? []
      try body.finish()
      let ids = try names.map { try call.library.activities.named($0).id }
      let library = try call.writer()
      try library.activities.reorder(ids)
      return Written(try Self.all(in: library))
    }
    writing.add(.delete, "activities/:name", to: group) { call in
      try call.body.finish()
      let activity = try call.library.activities.named(call.name("name"))
      let library = try call.writer(editing: activity)
      try library.activities.delete(activity.id)
      return Written(try ActivityDocument(activity, in: library))
    }
    writing.add(.post, "activities/:name/completions", to: group, Self.complete)
    writing.add(.delete, "activities/:name/completions/:day", to: group) { call in
      try call.body.finish()
      let activity = try call.library.activities.named(call.name("name"))
      return Written(
        try call.writer().activities.uncomplete(activity, on: call.day("day")))
    }
  }

  private static func all(in library: Library) throws -> Listing<ActivityDocument> {
    let today = library.today
    let done = try library.activities.done(on: today)
    return Listing(
      items: try library.activities.all().map {
        ActivityDocument($0, doneToday: done.contains($0.id), today: today)
      }, next: nil)
  }

  private func activity(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    var reader = QueryReader(request)
    let month = try reader.value("month", like: "2026-03") { CalendarMonth($0) }
    try reader.finish()
    let name = try context.text("name")
    return try await Response.versioned(request, access) { library in
      let activity = try library.activities.named(name)
      let record = try library.activities.record(of: activity, today: library.today)
      return (
        ActivityRecordDocument(record, month: month ?? CalendarMonth(of: library.today)),
        EntityTag(version: activity)
      )
    }
  }

  static func add(_ call: Call) throws -> Written {
    var body = call.body
    let plant = try body.plant(in: call.library)
    let days = try body.days("doneOn") ?? []
    var blank = ActivityDetails.blank
    blank.startFrom = call.library.today
    let details = try body.rest(of: ActivityDetails.self).made(from: blank, with: ["startFrom"])
    let library = try call.writer()
    return try Written(
      library.activities.add(details, plant: plant ?? nil, doneOn: days), in: library, .created)
  }

  static func edit(_ call: Call) throws -> Written {
    var body = call.body
    let activity = try call.library.activities.named(call.name("name"))
    let plant = try body.plant(in: call.library)
    let patch = try body.rest(of: ActivityDetails.self)
    let library = try call.writer(editing: activity)
    return try Written(
      library.activities.edit(activity.id, plant: plant) { $0 = patch.applied(to: $0) }, in: library
    )
  }

  /// Records an activity as done, now or on the days that the body names.
  static func complete(_ call: Call) throws -> Written {
    var body = call.body
    let activity = try call.library.activities.named(call.name("name"))
    let (days, notes) = (try body.days("days"), try body.text("notes"))
    let tags = try body.texts("tags") ?? []
    let skipsDone = try body.flag("skipDone") ?? false
    try body.finish()
    let activities = try call.writer().activities
    guard let days else {
      return Written(try activities.complete(activity.id, notes: notes, tags: tags))
    }
    return Written(
      try activities.complete(
        activity.id, on: days, notes: notes, tags: tags, skipsDone: skipsDone))
  }
}

extension BodyReader {
  /// The plant that `plant` names: nil when it is absent, `.some(nil)` for null.
  mutating func plant(in library: Library) throws -> PlantID?? {
    try change("plant", like: "a plant's name") { $0 }
      .map { try $0.map { try library.plants.reference($0).id } }
  }
}
