internal import Fields
internal import Hummingbird
internal import Leaflog
internal import ServiceLifecycle

/// The commits to the library, for clients that would otherwise read everything again and again.
struct CommitRoutes: Sendable {
  let authenticator: Authenticator

  func add(to api: API) {
    api.get(
      "commits", "commits", .readPhotos,
      "The commits after one that is known, oldest first; without `after` none, and the `last` to begin with",
      query: [Self.after, Self.limit], answers: [.json(.answer(CommitPage.self))], commits)
    api.get(
      "events", "events", .readPhotos,
      "An event `commit` for each commit from now on, or after the one that is named",
      query: [Self.after], headers: [ServerSentEvents.lastEvent],
      answers: [
        .events("Server-sent events, whose data is a `Commit`", of: Commit.self)
      ], events)
  }

  private static let after = Parameter<CommitPosition>(
    "after", .commitPosition,
    "The last commit that is known: a page's `last`, an event's `id`, or a number.")
  private static let limit = Parameter<Int>(
    "limit", .whole(1...1000), standard: 100,
    "The most commits of a page, which has fewer when they name many entries.")

  /// How long a stream outlives the token that it was opened with, and the service.
  private static let interval = Duration.seconds(1)

  private func commits(_ asked: Asked) async throws -> Response {
    let after = try asked.query.value(Self.after)
    let limit = try asked.query.known(Self.limit)
    return try await Response.json(asked.access, knownAs: asked.request.uri.string) { library in
      guard let after else { return CommitPage([], last: try library.history.lastPosition()) }
      return try library.history.commits(after: after, limit: limit)
    }
  }

  private func events(_ asked: Asked) async throws -> Response {
    let header = asked.request.headers[ServerSentEvents.lastEvent.name]
      .flatMap { CommitPosition($0) }
    let last = try header ?? asked.query.value(Self.after)
    let commits = try await asked.access.read { library in
      try last.map { try library.history.commits(after: $0) } ?? library.history.commits()
    }
    return ServerSentEvents.response { writer in
      // Sends the headers: nothing may happen for long.
      try await writer.beat()
      var iterator = commits.makeAsyncIterator()
      var lastSent = ContinuousClock.now
      while !Task.isShuttingDownGracefully,
        let commits = try await iterator.next(within: Self.interval),
        await authenticator.stillAllows(asked.request)
      {
        for commit in commits {
          try await writer.send("commit", commit.position.description, commit)
        }
        if commits.isEmpty {
          guard ContinuousClock.now > lastSent + ServerSentEvents.heartbeat else { continue }
          try await writer.beat()
        }
        lastSent = .now
      }
    }
  }
}
