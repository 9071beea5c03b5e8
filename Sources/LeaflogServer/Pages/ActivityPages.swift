internal import Documents
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Activities: the list, each one, and their forms.
enum ActivityPages {
  static func add(to serving: PageServing) {
    serving.show("activities") { context, address in
      try ActivitiesPage(context, isOrdering: address["order"] == "true")
    }
    serving.show("compact") { context, _ in try CompactPage(context) }
    serving.show("activities/new") { context, address in
      try ActivityEditPage(context, for: address["plant"])
    }
    serving.show("activities/:name") { context, address in
      try ActivityPage(
        context, address.name("name"), month: address["month"].flatMap { CalendarMonth($0) })
    }
    serving.show("activities/:name/edit") { context, address in
      try ActivityEditPage(context, address.name("name"))
    }
    serving.take("activities", make) { context, _, refusal in
      try ActivityEditPage(context, refusal: refusal)
    }
    serving.take("activities/:name", edit) { context, address, refusal in
      try ActivityEditPage(context, address.name("name"), refusal: refusal)
    }
    serving.take("activities/:name/days", setDays) { context, address, refusal in
      try ActivityPage(
        context, address.name("name"), month: refusal.typed["month"].flatMap { CalendarMonth($0) },
        refusal: refusal)
    }
    serving.take("activities/:name/move", move)
    serving.take("activities/:name/delete") { call in
      let activity = try call.library.activities.named(call.address.name("name"))
      _ = try call.writer(editing: activity).activities.delete(activity.id)
      return "/activities"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    var fields = try fields(call, replacing: nil)
    fields["doneOn"] = .array((call.form.values["doneOn"] ?? []).map { .string($0) })
    try call.perform(ActivityRoutes.add, fields)
    return "/activities"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.named(call.address.name("name"))
    try call.perform(ActivityRoutes.edit, fields(call, replacing: activity.details))
    return "/activities/\(call.address.name("name"))"
  }

  private static func fields(
    _ call: FormCall, replacing details: ActivityDetails?
  ) throws -> [String: JSONValue] {
    guard let name = call.line("name", replacing: details?.name) else {
      throw FormFault("name", "error.nameMissing")
    }
    var fields: [String: JSONValue] = [
      "name": .string(name), "emoji": .text(call.text("emoji")),
      "plant": .text(call.text("plant")),
      "notes": .text(call.text("notes", replacing: details?.notes)),
    ]
    for name in ["everyDays", "weeklyGoal", "monthlyGoal"] {
      fields[name] = try call.number(name)
    }
    if let category = call.text("newCategory") ?? call.text("category") {
      fields["category"] = .string(category)
    }
    if let start = call.text("startFrom") { fields["startFrom"] = .string(start) }
    return fields
  }

  /// Marks exactly these days of the month as done.
  private static func setDays(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.named(call.address.name("name"))
    guard let month = CalendarMonth(try call.required("month")) else {
      throw Problem(.badRequest, "Give the month as 2026-03.")
    }
    let days = try (call.form.values["doneOn"] ?? []).map {
      guard let day = LocalDay($0) else {
        throw Problem(.badRequest, "Give the day as 2026-03-01.")
      }
      return day
    }
    _ = try call.writer().activities.setDays(days, in: month, of: activity.id)
    return "/activities/\(activity.id)?month=\(month)"
  }

  private static func move(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.named(call.address.name("name"))
    let count = try call.library.activities.all().count
    let place = activity.rank + 1 + (call.form["direction"] == "up" ? -1 : 1)
    if (1...count).contains(place) {
      _ = try call.writer().activities.reorder(activity.id, to: .number(place))
    }
    return "/activities?order=true"
  }
}
