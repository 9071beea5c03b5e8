internal import Fields
internal import Hummingbird
internal import Leaflog
internal import ServiceLifecycle

/// The commits to the library, told to those who would otherwise ask again and again.
struct CommitRoutes: Sendable {
  let authenticator: Authenticator

  func add(to api: API) {
    api.get(
      "events", "events", .readPhotos,
      "An event `commit` for each commit from now on, or after the one that is named",
      query: [Self.after], headers: [ServerSentEvents.lastEvent],
      answers: [
        .stream(
          ServerSentEvents.mediaType,
          "Server-sent events, whose data is an object with `number`, `kinds` and `plants`")
      ], events)
  }

  private static let after = Parameter<Int>(
    "after", .whole(0 ... .max), "The number of the last commit that is known.")

  /// How long a stream outlives the token that it was opened with, and the service.
  private static let interval = Duration.seconds(1)

  private func events(_ asked: Asked) async throws -> Response {
    let header = asked.request.headers[ServerSentEvents.lastEvent.name].flatMap { Int($0) }
    let last = try header ?? asked.query.value(Self.after)
    let commits = try await asked.access.read { try $0.history.commits(after: last) }
    return ServerSentEvents.response { writer in
      // Sends the headers: nothing may happen for long.
      try await writer.beat()
      var iterator = commits.makeAsyncIterator()
      var lastSent = ContinuousClock.now
      while !Task.isShuttingDownGracefully,
        let commits = try await iterator.next(within: Self.interval),
        await authenticator.stillAllows(asked.request)
      {
        for commit in commits { try await writer.send("commit", commit.id, commit) }
        if commits.isEmpty {
          guard ContinuousClock.now > lastSent + ServerSentEvents.heartbeat else { continue }
          try await writer.beat()
        }
        lastSent = .now
      }
    }
  }
}
