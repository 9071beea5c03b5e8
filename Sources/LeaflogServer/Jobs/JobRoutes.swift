internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// Routes that post, list, follow, cancel and retry jobs, and return their results.
struct JobRoutes: Sendable {
  let jobs: JobQueue

  func add(to group: RouterGroup<some RequestContext>) {
    group.post("jobs") { request, _ in try await post(request) }
    group.get("jobs") { request, _ in
      try QueryReader(request).finish()
      return Response(
        status: .ok, json: Listing(items: try jobs.all().map { JobDocument($0) }, next: nil))
    }
    group.get("jobs/:id") { request, context in
      try QueryReader(request).finish()
      return Response(status: .ok, json: JobDocument(try jobs.job(context.text("id"))))
    }
    group.delete("jobs/:id") { request, context in try await delete(request, context) }
    group.post("jobs/:id/retry") { request, context in
      try QueryReader(request).finish()
      let id = try context.text("id")
      return accepted(try await onThreads { try jobs.retry(id) })
    }
    group.get("jobs/:id/result") { request, context in try await result(request, context) }
    group.get("jobs/:id/events") { request, context in try events(request, context) }
  }

  private func post(_ request: Request) async throws -> Response {
    try QueryReader(request).finish()
    let value = try BodyReader(await BodyReader.bytes(of: request)).scalars()
    return accepted(try await onThreads { try jobs.add(value) })
  }

  private func delete(_ request: Request, _ context: some RequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    guard let job = try await onThreads({ try jobs.delete(id) }) else {
      return Response(status: .noContent)
    }
    return Response(status: job.state.isEnd ? .ok : .accepted, json: JobDocument(job))
  }

  private func result(_ request: Request, _ context: some RequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    let (file, path) = try await onThreads { try jobs.result(of: id) }
    // A job writes its file once, so its id identifies the bytes.
    let answer = FileAnswer(
      path: path, byteCount: file.byteCount, mediaType: file.mediaType,
      tag: EntityTag(digest: id))
    var response = try await answer.response(to: request, context)
    response.headers[.contentDisposition] = ContentDisposition.attachment(file.name)
    return response
  }

  private func events(_ request: Request, _ context: some RequestContext) throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    let last = request.headers[HTTPField.Name("Last-Event-ID")!].flatMap { Int($0) } ?? 0
    let job = try jobs.job(id)
    // Tells a browser not to connect again (HTML, 9.2.3).
    if job.state.isEnd, job.revision == last { return Response(status: .noContent) }
    return EventStream(feed: try jobs.follow(id), last: last).response()
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

/// A job as server-sent events (HTML, 9.2): `progress` when it changes, at most ten times a second, and `end`. Each
/// event carries the whole job, so a reader who misses some misses nothing.
private struct EventStream: Sendable {
  private static let interval = Duration.milliseconds(100)
  /// How often a comment shows that the stream is alive, to proxies and to the server itself, which would otherwise not
  /// notice that a reader is gone.
  private static let heartbeat = Duration.seconds(15)

  let feed: JobFeed
  /// The number of the last event that the reader received; 0 for none.
  let last: Int

  func response() -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        // nginx would buffer the events.
        HTTPField.Name("X-Accel-Buffering")!: "no",
      ],
      body: ResponseBody { writer in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            while true {
              try await Task.sleep(for: Self.heartbeat)
              feed.repeat()
            }
          }
          defer { group.cancelAll() }
          try await write(to: &writer)
        }
        try await writer.finish(nil)
      })
  }

  private func write(to writer: inout any ResponseBodyWriter) async throws {
    var last = last
    for await job in feed.states {
      guard job.revision != last else {
        try await writer.write(ByteBuffer(string: ":\n\n"))
        continue
      }
      last = job.revision
      try await writer.write(ByteBuffer(string: Self.event(job)))
      if job.state.isEnd { return }
      try await Task.sleep(for: Self.interval)
    }
  }

  private static func event(_ job: Job) -> String {
    """
    id: \(job.revision)
    event: \(job.state.isEnd ? "end" : "progress")
    data: \(JSON.line(JobDocument(job)))


    """
  }
}
