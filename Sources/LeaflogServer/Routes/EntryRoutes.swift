internal import Documents
internal import Fields
internal import Hummingbird
internal import Leaflog

/// Editing entries of any kind, alone and together.
struct EntryRoutes: Sendable {
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    writing.add(.patch, "entries/:id", to: group, Self.edit)
    writing.add(.delete, "entries/:id", to: group) { call in
      let entry = try call.library.diary.entry(call.name("id"))
      try call.body.finish()
      return Written(
        try call.writer(editing: entry).diary.delete(entry.kind, [entry.id]))
    }
    writing.add(.post, "entries/delete", to: group) { call in
      var body = call.body
      let entries = try body.entries(in: call.library)
      try body.finish()
      return Written(try call.writer().diary.delete(entries.kind, entries.ids))
    }
    writing.add(.post, "entries/restore", to: group) { call in
      var body = call.body
      let entries = try body.entries(in: call.library)
      let confirmed = try body.confirmations()
      try body.finish()
      return Written(
        try call.writer().diary.restore(entries.kind, entries.ids, confirmed: confirmed))
    }
    writing.add(.post, "entries/tags", to: group) { call in
      var body = call.body
      let ids = try body.entries(in: call.library).ids
      let (added, removed) = (try body.texts("add"), try body.texts("remove"))
      try body.finish()
      switch (added, removed) {
      case (let tags?, nil): return Written(try call.writer().diary.addTags(tags, to: ids))
      case (nil, let tags?): return Written(try call.writer().diary.removeTags(tags, from: ids))
      default: throw BodyReader.refusal("Give “add” or “remove”.")
      }
    }
  }

  /// Edits one entry; fields that the body does not name stay.
  static func edit(_ call: Call) throws -> Written {
    let entry = try call.library.diary.entry(call.name("id"))
    var edit = EntryPatch(entry, try call.writer(editing: entry), call.body)
    let result = try edit.apply()
    return Written(try result ?? call.library.diary.entry(entry.id.description))
  }
}

extension BodyReader {
  /// The reasons for doubt that the fields `allow…` confirm.
  mutating func confirmations() throws -> Set<Doubt.Confirmation> {
    var confirmed: Set<Doubt.Confirmation> = []
    if try flag("allowLate") ?? false { confirmed.insert(.late) }
    if try flag("allowFuture") ?? false { confirmed.insert(.future) }
    if try flag("allowOverlap") ?? false { confirmed.insert(.anyOverlap) }
    return confirmed
  }

  /// The entries that `ids` names, all of one kind.
  mutating func entries(in library: Library) throws -> (kind: EntryKind, ids: [EntryID]) {
    guard let texts = try texts("ids"), !texts.isEmpty else {
      throw Self.refusal("“ids” is missing.")
    }
    let entries = try texts.map { try library.diary.entry($0) }
    guard let kind = entries.first?.kind, entries.allSatisfy({ $0.kind == kind }) else {
      throw Self.refusal("“ids” must be entries of one kind.")
    }
    return (kind, entries.map(\.id))
  }

  /// The changes to a symptom. A severity given by its label becomes its number and label.
  mutating func symptomPatch(in library: Library) throws -> Patch<Symptom>? {
    guard let node = value("symptom") else { return nil }
    var members = node.members
    guard let place = members.firstIndex(where: { $0.name == "severity" }),
      case .text(let text) = members[place].node.value
    else { return try Patch(node, named: "symptom") }
    members.removeAll { ["severity", "severityLabel"].contains($0.name) }
    var patch = try Patch<Symptom>(JSONNode(.object(members), at: node.offset), named: "symptom")
    try patch.set(library.diary.severityScales().severity(text))
    return patch
  }
}

extension Patch<Symptom> {
  /// Sets the severity with its label, or without one.
  mutating func set(_ severity: Severity) throws(InvalidValue) {
    try set("severity", severity.value.scalar)
    try set("severityLabel", severity.label?.scalar ?? .null)
  }
}
