internal import Documents
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Episodes and their forms.
enum EpisodePages {
  static func add(to serving: PageServing) {
    serving.show("episodes") { context, address in
      try EpisodesPage(context, before: address["before"])
    }
    serving.show("episodes/new") { context, _ in try EpisodeEditPage(context) }
    serving.show("episodes/:id") { context, address in
      try EpisodeEditPage(context, address.name("id"))
    }
    serving.take("episodes", make) { context, _, refusal in
      try EpisodeEditPage(context, refusal: refusal)
    }
    serving.take("episodes/:id", edit) { context, address, refusal in
      try EpisodeEditPage(context, address.name("id"), refusal: refusal)
    }
    serving.take("episodes/:id/end") { call in
      let (entry, day) = (try call.entry(of: .episode), try call.day("endDay"))
      // Another window may have ended it already.
      if case .episode(let episode) = entry.content, episode.isActive {
        _ = try call.writer().diary.endEpisode(entry, on: day)
      }
      return "/episodes"
    } again: { context, _, refusal in
      try EpisodesPage(context, refusal: refusal)
    }
    serving.take("episodes/:id/delete") { call in
      let entry = try call.entry(of: .episode)
      _ = try call.writer(editing: entry).diary.delete(.episode, [entry.id])
      return "/episodes"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    try call.perform(DiaryRoutes.addEpisode, fields(call, replacing: nil))
    return "/episodes"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.entry(of: .episode)
    try call.perform(EntryRoutes.edit, fields(call, replacing: entry))
    return "/episodes"
  }

  private static func fields(
    _ call: FormCall, replacing entry: Entry?
  ) throws -> [String: JSONValue] {
    let stored: Episode? = if case .episode(let episode)? = entry?.content { episode } else { nil }
    guard call.text("type") != nil else { throw FormFault("type", "error.kindMissing") }
    let formerStart = entry?.time.localDay
    guard let start = try call.pastDay("startDay", replacing: formerStart) else {
      throw FormFault("startDay", "error.dayMissing")
    }
    let end = try call.pastDay("endDay", replacing: stored?.endDay)
    if let end, end < start { throw FormFault("endDay", "error.endBeforeStart") }
    var fields: [String: JSONValue] = [
      "notes": .text(call.text("notes", replacing: entry?.notes)),
      "tags": .texts(call.list("tags", replacing: entry?.tags ?? [])),
      "allowOverlap": .bool(call.flag("allowOverlap")),
    ]
    if start != formerStart { fields["occurredAt"] = .string(start.description) }
    var episode: [String: JSONValue] = [
      "endDay": .text(end?.description),
      "symptoms": .texts(call.form.values["symptom"] ?? []),
      "medications": .texts(call.list("medications", replacing: stored?.medications ?? [])),
      "severity": try call.number("severity"),
      "doctorVisit": .text(call.line("doctorVisit", replacing: stored?.doctorVisit)),
      "testResult": .text(call.line("testResult", replacing: stored?.testResult)),
    ]
    for name in ["type", "worstTime", "mucus"] { episode[name] = .text(call.text(name)) }
    fields["episode"] = .object(episode)
    return fields
  }
}

extension FormCall {
  /// Reads a day that is not in the future, unless it is the stored one; nil where none was typed.
  func pastDay(_ name: String, replacing stored: LocalDay?) throws -> LocalDay? {
    guard text(name) != nil else { return nil }
    let day = try day(name)
    guard day == stored || day <= library.calendarDay else {
      throw FormFault(name, "error.future")
    }
    return day
  }
}
