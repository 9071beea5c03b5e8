internal import Hummingbird
internal import Leaflog

/// The library as a whole: its history, settings and size.
struct LibraryRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "changes", "changes", .readDiary, "The history, newest first",
      query: [Query.before, Query.limit],
      answers: [.json(.answer(History.self))], changes)
    api.write(
      .post, "changes/\(Path.change)/undo", "undo", .writePhotos, "Undo a change as a whole",
      answers: .json(.answer(Change.self))
    ) { call in
      Written(try call.writer().history.undo(call.changeNumber()))
    }
    api.write(
      .post, "changes/\(Path.change)/redo", "redo", .writePhotos, "Redo an undone change",
      answers: .json(.answer(Change.self))
    ) { call in
      Written(try call.writer().history.redo(call.changeNumber()))
    }
    addSettings(to: api)
    api.get(
      "stats", "statistics", .readDiary, "The size of the library",
      answers: [.json(.answer(StatisticsDocument.self))]
    ) { asked in
      try await Response.json(asked.access.long) {
        StatisticsDocument(try $0.store.statistics(), address: $0.store.address)
      }
    }
    api.get(
      "about", "about", .anyToken, "Version, licence, privacy notice and disclaimer",
      answers: [.json(.answer(AboutDocument.self))]
    ) { asked in try await Response.json(asked.access) { _ in AboutDocument() } }
  }

  private func addSettings(to api: API) {
    api.get(
      "settings", "settings", .readDiary, "All settings",
      answers: [.json(.answer(SettingsDocument.self))]
    ) { asked in
      try await Response.json(asked.access) { library in
        try SettingsDocument(LibrarySetting.allCases.filter(\.isOfDiary), of: library)
      }
    }
    api.write(
      .put, "settings/\(Path.setting)", "setSetting", .administer, "Set a setting",
      body: Body([Self.value]),
      answers: .json(.answer(SettingsDocument.self))
    ) { call in
      guard let setting = LibrarySetting(rawValue: call.name(Path.setting)), setting.isOfDiary
      else { throw Problem(.notFound, "There is no setting with that name.") }
      try call.writer().settings.set(setting, to: call.body.known(Self.value))
      return Written(try SettingsDocument([setting], of: call.library))
    }
  }

  private static let value = Parameter<String>("value", .setting, isRequired: true)

  private func changes(_ asked: Asked) async throws -> Response {
    let before = try asked.query.value(Query.before)
    let limit = try asked.query.known(Query.limit)
    return try await Response.json(asked.access) { library in
      try library.history.page(
        before: before.flatMap { Int64($0) }, limit: limit, findsBlockers: true)
    }
  }
}

extension Kind<String> {
  /// The text of a setting, which may be empty.
  fileprivate static let setting = Kind(.written(TextForm(takes: "a text")))
}

extension Call {
  /// The number of a change; nil for `last`, the next one to undo or redo.
  fileprivate func changeNumber() throws -> Int64? {
    let text = name(Path.change)
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
