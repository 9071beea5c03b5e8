internal import Fields
internal import Hummingbird
internal import Leaflog

/// Editing entries of any kind, alone and together.
enum EntryRoutes {
  static func add(to api: API) {
    api.write(
      .patch, "entries/\(Path.entry)", "editEntry", .writePhotos,
      "Edit an entry (merge patch, RFC 7396); favourites cannot be edited",
      body: EntryPatch.body, isVersioned: true,
      answers: .json(.answer(Entry.self), .ok, nil, [.eTag]),
      write: edit)
    api.write(
      .delete, "entries/\(Path.entry)", "deleteEntry", .writePhotos, "Move an entry to the trash",
      isVersioned: true, answers: .json(.answer(EditDocument.self))
    ) { call in
      let entry = try call.library.diary.entry(matching: call.name(Path.entry))
      return Written(
        try call.writer(editing: entry).diary.delete([entry.id], of: entry.kind))
    }
    api.write(
      .post, "entries/delete", "deleteEntries", .writePhotos, "Move entries to the trash",
      body: Body([BodyField.ids]), answers: .json(.answer(EditDocument.self))
    ) { call in
      let entries = try call.body.entries(in: call.library)
      return Written(try call.writer().diary.delete(entries.ids, of: entries.kind))
    }
    api.write(
      .post, "entries/restore", "restoreEntries", .writePhotos, "Restore entries from the trash",
      body: Body([BodyField.ids, BodyField.allowOverlap]),
      answers: .json(.answer(EditDocument.self))
    ) { call in
      let entries = try call.body.entries(in: call.library)
      let confirmed: Set<Doubt.Confirmation> =
        try call.body.known(BodyField.allowOverlap) ? [.anyOverlap] : []
      return Written(
        try call.writer().diary.restore(entries.ids, of: entries.kind, confirmed: confirmed))
    }
    api.write(
      .post, "entries/tags", "tagEntries", .writePhotos, "Add tags to entries, or remove them",
      body: Body([BodyField.ids], oneOf: [[added], [removed]]),
      answers: .json(.answer(EditDocument.self))
    ) { call in
      let ids = try call.body.entries(in: call.library).ids
      switch (try call.body.listChange(added), try call.body.listChange(removed)) {
      case (let tags?, nil): return Written(try call.writer().diary.addTags(tags, to: ids))
      case (nil, let tags?): return Written(try call.writer().diary.removeTags(tags, from: ids))
      default: throw BodyReader.refusal("Give “add” or “remove”.")
      }
    }
  }

  private static let added = Parameter<[String]>("add", .tags)
  private static let removed = Parameter<[String]>("remove", .tags)

  /// Edits one entry; fields that the body does not name stay.
  static func edit(_ call: Call) throws -> Written {
    let entry = try call.library.diary.entry(matching: call.name(Path.entry))
    let edit = EntryPatch(entry, try call.writer(editing: entry), call.body)
    let result = try edit.apply()
    return Written(try result ?? call.library.diary.entry(entry.id))
  }
}

extension BodyReader {
  /// The entries that `ids` names, all of one kind.
  func entries(in library: Library) throws -> (kind: EntryKind, ids: [EntryID]) {
    let texts = try known(BodyField.ids)
    guard !texts.isEmpty else {
      throw InvalidValue(BodyField.ids.name, .missing(BodyField.ids.shape.rule.takes(.json)))
    }
    let entries = try texts.map { try library.diary.entry(matching: $0) }
    guard let kind = entries.first?.kind, entries.allSatisfy({ $0.kind == kind }) else {
      throw Self.refusal("“ids” must be entries of one kind.")
    }
    return (kind, entries.map(\.id))
  }

  /// The changes to a symptom. A severity given by its label becomes its number and label.
  func patch(_ part: Part<Symptom>, in library: Library) throws -> Patch<Symptom>? {
    guard let node = object(part) else { return try patch(part) }
    var members = node.members
    guard let place = members.firstIndex(where: { $0.name == "severity" }),
      case .text(let text) = members[place].node.value
    else { return try patch(part) }
    members.removeAll { ["severity", "severityLabel"].contains($0.name) }
    var patch = try Patch<Symptom>(JSONNode(.object(members), at: node.offset), named: part.name)
    let scales = try library.diary.severityScales()
    do throws(InvalidValue) { try patch.set(scales.severity(text)) } catch {
      throw error.within(part.name)
    }
    return patch
  }
}

extension Part<Symptom> {
  /// A symptom, whose severity may be a label.
  init(_ use: JSONSchema.Use) {
    self.init(
      "symptom", use,
      others: [
        "severity": .described(
          .rule(.verbatim, use), "A label of the setting severity.scales, such as mild.")
      ])
  }
}

extension Patch<Symptom> {
  /// Sets the severity with its label, or without one.
  mutating func set(_ severity: Severity) throws(InvalidValue) {
    try set("severity", severity.value.scalar)
    try set("severityLabel", severity.label?.scalar ?? .null)
  }
}
