internal import Leaflog
internal import Pages

/// The menu of further pages, search, history and trash.
enum MePages {
  static func add(to serving: PageServing) {
    serving.show("me", .readPhotos) { context, _ in try MePage(context) }
    serving.show("search", .readPhotos, isKept: true, isLong: true) { context, address in
      try SearchPage(
        context, text: address["text"], kind: address["kind"].flatMap { EntryKind(rawValue: $0) },
        before: address["before"].flatMap { Cursor($0) })
    }
    serving.show("me/history", .readDiary, isLong: true) { context, address in
      try HistoryPage(context, before: address.number("before").map(Int64.init))
    }
    serving.show("me/trash", .readPhotos) { context, address in
      try TrashPage(context, before: address["before"].flatMap { Cursor($0) })
    }
    serving.take("me/trash/delete", .administer, delete) { context, _, refusal in
      try TrashPage(context, refusal: refusal)
    }
    serving.take("me/trash/restore", .writePhotos, restore) { context, _, refusal in
      try TrashPage(context, refusal: refusal)
    }
  }

  /// Restores plants first, as their entries come back with them.
  private static func restore(_ call: FormCall) throws -> String {
    let (plants, entries) = try call.deleted()
    guard !plants.isEmpty || !entries.isEmpty else { return "/me/trash" }
    let library = try call.writer()
    for plant in plants { try library.plants.restore(plant.id) }
    // One change for all, whatever their kinds; it is named after the first.
    if let kind = entries.first?.kind { try library.diary.restore(entries.map(\.id), of: kind) }
    return "/me/trash"
  }

  /// Deletes for good, once that is confirmed.
  private static func delete(_ call: FormCall) throws -> String {
    guard call.flag("confirm") else {
      throw Problem(.unprocessableContent, "Deleting for good has to be confirmed.")
    }
    let (plants, entries) = try call.deleted()
    try call.writer().store.deleteForGood(
      entries: entries.map(\.id), plants: plants.map(\.id))
    return "/me/trash"
  }
}

extension FormCall {
  /// The chosen things in the trash: those that are ticked, or the one whose button was pressed.
  fileprivate func deleted() throws -> (plants: [Plant], entries: [Entry]) {
    let deleted = try library.plants.all(deleted: true)
    var (plants, entries) = (form.values["plant"] ?? [], form.values["id"] ?? [])
    if let only = text("only") {
      let isPlant = deleted.contains { $0.id.description == only }
      (plants, entries) = isPlant ? ([only], []) : ([], [only])
    }
    return (
      try plants.map { try library.plants.find(matching: $0, among: .deletedFirst) },
      try entries.map { try library.diary.entry(matching: $0) }.filter { $0.deletedAt != nil }
    )
  }
}
