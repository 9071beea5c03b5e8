internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// Moods, quotes, and the notes of ticks and moods.
enum DiaryPages {
  static func add(to serving: PageServing) {
    serving.show("moods", .readDiary, isKept: true) { context, address in
      try MoodsPage(context, before: address.day("before"))
    }
    serving.show("quotes", .readDiary, isKept: true) { context, address in
      try QuotesPage(
        context, address["filter"].flatMap { QuotesPage.Filter(rawValue: $0) },
        text: address["text"], from: address.number("before") ?? 0)
    }
    serving.take("quotes", .writeDiary) { call in
      guard let text = call.text("text") else { throw FormFault("text", "error.quoteMissing") }
      _ = try call.writer().quotes.add(
        text, author: call.text("author"), source: call.text("source"))
      return "/quotes?filter=own"
    } again: { context, _, refusal in
      try QuotesPage(context, .own, refusal: refusal)
    }
    serving.take("quotes/:id/delete", .writeDiary) { call in
      let quote = try call.library.quotes.find(matching: call.address.name("id"))
      _ = try call.writer().quotes.delete(quote)
      return "/quotes?filter=own"
    }
    serving.show("entries/:id", .readPhotos, isKept: true) { context, address in
      try NotesPage(context, address.name("id"))
    }
    serving.take("entries/:id", .writePhotos, editNotes) { context, address, refusal in
      try NotesPage(context, address.name("id"), refusal: refusal)
    }
    serving.take("entries/:id/delete", .writePhotos) { call in
      let entry = try call.library.diary.noted(call.address.name("id"))
      _ = try call.writer(editing: entry).diary.delete([entry.id], of: entry.kind)
      return entry.placeOfNotes
    }
    serving.routes.on(.get, "quotes/:id/card", .readDiary) { _, context in
      let id = try context.text("id")
      let picture = try await context.access.long.read { library in try card(id, library) }
      return Response(
        status: .ok,
        headers: [
          .contentType: "image/jpeg", .cacheControl: "no-cache, private",
          .contentDisposition: "inline; filename=\"quote.jpg\"",
        ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
    }
  }

  private static func editNotes(_ call: FormCall) throws -> String {
    let entry = try call.library.diary.noted(call.address.name("id"))
    let notes = call.text("notes", replacing: entry.notes) ?? ""
    let tags = call.list("tags", replacing: entry.tags)
    let library = try call.writer(editing: entry)
    if entry.kind == .completion {
      _ = try library.activities.edit(entry, notes: notes, tags: tags)
    } else {
      let mood = try Mood.named(call.required("mood"), field: "mood")
      _ = try library.diary.setMood(mood, on: entry.time.localDay, notes: notes, tags: tags)
    }
    return entry.placeOfNotes
  }

  private static func card(_ id: String, _ library: Library) throws -> Data {
    let quote = try library.quotes.find(matching: id)
    let path = FileManager.default.temporaryDirectory
      .appending(path: "leaflog-card-\(UUID().uuidString).jpg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Leaflog.QuoteCard(library).write(quote, on: library.today, to: path)
    return try Data(contentsOf: URL(filePath: path))
  }
}

extension Entry {
  /// The page that lists a completion or a mood with its notes.
  fileprivate var placeOfNotes: String {
    guard case .completion(let completion) = content else { return "/moods" }
    return "/activities/\(completion.activity.id)?month=\(CalendarMonth(of: time.localDay))"
  }
}
