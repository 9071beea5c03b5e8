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
      let day = refusal.typed["at"].flatMap { LocalDay($0.prefix(10)) }
      return try SymptomEditPage(context, on: day, refusal: refusal)
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
    let time = try call.pastTime("at")
    if !call.flag("allowLate"), call.library.diary.isLate(time) {
      throw FormFault("at", "error.late")
    }
    var fields = try fields(call, replacing: nil)
    fields["occurredAt"] = .string("\(time.wall)")
    fields["allowLate"] = .bool(call.flag("allowLate"))
    try call.perform(DiaryRoutes.addSymptom, fields)
    return "/symptoms?on=\(time.localDay)"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.entry(of: .symptom)
    guard case .symptom(let symptom) = entry.content else {
      throw LeaflogError(.notFound, "\(entry.id) is not a symptom.")
    }
    let time = try call.pastTime("at")
    var fields = try fields(call, replacing: symptom.severity)
    // Forms have no seconds: an untouched time keeps them.
    if entry.time.formMinute != time.formMinute { fields["occurredAt"] = .string("\(time.wall)") }
    try call.perform(EntryRoutes.edit, fields)
    return "/symptoms?on=\(time.localDay)"
  }

  /// - Parameter severity: the current one, which may no longer be on any scale.
  private static func fields(
    _ call: FormCall, replacing severity: Severity?
  ) throws -> [String: JSONValue] {
    guard let name = call.text("name") else { throw FormFault("name", "error.nameMissing") }
    guard let chosen = call.text("severity") else {
      throw FormFault("severity", "error.severityMissing")
    }
    var symptom: [String: JSONValue] = [
      "name": .string(name), "medications": .array(call.list("medications").map { .string($0) }),
    ]
    if severity?.formValue != chosen { symptom["severity"] = .string(chosen) }
    return [
      "symptom": .object(symptom), "notes": call.text("notes").map { .string($0) } ?? .null,
      "tags": .array(call.list("tags").map { .string($0) }),
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

  /// Reads a past time in the library's time zone.
  func pastTime(_ name: String) throws -> EntryTime {
    guard let time = text(name).flatMap({ RecordedTime($0)?.withKnownDay }) else {
      throw FormFault(name, "error.timeMissing")
    }
    let placed = EntryTime(time, in: library.timeZone)
    let now = EntryTime(library.now, in: library.timeZone)
    guard placed.instant.milliseconds <= now.instant.milliseconds + 60_000 else {
      throw FormFault(name, "error.future")
    }
    return placed
  }
}
