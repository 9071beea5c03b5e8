internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// Routes that post, list, follow, cancel and retry jobs, and return their results.
struct JobRoutes: Sendable {
  let jobs: JobQueue

  func add(to api: API) {
    api.once(
      .post, "jobs", "addJob", .readDiary, "Start a job", note: Self.sameJob,
      body: jobs.kinds.body,
      answers: [.json(.answer(JobDocument.self), .accepted, nil, [.location])]
    ) { asked, body, key in
      let (value, client) = (try body.scalars(), asked.context.jobClient)
      return accepted(try await onThreads { try jobs.add(value, by: key, for: client) })
    }
    api.get(
      "jobs", "jobs", .readDiary, "All jobs, newest first",
      answers: [.json(.answer(Listing<JobDocument>.self))]
    ) { asked in
      Response(
        status: .ok,
        json: Listing(
          items: try jobs.all(for: asked.context.scope).map { JobDocument($0) }, next: nil))
    }
    api.get(
      "jobs/\(Path.job)", "job", .readDiary, "A job",
      answers: [
        .json(
          .answer(JobDocument.self), .ok,
          "The schema of its `result` has the name of its kind with `Result` behind it, such as `VerifyResult`.",
          others: jobs.kinds.results)
      ]
    ) { asked in
      Response(
        status: .ok, json: JobDocument(try jobs.job(asked.name(Path.job), for: asked.context.scope))
      )
    }
    api.once(
      .delete, "jobs/\(Path.job)", "removeJob", .readDiary,
      "Cancel a job that waits or runs; remove one that has ended",
      note:
        "With an Idempotency-Key, a repetition does not remove the job that the first request has cancelled; one that "
        + "was removed is not found (404).",
      answers: [
        .json(.answer(JobDocument.self), .ok, "It was waiting and has been cancelled"),
        .json(.answer(JobDocument.self), .accepted, "It is being cancelled"),
        .empty(.noContent, "Gone"),
      ], delete)
    api.once(
      .post, "jobs/\(Path.job)/retry", "retryJob", .readDiary, "Retry a job", note: Self.sameJob,
      answers: [.json(.answer(JobDocument.self), .accepted, nil, [.location])]
    ) { asked, _, key in
      let (id, client) = (try asked.name(Path.job), asked.context.jobClient)
      return accepted(try await onThreads { try jobs.retry(id, by: key, for: client) })
    }
    api.get(
      "jobs/\(Path.job)/result", "jobResult", .readDiary, "The file that a job made",
      headers: RequestHeader.ofFile, answers: Answer.file("*/*"), result)
    api.get(
      "jobs/\(Path.job)/events", "jobEvents", .readDiary,
      "The events of a job: `progress`, and finally `end`",
      headers: [ServerSentEvents.lastEvent],
      answers: [
        .events("Server-sent events, whose data is a `Job`", of: JobDocument.self),
        .empty(.noContent, "The client has had the end"),
      ], events)
  }

  private static let sameJob =
    "With an Idempotency-Key, a repetition gets the same job, as it is by then, as long as that is listed; after that it "
    + "starts another."

  private func delete(
    _ asked: Asked, _: BodyReader, _ key: ClientRequest.Key?
  ) async throws -> Response {
    let (id, client) = (try asked.name(Path.job), asked.context.jobClient)
    guard let job = try await onThreads({ try jobs.delete(id, by: key, for: client) }) else {
      return Response(status: .noContent)
    }
    return Response(status: job.state.isEnd ? .ok : .accepted, json: JobDocument(job))
  }

  private func result(_ asked: Asked) async throws -> Response {
    let (id, scope) = (try asked.name(Path.job), asked.context.scope)
    let (file, path) = try await onThreads { try jobs.result(of: id, for: scope) }
    // A job writes its file once, so its id identifies the bytes.
    let answer = FileAnswer(
      path: path, byteCount: file.byteCount, mediaType: file.mediaType,
      tag: EntityTag(digest: id))
    var response = try await answer.response(to: asked.request, asked.context)
    response.headers[.contentDisposition] = ContentDisposition.attachment(file.name)
    return response
  }

  private func events(_ asked: Asked) async throws -> Response {
    let id = try asked.name(Path.job)
    let last = asked.request.headers[ServerSentEvents.lastEvent.name].flatMap { Int($0) } ?? 0
    let job = try jobs.job(id, for: asked.context.scope)
    // Tells a browser not to connect again (HTML, 9.2.3).
    if job.state.isEnd, job.revision == last { return Response(status: .noContent) }
    return EventStream(feed: try jobs.follow(id, for: asked.context.scope), last: last).response()
  }

  private func accepted(_ job: Job) -> Response {
    var response = Response(status: .accepted, json: JobDocument(job))
    response.headers[.location] = "/api/v1/jobs/\(job.id)"
    return response
  }

  /// Runs blocking work on threads that may block.
  private func onThreads<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}

extension LeaflogRequestContext {
  /// The client of this request.
  fileprivate var jobClient: JobClient { JobClient(scope, holder) }
}

/// A job as server-sent events (HTML, 9.2): `progress` when it changes, at most ten times a second, and `end`. Each
/// event carries the whole job, so a reader who misses some misses nothing.
private struct EventStream: Sendable {
  private static let interval = Duration.milliseconds(100)
  let feed: JobFeed
  /// The number of the last event that the reader received; 0 for none.
  let last: Int

  func response() -> Response {
    ServerSentEvents.response { writer in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while true {
            try await Task.sleep(for: ServerSentEvents.heartbeat)
            feed.repeat()
          }
        }
        defer { group.cancelAll() }
        try await write(to: &writer)
      }
    }
  }

  private func write(to writer: inout ServerSentEvents.Writer) async throws {
    var last = last
    for await job in feed.states {
      guard job.revision != last else {
        try await writer.beat()
        continue
      }
      last = job.revision
      try await writer.send(job.state.isEnd ? "end" : "progress", "\(last)", JobDocument(job))
      if job.state.isEnd { return }
      try await Task.sleep(for: Self.interval)
    }
  }
}
