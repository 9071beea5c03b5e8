internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Episodes and their forms.
enum EpisodePages {
  static func add(to serving: PageServing) {
    serving.show("episodes", .readDiary, isKept: true) { context, address in
      try EpisodesPage(context, before: address["before"])
    }
    serving.show("episodes/new", .writeDiary) { context, _ in try EpisodeEditPage(context) }
    serving.show("episodes/:id", .readDiary) { context, address in
      try EpisodeEditPage(context, address.name("id"))
    }
    serving.take("episodes", .writeDiary, make) { context, _, refusal in
      try EpisodeEditPage(context, refusal: refusal)
    }
    serving.take("episodes/:id", .writeDiary, edit) { context, address, refusal in
      try EpisodeEditPage(context, address.name("id"), refusal: refusal)
    }
    serving.take("episodes/:id/end", .writeDiary) { call in
      let (entry, day) = (try call.entry(of: .episode), try call.day("endDay"))
      // Another window may have ended it already.
      if case .episode(let episode) = entry.content, episode.isActive {
        _ = try call.writer().diary.endEpisode(entry, on: day)
      }
      return "/episodes"
    } again: { context, _, refusal in
      try EpisodesPage(context, refusal: refusal)
    }
    serving.take("episodes/:id/delete", .writeDiary) { call in
      let entry = try call.entry(of: .episode)
      _ = try call.writer(editing: entry).diary.delete([entry.id], of: .episode)
      return "/episodes"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    let (start, patch) = try changes(call, to: nil)
    let episode = try patch.made()
    _ = try call.writer().diary.addEpisode(
      episode, from: start, notes: call.text("notes"), tags: call.list("tags", replacing: []),
      confirmed: call.confirmed, as: episode.isActive ? .episodeStart : .episodeAdd)
    return "/episodes"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.entry(of: .episode)
    let (start, patch) = try changes(call, to: entry)
    _ = try call.writer(editing: entry).diary.editEpisode(
      entry, from: start == entry.time.localDay ? nil : start,
      notes: call.text("notes", replacing: entry.notes) ?? "",
      tags: call.list("tags", replacing: entry.tags), confirmed: call.confirmed
    ) { $0 = patch.applied(to: $0) }
    return "/episodes"
  }

  /// The first day, and the changes to the episode.
  private static func changes(
    _ call: FormCall, to entry: Entry?
  ) throws -> (start: LocalDay, Patch<Episode>) {
    let stored: Episode? = if case .episode(let episode)? = entry?.content { episode } else { nil }
    let start = try call.attempt {
      guard let start = try call.pastDay("startDay", replacing: entry?.time.localDay) else {
        throw FormFault("startDay", "error.dayMissing")
      }
      return start
    }
    try call.attempt {
      let end = try call.pastDay("endDay", replacing: stored?.endDay)
      if let start, let end, end < start { throw FormFault("endDay", "error.endBeforeStart") }
    }
    let patch = try call.patch(of: stored)
    try call.finish()
    return (start ?? call.library.today, patch)
  }
}

extension FormCall {
  /// Reads a day that is not in the future, unless it is the stored one; nil where none was typed.
  func pastDay(_ name: String, replacing stored: LocalDay?) throws -> LocalDay? {
    guard text(name) != nil else { return nil }
    let day = try day(name)
    if day != stored, try library.isFuture(day) { throw FormFault(name, "error.future") }
    return day
  }
}
