internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// A day at a glance, and the forms on it: activities, moods, quotes and the log.
enum TodayPages {
  static func add(to serving: PageServing) {
    serving.show("/", .readDiary, isKept: true) { context, address in
      try TodayPage(context, on: address.day("on"))
    }
    serving.take("activities/:name/tick", .writePhotos, tick)
    serving.take("moods", .writeDiary, setMood)
    serving.take("quotes/:id/favourite", .writeDiary, favourite)
    serving.take("undo", .writePhotos) { call in try move(call, isUndo: true) }
    serving.take("redo", .writePhotos) { call in try move(call, isUndo: false) }
    serving.show("log", .readDiary) { context, address in
      try LogPage(context, on: address.day("on"))
    }
    serving.take("log", .writeDiary, setLog) { context, _, refusal in
      let day = refusal.typed["day"].flatMap { LocalDay($0) }
      return refusal.typed["isInline"] == "true" && !refusal.isConflict
        ? try TodayPage(context, on: day, refusal: refusal)
        : try LogPage(context, on: day, refusal: refusal)
    }
    serving.take("log/delete", .writeDiary) { call in
      let day = try call.day("day")
      let log = try call.library.diary.dailyLog(on: day)
      _ = try log.map { try call.writer().diary.delete([$0.id], of: .dailyLog) }
      return "/log?on=\(day)"
    }
  }

  private static func tick(_ call: FormCall) throws -> String {
    let activity = try call.library.activities.find(matching: call.address.name("name"))
    let day = try call.day("on")
    let activities = try call.writer().activities
    if call.flag("done") {
      let isWidget = call.form["source"] == Completion.Source.widget
      _ = try activities.complete(
        activity.id, on: [day],
        source: isWidget ? Completion.Source.widget : Completion.Source.app, skipsDone: true)
    } else {
      _ = try activities.uncomplete(activity, on: day)
    }
    return "/"
  }

  private static func setMood(_ call: FormCall) throws -> String {
    let day = try call.day("day")
    let name = try call.required("mood")
    let diary = try call.writer().diary
    if name == "none" {
      let mood = try call.library.diary.mood(on: day)
      _ = try mood.map { try diary.delete([$0.id], of: .mood) }
    } else {
      _ = try diary.setMood(Mood.named(name, field: "mood"), on: day)
    }
    return "/?on=\(day)"
  }

  private static func favourite(_ call: FormCall) throws -> String {
    let quote = try call.library.quotes.find(matching: call.address.name("id"))
    let quotes = try call.writer().quotes
    if call.flag("favourite") {
      _ = try quotes.favourite(quote)
    } else {
      _ = try quotes.unfavourite(quote.id)
    }
    return "/quotes"
  }

  private static func move(_ call: FormCall, isUndo: Bool) throws -> String {
    guard let change = Int64(try call.required("change")) else {
      throw Problem(.badRequest, "The change has no number.")
    }
    let moved =
      isUndo ? try call.library.history.undo(change) : try call.library.history.redo(change)
    call.moved = moved.id
    return "/me/history"
  }

  private static func setLog(_ call: FormCall) throws -> String {
    let day = try call.day("day")
    let entry = try call.library.diary.dailyLog(on: day)
    let log: DailyLog? = if case .dailyLog(let log)? = entry?.content { log } else { nil }
    let patch = try call.patch(of: log, besides: ["factors"])
    let values = try call.factorValues(call.library.factors.all())
    try call.finish()
    let notes = call.text("notes", replacing: entry?.notes) ?? ""
    func edit(_ log: inout DailyLog) {
      log = patch.applied(to: log)
      for (factor, value) in values { log.factors[factor.name] = value }
    }
    var edited = log ?? .blank
    edit(&edited)
    guard edited != .blank || !notes.isEmpty || entry?.tags.isEmpty == false else {
      throw FormFault("notes", entry == nil ? "error.logEmpty" : "error.logEmptied")
    }
    _ = try call.writer(editing: entry).diary.setDailyLog(on: day, notes: notes, edit)
    return "/?on=\(day)"
  }
}
