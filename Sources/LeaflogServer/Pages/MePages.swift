internal import Leaflog
internal import Pages

/// The menu of further pages, search, history and trash.
enum MePages {
  static func add(to serving: PageServing) {
    serving.show("me") { context, _ in try MePage(context) }
    serving.show("search") { context, address in
      try SearchPage(
        context, text: address["text"], kind: address["kind"].flatMap { EntryKind(rawValue: $0) },
        before: address["before"].flatMap { Cursor($0) })
    }
    serving.show("me/history") { context, address in
      try HistoryPage(context, before: address["before"].flatMap { Int64($0) })
    }
    serving.show("me/trash") { context, address in
      try TrashPage(context, before: address["before"].flatMap { Cursor($0) })
    }
    serving.take("me/trash/restore", restore) { context, _, refusal in
      try TrashPage(context, refusal: refusal)
    }
  }

  /// Restores plants first, as their entries come back with them.
  private static func restore(_ call: FormCall) throws -> String {
    let deleted = try call.library.plants.all(deleted: true)
    var (plants, entries) = (call.form.values["plant"] ?? [], call.form.values["id"] ?? [])
    if let only = call.text("only") {
      let isPlant = deleted.contains { $0.id.description == only }
      (plants, entries) = isPlant ? ([only], []) : ([], [only])
    }
    guard !plants.isEmpty || !entries.isEmpty else { return "/me/trash" }
    let library = try call.writer()
    for plant in plants { try library.plants.restore(library.plants.deleted(named: plant).id) }
    let chosen = try entries.map { try library.diary.entry($0) }.filter { $0.deletedAt != nil }
    // One change for all, whatever their kinds; it is named after the first.
    if let kind = chosen.first?.kind { try library.diary.restore(kind, chosen.map(\.id)) }
    return "/me/trash"
  }
}
