internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// Jobs: posted, listed, followed, cancelled, done again, and their results.
struct JobRoutes: Sendable {
  private static let maxBodyByteCount = 16 << 10

  let jobs: JobQueue

  func add(to group: RouterGroup<some RequestContext>) {
    group.post("jobs") { request, _ in try await post(request) }
    group.get("jobs") { request, _ in
      try QueryReader(request).finish()
      return Response.json(Listing(items: try jobs.all().map { JobDocument($0) }, next: nil))
    }
    group.get("jobs/:id") { request, context in
      try QueryReader(request).finish()
      return Response.json(JobDocument(try jobs.job(context.text("id"))))
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
    let type = request.headers[.contentType]?.lowercased() ?? ""
    // A page elsewhere can have a browser send other types without asking first (Fetch, CORS-safelisted).
    guard type.prefix(while: { $0 != ";" && $0 != " " }) == "application/json" else {
      throw Problem(.unsupportedMediaType, "The body has to be application/json.")
    }
    let body: Hummingbird.ByteBuffer
    do {
      body = try await request.body.collect(upTo: Self.maxBodyByteCount)
    } catch is NIOTooManyBytesError {
      throw Problem(
        .contentTooLarge, "A job's request has \(Self.maxBodyByteCount) bytes at the most.")
    }
    guard let value = JSONValue(parsing: body.readableBytesView) else {
      throw JobFields.refusal("The body is not JSON.")
    }
    return accepted(try await onThreads { try jobs.add(value) })
  }

  private func delete(_ request: Request, _ context: some RequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    guard let job = try await onThreads({ try jobs.delete(id) }) else {
      return Response(status: .noContent)
    }
    return .json(JobDocument(job), status: job.state.isEnd ? .ok : .accepted)
  }

  private func result(_ request: Request, _ context: some RequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    let (file, path) = try await onThreads { try jobs.result(of: id) }
    // A job makes its file once, so its id stands for the bytes.
    let answer = FileAnswer(
      path: path, byteCount: file.byteCount, mediaType: file.mediaType,
      tag: EntityTag(digest: id), caching: FileAnswer.revalidated)
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
    .json(
      JobDocument(job), status: .accepted, headers: [.location: "/api/v1/jobs/\(job.id)"])
  }

  /// Runs what waits for a disk on threads that may.
  private func onThreads<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}

extension Response {
  /// A document as an answer that nobody keeps.
  fileprivate static func json(
    _ document: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: Hummingbird.ByteBuffer(string: JSON.line(document))))
  }
}
