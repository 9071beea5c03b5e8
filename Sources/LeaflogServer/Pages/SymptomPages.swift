internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Symptoms by day, their forms, and each over time.
enum SymptomPages {
  static func add(to serving: PageServing) {
    serving.show("symptoms", .readDiary, isKept: true) { context, address in
      try SymptomsPage(
        context, on: address.day("on"), month: address["month"].flatMap { CalendarMonth($0) })
    }
    serving.show("symptoms/new", .writeDiary) { context, address in
      try SymptomEditPage(context, on: address.day("on"))
    }
    serving.show("symptoms/trend", .readDiary, isKept: true, isLong: true) { context, address in
      try TrendPage(
        context, address["name"] ?? "", days: address.number("days"),
        before: address["before"])
    }
    serving.show("symptoms/:id", .readDiary) { context, address in
      try SymptomEditPage(context, address.name("id"))
    }
    serving.take("symptoms", .writeDiary, make) { context, _, refusal in
      try SymptomEditPage(context, refusal: refusal)
    }
    serving.take("symptoms/:id", .writeDiary, edit) { context, address, refusal in
      try SymptomEditPage(context, address.name("id"), refusal: refusal)
    }
    serving.take("symptoms/:id/delete", .writeDiary) { call in
      let entry = try call.entry(of: .symptom)
      _ = try call.writer(editing: entry).diary.delete([entry.id], of: .symptom)
      return "/symptoms?on=\(entry.time.localDay)"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    let time = try call.attempt { try call.newTime("at") }
    let patch = try patch(call, of: nil)
    try call.finish()
    let entry = try call.writer().diary.addSymptom(
      patch.made(), at: time?.recorded, notes: call.text("notes"),
      tags: call.list("tags", replacing: []), confirmed: call.confirmed)
    return "/symptoms?on=\(entry.time.localDay)"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.entry(of: .symptom)
    let stored: Symptom? = if case .symptom(let symptom) = entry.content { symptom } else { nil }
    let time = try call.attempt { try call.changedTime("at", of: entry) } ?? nil
    let patch = try patch(call, of: stored)
    try call.finish()
    let edited = try call.writer(editing: entry).diary.editSymptom(
      entry, at: time, notes: call.text("notes", replacing: entry.notes) ?? "",
      tags: call.list("tags", replacing: entry.tags)
    ) { $0 = patch.applied(to: $0) }
    return "/symptoms?on=\((edited.changed.first ?? entry).time.localDay)"
  }

  private static func patch(_ call: FormCall, of stored: Symptom?) throws -> Patch<Symptom> {
    var patch = try call.patch(of: stored, besides: ["severity", "severityLabel"])
    try call.attempt {
      guard let chosen = call.text("severity") else {
        throw FormFault("severity", "error.severityMissing")
      }
      // The current one may no longer be on any scale.
      guard stored?.severity.formValue != chosen else { return }
      try patch.set(call.library.diary.severityScales().severity(chosen))
    }
    return patch
  }
}

extension FormCall {
  /// The entry that the address names, if it is of this kind and not in the trash.
  func entry(of kind: EntryKind) throws -> Entry {
    let entry = try library.diary.entry(matching: address.name("id"), of: kind)
    guard entry.deletedAt == nil else {
      throw LeaflogError(.notFound, "\(entry.id) is in the trash.")
    }
    return entry
  }

  /// The typed time of a new entry, which must not be in the future. The time that the form was filled in with, or that
  /// it is now, keeps the seconds and the offset that the field does not show.
  func newTime(_ name: String) throws -> EntryTime {
    let filled = text("\(name).filled").flatMap { RecordedTime($0)?.withKnownDay }
    for time in [filled, library.now].compactMap(\.self) {
      let placed = library.placed(time)
      if placed.formMinute == text(name) { return try past(time, name) }
    }
    return try past(typedTime(name), name)
  }

  /// The typed time of an entry, which must not be in the future, with the recorded offset if there is one; nil if it was
  /// not touched.
  func changedTime(_ name: String, of entry: Entry) throws -> RecordedTime? {
    let time = try typedTime(name)
    guard text(name) != entry.time.formMinute else { return nil }
    return try past(time.keeping(entry.time), name, replacing: entry.time).recorded
  }

  private func typedTime(_ name: String) throws -> RecordedTime {
    guard let time = text(name).flatMap({ RecordedTime($0)?.withKnownDay }) else {
      throw FormFault(name, "error.timeMissing")
    }
    return time
  }

  private func past(
    _ time: RecordedTime, _ name: String, replacing former: EntryTime? = nil
  ) throws -> EntryTime {
    let (zone, dayEnd) = (library.timeZone, library.dayEnd)
    let placed =
      former.map { EntryTime(time, replacing: $0, in: zone, dayEnd: dayEnd) }
      ?? library.placed(time)
    guard try !library.isFuture(placed) else { throw FormFault(name, "error.future") }
    return placed
  }
}
