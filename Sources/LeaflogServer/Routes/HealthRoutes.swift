internal import CoreMetrics
internal import Fields
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// How the service is, for proxies and monitors: `/healthz`, `/readyz` and `/metrics`.
struct HealthRoutes: Sendable {
  /// The addresses that answer whoever asks, under any host.
  static let paths = ["/healthz", "/readyz"]

  let access: LibraryAccess
  /// Whether people need a token.
  let hasTokens: Bool
  let jobs: JobQueue
  let metrics: PrometheusRegistry

  func add(to routes: ServiceRoutes) {
    // A diary that can be read must not be taken out of its proxy when its disk is full.
    routes.on(.get, "healthz", .open) { _, _ in await health(forWriting: false) }
    routes.on(.get, "readyz", .open) { _, _ in await health(forWriting: true) }
    routes.on(.get, "metrics", .readDiary) { request, _ in
      _ = try QueryReader(request)
      return try await answer()
    }
  }

  private func health(forWriting isWritten: Bool) async -> Response {
    let hasTokens = hasTokens
    let fault: LibraryFault?
    do {
      fault = try await access.read { $0.fault(forWriting: isWritten, hasTokens: hasTokens) }
    } catch { fault = .library }
    var response = Response(
      status: fault == nil ? .ok : .serviceUnavailable, json: Health(fault: fault))
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// The state of the service in a word.
  private struct Health: Shown {
    let fault: LibraryFault?

    static let shown = Fields<Health>([
      Field(adding: "status", .text) { $0.fault?.rawValue ?? "ok" }
    ])
  }

  private func answer() async throws -> Response {
    try await measure()
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
  }

  /// Measures what nobody counts while it changes.
  private func measure() async throws {
    let (counts, free, backups, verifications) = try await access.read {
      (
        try $0.store.entryCounts(), $0.freeByteCount, $0.store.backups(), $0.store.verifications()
      )
    }
    set("leaflog_build_info", 1, [("version", About.version)])
    for (kind, count) in counts { set("leaflog_entries", Double(count), [("kind", kind.rawValue)]) }
    set("leaflog_photos", Double(counts[.photo] ?? 0))
    if let free { set("leaflog_disk_free_bytes", Double(free)) }
    for backup in backups {
      set(
        "leaflog_backup_last_success_timestamp_seconds", backup.lastSuccess.seconds,
        [("place", backup.place)])
    }
    for end in verifications {
      let extent = [("extent", end.readsEverything ? "full" : "quick")]
      set("leaflog_verify_last_timestamp_seconds", end.endedAt.seconds, extent)
      set("leaflog_verify_faults", Double(end.damageCount), extent)
      set("leaflog_verify_complete", end.isComplete ? 1 : 0, extent)
    }
    let jobs = try jobs.all(for: .everything)
    for state in JobState.allCases {
      let count = jobs.count { $0.state == state }
      set("leaflog_jobs", Double(count), [("state", state.rawValue)])
    }
  }

  private func set(_ label: String, _ value: Double, _ dimensions: [(String, String)] = []) {
    Meter(label: label, dimensions: dimensions, factory: metrics).set(value)
  }
}

extension Timestamp {
  /// Since 1970.
  fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}
