internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// Moods and quotes.
enum DiaryPages {
  static func add(to serving: PageServing) {
    serving.show("moods", .readDiary) { context, address in
      try MoodsPage(context, before: address.day("before"))
    }
    serving.show("quotes", .readDiary) { context, address in
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
      let quote = try call.library.quotes.find(call.address.name("id"))
      _ = try call.writer().quotes.delete(quote)
      return "/quotes?filter=own"
    }
    serving.routes.on(.get, "quotes/:id/card", .readDiary) { _, context in
      let id = try context.text("id")
      let picture = try await context.access.read { library in try card(id, library) }
      return Response(
        status: .ok,
        headers: [
          .contentType: "image/jpeg", .cacheControl: "no-cache, private",
          .contentDisposition: "inline; filename=\"quote.jpg\"",
        ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
    }
  }

  private static func card(_ id: String, _ library: Library) throws -> Data {
    let quote = try library.quotes.find(id)
    let path = FileManager.default.temporaryDirectory
      .appending(path: "leaflog-card-\(UUID().uuidString).jpg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Leaflog.QuoteCard(library).write(quote, on: library.today, to: path)
    return try Data(contentsOf: URL(filePath: path))
  }
}
