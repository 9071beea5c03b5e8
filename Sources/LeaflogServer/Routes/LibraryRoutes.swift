internal import Documents
internal import Hummingbird
internal import Leaflog

/// The library as a whole: its history, settings and size.
struct LibraryRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("changes") { request, _ in try await changes(request) }
    writing.add(.post, "changes/:id/undo", to: group) { call in
      try call.body.finish()
      return Written(try call.writer().history.undo(call.changeNumber()))
    }
    writing.add(.post, "changes/:id/redo", to: group) { call in
      try call.body.finish()
      return Written(try call.writer().history.redo(call.changeNumber()))
    }
    group.get("settings") { request, _ in
      try QueryReader(request).finish()
      return try await Response.json(access) { library in
        try SettingsDocument(LibrarySetting.allCases.filter(\.isOfDiary), of: library)
      }
    }
    writing.add(.put, "settings/:name", to: group) { call in
      var body = call.body
      let value = try body.requiredText("value")
      try body.finish()
      guard let setting = LibrarySetting(rawValue: call.name("name")), setting.isOfDiary else {
        throw Problem(.notFound, "There is no setting with that name.")
      }
      try call.writer().settings.set(setting, to: value)
      return Written(try SettingsDocument([setting], of: call.library))
    }
    group.get("stats") { request, _ in
      try QueryReader(request).finish()
      return try await Response.json(access) {
        StatisticsDocument(try $0.store.statistics(), address: $0.store.address)
      }
    }
    group.get("openapi.json") { request, _ in
      try QueryReader(request).finish()
      return Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: OpenAPI.document)))
    }
    group.get("about") { request, _ in
      try QueryReader(request).finish()
      return try await Response.json(access) { _ in AboutDocument() }
    }
  }

  private func changes(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let before = try reader.value("before", like: "a page's `next`") { text in
      Int64(text).flatMap { $0 < 0 ? nil : $0 }
    }
    let limit = try reader.count("limit", in: 1...1000, standard: 50)
    try reader.finish()
    return try await Response.json(access) { library in
      try library.history.page(before: before, limit: limit)
    }
  }
}

extension Call {
  /// The number of a change; nil for `last`, the next one to undo or redo.
  fileprivate func changeNumber() throws -> Int64? {
    let text = name("id")
    if text == "last" { return nil }
    guard let number = Int64(text) else {
      throw Problem(.notFound, "Give the number of a change, or “last” for the newest.")
    }
    return number
  }
}

extension LibrarySetting {
  /// Whether clients may see and set it: the machine's folders are for its owner to name.
  fileprivate var isOfDiary: Bool { self != .serviceFolders }
}
