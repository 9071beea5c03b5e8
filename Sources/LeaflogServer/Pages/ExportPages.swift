internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// Insights, and the diary as files: reports, tables, the complete diary, and a calendar.
struct ExportPages: Sendable {
  let jobs: JobQueue
  let authenticator: Authenticator

  func add(to serving: PageServing) {
    serving.show("me/export", .readDiary) { context, _ in
      try ExportPage(context, jobs: documents(context))
    }
    serving.take("me/export", .readDiary, make) { context, _, refusal in
      try ExportPage(context, jobs: documents(context), refusal: refusal)
    }
    serving.show("insights", .readDiary, isLong: true) { context, address in
      try InsightsPage(
        context, days: address.number("days"), jobs: documents(context))
    }
    serving.answer(.get, "export/calendar.ics", .readDiary) { _, context, _ in
      let (bytes, name) = try await context.access.long.read { library in
        (
          try library.insights.calendar(today: library.today, hasCompletions: true).document
            .bytes,
          try library.fileName("calendar")
        )
      }
      return Self.calendar(bytes, named: name)
    }
  }

  /// The calendars that other programs subscribe to, which know no other secret than the one in the address.
  func addCalendars(to routes: ServiceRoutes, _ access: LibraryAccess) {
    routes.on(.get, "calendar/:name", .open) { request, context in
      let name = try context.text("name")
      let secret = name.hasSuffix(".ics") ? String(name.dropLast(4)) : ""
      guard let contents = try await authenticator.call({ try $0.calendar(of: secret) }) else {
        if let refusal = authenticator.refusalOfTooMany(request, context) { throw refusal }
        throw Problem(.notFound, "There is no such calendar, or no longer.")
      }
      return Self.calendar(
        try await access.long.read { library in
          try library.insights.calendar(contents, today: library.today).document.bytes
        }, named: "leaflog")
    }
  }

  private static func calendar(_ bytes: [UInt8], named name: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-cache, private",
        .contentDisposition: ContentDisposition.attachment("\(name).ics"),
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private func documents(_ context: PageContext) throws -> [JobDocument] {
    try jobs.documents(for: JobClient(context.scope, context.holder))
  }

  @Sendable private func make(_ call: FormCall) throws -> String {
    let kind = try call.required("kind")
    var fields: [String: Scalar] = ["kind": .text(kind)]
    switch kind {
    case "report":
      fields["days"] = try call.number("days")
      fields["language"] = call.text("language").map { .text($0) }
    case "csv":
      let table = try call.required("table")
      fields["table"] = .text(table)
      // Activities have no day.
      guard table != DiaryCSV.activity.rawValue else { break }
      for name in ["from", "to"] {
        fields[name] = call.text(name).map { .text($0) }
      }
    case "exportDiary": break
    default: throw Problem(.badRequest, "“\(kind)” is not a file that can be created here.")
    }
    call.startedJob = try jobs.add(fields, for: call.jobClient)
    return "/me/export#jobs"
  }
}
