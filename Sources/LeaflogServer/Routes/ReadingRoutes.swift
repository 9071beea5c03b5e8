internal import Hummingbird
internal import Language
internal import Leaflog
internal import Pages

/// The routes that read the diary, in the JSON of the command line.
struct ReadingRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "timeline", "timeline", .readPhotos, "A page of the timeline",
      query: Query.filter + Query.page,
      answers: [.json(.answer(PageDocument.self))], timeline)
    api.get(
      "timeline/buckets", "timelineBuckets", .readPhotos,
      "Entry counts by year, month, week or day",
      query: Query.filter + [Query.unit], answers: [.json(.answer(Listing<Bucket>.self))], buckets
    )
    api.get(
      "search", "search", .readPhotos, "Search entries",
      query: [Query.words] + Query.filter + Query.page,
      answers: [.json(.answer(SearchDocument.self))], search)
    api.get(
      "today", "today", .readDiary, "A day at a glance", query: [Query.day],
      answers: [.json(.answer(TodayDocument.self))],
      today)
    api.get(
      "entries/\(Path.entry)", "entry", .readPhotos, "An entry", headers: [.ifMatch, .ifNoneMatch],
      answers: Answer.versioned(.answer(ShownDocument<Entry>.self)), entry)
    api.get(
      "insights", "insights", .readDiary, "Counts, durations and frequencies",
      query: [Query.dayCount],
      answers: [.json(.answer(Insights.self))], insights)
  }

  private func timeline(_ asked: Asked) async throws -> Response {
    let filter = try asked.query.filter()
    let position = try asked.query.place(filter.order)
    let limit = try asked.query.known(Query.limit)
    return try await Response.json(asked.access, knownAs: asked.request.uri.string) { library in
      let query = try filter.query(in: library)
      return PageDocument(
        try library.timeline.page(query, at: position(library), limit: limit))
    }
  }

  private func buckets(_ asked: Asked) async throws -> Response {
    let filter = try asked.query.filter()
    let unit = try asked.query.known(Query.unit)
    return try await Response.json(asked.access.long) { library in
      let buckets = try library.timeline.buckets(filter.query(in: library), by: unit)
      return Listing(items: buckets)
    }
  }

  private func search(_ asked: Asked) async throws -> Response {
    let text = try asked.query.known(Query.words)
    let filter = try asked.query.filter()
    let position = try asked.query.place(filter.order)
    let limit = try asked.query.known(Query.limit)
    return try await Response.json(asked.access.long) { library in
      let result = try library.timeline.search(
        text, names: Words.shownNames, in: filter.query(in: library), at: position(library),
        limit: limit)
      return SearchDocument(result, today: library.today)
    }
  }

  private func today(_ asked: Asked) async throws -> Response {
    let day = try asked.query.value(Query.day)
    return try await Response.json(asked.access) { library in
      TodayDocument(
        try library.diary.today(day ?? library.today), present: library.today,
        favourites: try library.quotes.favouriteIDs())
    }
  }

  private func entry(_ asked: Asked) async throws -> Response {
    let id = try asked.name(Path.entry)
    return try await Response.versioned(asked.request, asked.access) { library in
      let entry = try library.diary.entry(matching: id)
      return (
        try ShownDocument(entry, of: entry, in: library), EntityTag(version: entry)
      )
    }
  }

  private func insights(_ asked: Asked) async throws -> Response {
    let days = try asked.query.known(Query.dayCount)
    return try await Response.json(asked.access.long) { library in
      try library.insights.compute(days: days, today: library.today)
    }
  }
}
