internal import Fields
internal import Hummingbird
internal import Leaflog

/// Activities, and the days on which they were done.
struct ActivityRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "activities", "activities", .readPhotos, "All activities, in their order",
      answers: [.json(.answer(Listing<ActivityDocument>.self))]
    ) { asked in try await Response.json(asked.access) { try Self.all(in: $0) } }
    api.get(
      "activities/\(Path.name)", "activity", .readPhotos,
      "An activity, its streaks and a month's days",
      query: [Query.month], headers: [.ifMatch, .ifNoneMatch],
      answers: Answer.versioned(.answer(ActivityRecordDocument.self)), activity)
    api.write(
      .post, "activities", "addActivity", .writePhotos, "Add an activity",
      body: Body(
        .new, ActivityDetails.self, knowing: ["startFrom"],
        besides: [BodyField.plant, Self.daysDone]),
      answers: .created(.answer(ActivityDocument.self), [.eTag]),
      write: Self.add)
    api.write(
      .patch, "activities/\(Path.name)", "editActivity", .writePhotos, "Edit an activity",
      body: Body(.patch, ActivityDetails.self, besides: [BodyField.plant]), isVersioned: true,
      answers: .json(.answer(ActivityDocument.self), .ok, nil, [.eTag]), write: Self.edit)
    api.write(
      .put, "activities/order", "orderActivities", .writeDiary, "Reorder all activities",
      body: Body([Self.order]),
      answers: .json(.answer(Listing<ActivityDocument>.self)), write: Self.reorder)
    api.write(
      .delete, "activities/\(Path.name)", "deleteActivity", .writePhotos,
      "Delete an activity and move its completions to the trash", isVersioned: true,
      answers: .json(.answer(ActivityDocument.self))
    ) { call in
      let activity = try call.library.activities.find(matching: call.name(Path.name))
      let library = try call.writer(editing: activity)
      try library.activities.delete(activity.id)
      return Written(try ActivityDocument(activity, in: library))
    }
    addCompletions(to: api)
  }

  private func addCompletions(to api: API) {
    api.write(
      .post, "activities/\(Path.name)/completions", "completeActivity", .writePhotos,
      "Record that it was done: now, or on the days given",
      body: Body([Self.days, Self.source, BodyField.notes, BodyField.tags, Self.skipsDone]),
      answers: .json(.answer(EditDocument.self)),
      write: Self.complete)
    api.write(
      .delete, "activities/\(Path.name)/completions/\(Path.day)", "uncompleteActivity",
      .writePhotos,
      "Move the completion of a day to the trash", answers: .json(.answer(EditDocument.self))
    ) { call in
      let activity = try call.library.activities.find(matching: call.name(Path.name))
      return Written(try call.writer().activities.uncomplete(activity, on: call.day()))
    }
  }

  private static let daysDone = Parameter<[LocalDay]>(
    "doneOn", .days, "Days on which it was done already.")
  private static let days = Parameter<[LocalDay]>("days", .days)
  private static let source = Parameter<String>(
    "source", .completionSource,
    "Where it is recorded. Unless that is `bulk`, today is recorded with the present time.")
  private static let skipsDone = Parameter<Bool>(
    "skipDone", .flag, standard: false, "Skips days on which it was done already.")
  private static let order = Parameter<[String]>(
    "ids", .texts, isRequired: true, "The names or ids of all activities, each once.")

  private static func reorder(_ call: Call) throws -> Written {
    let ids = try call.body.known(order).map { try call.library.activities.find(matching: $0).id }
    let library = try call.writer()
    try library.activities.reorder(ids)
    return Written(try all(in: library))
  }

  private static func all(in library: Library) throws -> Listing<ActivityDocument> {
    let today = library.today
    let done = try library.activities.done(on: today)
    return Listing(
      items: try library.activities.all().map {
        ActivityDocument($0, doneToday: done.contains($0.id), today: today)
      }, next: nil)
  }

  private func activity(_ asked: Asked) async throws -> Response {
    let month = try asked.query.value(Query.month)
    let name = try asked.name(Path.name)
    return try await Response.versioned(asked.request, asked.access) { library in
      let activity = try library.activities.find(matching: name)
      let record = try library.activities.record(of: activity, today: library.today)
      return (
        ActivityRecordDocument(record, month: month ?? CalendarMonth(of: library.today)),
        EntityTag(version: activity)
      )
    }
  }

  static func add(_ call: Call) throws -> Written {
    let plant = try call.body.plant(in: call.library)
    let days = try call.body.listChange(daysDone) ?? []
    var blank = ActivityDetails.blank
    blank.startFrom = call.library.today
    let details = try call.body.patch(of: ActivityDetails.self)
      .made(from: blank, with: ["startFrom"])
    let library = try call.writer()
    return try Written(
      library.activities.add(details, plant: plant.id, doneOn: days), in: library, .created)
  }

  static func edit(_ call: Call) throws -> Written {
    let activity = try call.library.activities.find(matching: call.name(Path.name))
    let plant = try call.body.plant(in: call.library)
    let patch = try call.body.patch(of: ActivityDetails.self)
    let library = try call.writer(editing: activity)
    return try Written(
      library.activities.edit(activity.id, plant: plant) { $0 = patch.applied(to: $0) }, in: library
    )
  }

  /// Records an activity as done, now or on the days that the body names.
  static func complete(_ call: Call) throws -> Written {
    let body = call.body
    let activity = try call.library.activities.find(matching: call.name(Path.name))
    let (days, notes) = (try body.listChange(days), try body.value(BodyField.notes))
    let tags = try body.value(BodyField.tags) ?? []
    let activities = try call.writer().activities
    let source = try body.value(source)
    guard let days else {
      return Written(
        try activities.complete(
          activity.id, notes: notes, tags: tags, source: source ?? Completion.Source.command))
    }
    return Written(
      try activities.complete(
        activity.id, on: days, notes: notes, tags: tags, source: source ?? Completion.Source.bulk,
        skipsDone: body.known(skipsDone)))
  }
}

extension Kind<String> {
  /// Where a completion is recorded.
  static let completionSource = oneOf(
    Completion.Source.app, Completion.Source.widget, Completion.Source.bulk,
    Completion.Source.command)
}

extension BodyReader {
  /// The plant that `plant` names; null removes it, and without the field it stays.
  func plant(in library: Library) throws -> PlantEdit {
    guard let named = try change(BodyField.plant) else { return .keep }
    return PlantEdit(try named.map { try library.plants.reference(matching: $0).id })
  }
}
