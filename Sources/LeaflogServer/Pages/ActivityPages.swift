internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Activities: the list, each one, and their forms.
enum ActivityPages {
  static func add(to serving: PageServing) {
    serving.show("activities", .readPhotos, isKept: true) { context, address in
      try ActivitiesPage(context, isOrdering: address["order"] == "true")
    }
    serving.show("compact", .readPhotos, isKept: true) { context, _ in try CompactPage(context) }
    serving.show("activities/new", .writePhotos) { context, address in
      try ActivityEditPage(context, for: address["plant"])
    }
    serving.show("activities/:name", .readPhotos, isKept: true) { context, address in
      try ActivityPage(
        context, address.name("name"), month: address["month"].flatMap { CalendarMonth($0) })
    }
    serving.show("activities/:name/edit", .writePhotos) { context, address in
      try ActivityEditPage(context, address.name("name"))
    }
    serving.take("activities", .writePhotos, make) { context, _, refusal in
      try ActivityEditPage(context, refusal: refusal)
    }
    serving.take("activities/:name", .writePhotos, edit) { context, address, refusal in
      try ActivityEditPage(context, address.name("name"), refusal: refusal)
    }
    serving.take("activities/:name/days", .writePhotos, setDays) { context, address, refusal in
      try ActivityPage(
        context, address.name("name"), month: refusal.typed["month"].flatMap { CalendarMonth($0) },
        refusal: refusal)
    }
    serving.take("activities/:name/move", .writeDiary, move)
    serving.take("activities/:name/delete", .writePhotos) { call in
      let activity = try call.library.activities.find(matching: call.address.name("name"))
      _ = try call.writer(editing: activity).activities.delete(activity.id)
      return "/activities"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    let patch = try patch(call, of: nil)
    let days = try call.days("doneOn")
    try call.finish()
    var blank = ActivityDetails.blank
    blank.startFrom = call.library.today
    _ = try call.writer().activities.add(
      patch.made(from: blank, with: ["startFrom"]), plant: call.plant(in: call.library),
      doneOn: days)
    return "/activities"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.find(matching: call.address.name("name"))
    let patch = try patch(call, of: activity.details)
    try call.finish()
    _ = try call.writer(editing: activity).activities.edit(
      activity.id, plant: PlantEdit(call.plant(in: call.library))
    ) { $0 = patch.applied(to: $0) }
    return "/activities/\(call.address.name("name"))"
  }

  private static func patch(
    _ call: FormCall, of details: ActivityDetails?
  ) throws -> Patch<ActivityDetails> {
    var patch = try call.patch(of: details, besides: ["category", "startFrom", "iconName"])
    try call.attempt {
      if let category = call.text("newCategory") ?? call.text("category") {
        try patch.set("category", text: category)
      }
    }
    try call.attempt {
      if let start = call.text("startFrom") { try patch.set("startFrom", text: start) }
    }
    return patch
  }

  /// Marks exactly these days of the month as done.
  private static func setDays(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.find(matching: call.address.name("name"))
    guard let month = CalendarMonth(try call.required("month")) else {
      throw Problem(.badRequest, "Give the month as 2026-03.")
    }
    let days = try call.days("doneOn")
    _ = try call.writer().activities.setDays(days, in: month, of: activity.id)
    return "/activities/\(activity.id)?month=\(month)"
  }

  private static func move(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.find(matching: call.address.name("name"))
    let count = try call.library.activities.all(isCounting: false).count
    if let place = call.nextPlace(from: activity.rank, of: count) {
      _ = try call.writer().activities.reorder(activity.id, to: .number(place))
    }
    return "/activities?order=true"
  }
}

extension FormCall {
  /// The place, counted from 1, that a form moves a thing to by its “up” or its other button; nil beyond the ends.
  ///
  /// - Parameter rank: its place, counted from 0.
  func nextPlace(from rank: Int, of count: Int) -> Int? {
    let place = rank + 1 + (form["direction"] == "up" ? -1 : 1)
    return (1...max(1, count)).contains(place) ? place : nil
  }

  /// The days of boxes that are ticked.
  fileprivate func days(_ name: String) throws -> [LocalDay] {
    try (form.values[name] ?? []).map {
      guard let day = LocalDay($0) else {
        throw Problem(.badRequest, "Give the day as 2026-03-01.")
      }
      return day
    }
  }
}
