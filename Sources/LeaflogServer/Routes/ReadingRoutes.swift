internal import Documents
internal import Hummingbird
internal import Leaflog

/// The routes that read the diary, in the JSON of the command line.
struct ReadingRoutes: Sendable {
  let access: LibraryAccess

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("timeline") { request, _ in try await timeline(request) }
    group.get("timeline/buckets") { request, _ in try await buckets(request) }
    group.get("search") { request, _ in try await search(request) }
    group.get("today") { request, _ in try await today(request) }
    group.get("entries/:id") { request, context in try await entry(request, context) }
    group.get("insights") { request, _ in try await insights(request) }
  }

  private func timeline(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let (filter, plant) = try reader.filter()
    let position = try reader.position()
    let limit = try reader.count("limit", in: 1...1000, standard: 50)
    try reader.finish()
    return try await Response.json(access, knownAs: request.uri.string) { library in
      let query = try filter.of(plant, in: library)
      return PageDocument(
        try library.timeline.page(query, at: position, limit: limit), as: .entries)
    }
  }

  private func buckets(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let (filter, plant) = try reader.filter()
    let unit = try reader.value("by", like: "month") { BucketUnit(rawValue: $0) } ?? .month
    try reader.finish()
    return try await Response.json(access) { library in
      let buckets = try library.timeline.buckets(filter.of(plant, in: library), by: unit)
      return Listing(items: buckets)
    }
  }

  private func search(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    guard let text = try reader.text("q") else {
      throw QueryReader.refusal("Give the words to search for as “q”.")
    }
    let (filter, plant) = try reader.filter()
    let position = try reader.position()
    let limit = try reader.count("limit", in: 1...1000, standard: 50)
    try reader.finish()
    return try await Response.json(access) { library in
      let result = try library.timeline.search(
        text, in: filter.of(plant, in: library), at: position, limit: limit)
      return SearchDocument(result, today: library.today)
    }
  }

  private func today(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let day = try reader.value("on", like: "2026-03-01") { LocalDay($0) }
    try reader.finish()
    return try await Response.json(access) { library in
      TodayDocument(
        try library.diary.today(day ?? library.today), present: library.today,
        favourites: try library.quotes.favouriteIDs())
    }
  }

  private func entry(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response
  {
    try QueryReader(request).finish()
    let id = try context.text("id")
    return try await Response.versioned(request, access) { library in
      let entry = try library.diary.entry(id)
      return (
        try ShownDocument(entry, of: entry, in: library), EntityTag(version: entry)
      )
    }
  }

  private func insights(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let days = try reader.count("days", in: LibraryInsights.dayCounts, standard: 90)
    try reader.finish()
    return try await Response.json(access) { library in
      try library.insights.compute(days: days, today: library.today)
    }
  }
}

extension TimelineQuery {
  /// The query, limited to the plant with this name or id.
  fileprivate func of(_ plant: String?, in library: Library) throws -> TimelineQuery {
    guard let plant else { return self }
    var query = self
    query.plant = try library.plants.reference(plant, inTrash: deleted).id
    return query
  }
}
