internal import Documents
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Symptoms by day, their forms, and each over time.
enum SymptomPages {
  static func add(to serving: PageServing) {
    serving.show("symptoms") { context, address in
      try SymptomsPage(
        context, on: address.day("on"), month: address["month"].flatMap { CalendarMonth($0) })
    }
    serving.show("symptoms/new") { context, address in
      try SymptomEditPage(context, on: address.day("on"))
    }
    serving.show("symptoms/trend") { context, address in
      try TrendPage(
        context, address["name"] ?? "", days: address["days"].flatMap { Int($0) },
        before: address["before"])
    }
    serving.show("symptoms/:id") { context, address in
      try SymptomEditPage(context, address.name("id"))
    }
    serving.take("symptoms", make) { context, _, refusal in
      try SymptomEditPage(context, refusal: refusal)
    }
    serving.take("symptoms/:id", edit) { context, address, refusal in
      try SymptomEditPage(context, address.name("id"), refusal: refusal)
    }
    serving.take("symptoms/:id/delete") { call in
      let entry = try call.entry(of: .symptom)
      _ = try call.writer(editing: entry).diary.delete(.symptom, [entry.id])
      return "/symptoms?on=\(entry.time.localDay)"
    }
  }

  private static func make(_ call: FormCall) throws -> String {
    let time = try call.newTime("at")
    if !call.flag("allowLate"), call.library.diary.isLate(time) {
      throw FormFault("at", "error.late")
    }
    var fields = try fields(call, replacing: nil)
    fields["occurredAt"] = .string(time.recorded.iso8601)
    fields["allowLate"] = .bool(call.flag("allowLate"))
    try call.perform(DiaryRoutes.addSymptom, fields)
    return "/symptoms?on=\(time.localDay)"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.entry(of: .symptom)
    var fields = try fields(call, replacing: entry)
    if let time = try call.changedTime("at", of: entry) {
      fields["occurredAt"] = .string(time.iso8601)
    }
    try call.perform(EntryRoutes.edit, fields)
    return "/symptoms?on=\(try call.entry(of: .symptom).time.localDay)"
  }

  private static func fields(
    _ call: FormCall, replacing entry: Entry?
  ) throws -> [String: JSONValue] {
    let stored: Symptom? = if case .symptom(let symptom)? = entry?.content { symptom } else { nil }
    guard let name = call.line("name", replacing: stored?.name) else {
      throw FormFault("name", "error.nameMissing")
    }
    guard let chosen = call.text("severity") else {
      throw FormFault("severity", "error.severityMissing")
    }
    var symptom: [String: JSONValue] = [
      "name": .string(name),
      "medications": .texts(call.list("medications", replacing: stored?.medications ?? [])),
    ]
    // The current one may no longer be on any scale.
    if stored?.severity.formValue != chosen { symptom["severity"] = .string(chosen) }
    return [
      "symptom": .object(symptom),
      "notes": .text(call.text("notes", replacing: entry?.notes)),
      "tags": .texts(call.list("tags", replacing: entry?.tags ?? [])),
    ]
  }
}

extension FormCall {
  /// The entry that the address names, if it is of this kind and not in the trash.
  func entry(of kind: EntryKind) throws -> Entry {
    let entry = try library.diary.entry(address.name("id"), of: kind)
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
    guard !library.clock.isFuture(placed) else { throw FormFault(name, "error.future") }
    return placed
  }
}

extension JSONValue {
  /// A text, or null.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
