internal import Documents
internal import HTTPTypes
internal import Hummingbird

/// A job as server-sent events (HTML, 9.2): `progress` when it changes, at most ten times a second, and `end`. Each
/// event carries the whole job, so a reader who misses some misses nothing.
struct EventStream: Sendable {
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
