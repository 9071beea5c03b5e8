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
    try call.perform(DiaryRoutes.addEpisode, fields(call))
    return "/episodes"
  }

  private static func edit(_ call: FormCall) throws -> String {
    _ = try call.entry(of: .episode)
    try call.perform(EntryRoutes.edit, fields(call))
    return "/episodes"
  }

  private static func fields(_ call: FormCall) throws -> [String: JSONValue] {
    guard call.text("type") != nil else { throw FormFault("type", "error.kindMissing") }
    guard let start = try call.pastDay("startDay") else {
      throw FormFault("startDay", "error.dayMissing")
    }
    let end = try call.pastDay("endDay")
    if let end, end < start { throw FormFault("endDay", "error.endBeforeStart") }
    func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    var episode: [String: JSONValue] = [
      "endDay": end.map { .string($0.description) } ?? .null,
      "symptoms": texts(call.form.values["symptom"] ?? []),
      "medications": texts(call.list("medications")), "severity": try call.number("severity"),
    ]
    for name in ["type", "worstTime", "mucus", "doctorVisit", "testResult"] {
      episode[name] = call.text(name).map { .string($0) } ?? .null
    }
    return [
      "occurredAt": .string(start.description), "episode": .object(episode),
      "notes": call.text("notes").map { .string($0) } ?? .null, "tags": texts(call.list("tags")),
      "allowOverlap": .bool(call.flag("allowOverlap")),
    ]
  }
}

extension FormCall {
  /// Reads a day that is not in the future; nil where none was typed.
  func pastDay(_ name: String) throws -> LocalDay? {
    guard text(name) != nil else { return nil }
    let day = try day(name)
    guard day <= library.today else { throw FormFault(name, "error.future") }
    return day
  }
}
