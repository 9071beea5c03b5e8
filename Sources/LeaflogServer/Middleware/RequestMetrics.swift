internal import CoreMetrics
internal import Hummingbird
internal import Synchronization

/// Counts requests and measures how long each takes, until its answer begins.
struct RequestMetrics<Context: RequestContext>: RouterMiddleware {
  private let series: RequestSeries

  init(_ metrics: PrometheusRegistry) { series = RequestSeries(metrics) }

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let begin = ContinuousClock.now
    let response = try await next(request, context)
    series.note(
      RouteLabels(request, context), response.status.code, took: .now - begin)
    return response
  }
}

/// A request as logs and metrics name it: without its path, which has names of plants and words of searches in it.
struct RouteLabels: Hashable {
  let method: String
  /// The pattern of its path; `none` where no route was found.
  let route: String

  init(_ request: Request, _ context: some RequestContext) {
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    // Anybody can send others, and as many different ones as they like.
    method = known.contains(request.method) ? request.method.rawValue : "other"
    route = context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "none"
  }
}

/// The metrics that requests were counted in so far.
private final class RequestSeries: Sendable {
  private struct Key: Hashable {
    let labels: RouteLabels
    let status: Int
  }

  private let metrics: PrometheusRegistry
  private let counters = Mutex<[Key: Counter]>([:])
  private let timers = Mutex<[RouteLabels: CoreMetrics.Timer]>([:])

  init(_ metrics: PrometheusRegistry) { self.metrics = metrics }

  func note(_ labels: RouteLabels, _ status: Int, took duration: Duration) {
    let dimensions = [("method", labels.method), ("route", labels.route)]
    let key = Key(labels: labels, status: status)
    let counter = counters.withLock { counters in
      if let counter = counters[key] { return counter }
      let counter = Counter(
        label: "leaflog_http_requests_total", dimensions: dimensions + [("status", "\(status)")],
        factory: metrics)
      counters[key] = counter
      return counter
    }
    let timer = timers.withLock { timers in
      if let timer = timers[labels] { return timer }
      let timer = CoreMetrics.Timer(
        label: "leaflog_http_request_duration_seconds", dimensions: dimensions, factory: metrics)
      timers[labels] = timer
      return timer
    }
    counter.increment()
    timer.record(duration: duration)
  }
}
