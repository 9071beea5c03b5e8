internal import CoreMetrics
internal import Hummingbird
internal import Synchronization

/// The labels of a request in logs and metrics. The path is not among them: it contains plant names and search terms.
struct RouteLabels: Hashable {
  let method: String
  /// The pattern of its path; `none` where no route was found.
  let route: String

  init(_ request: Request, _ context: some RequestContext) {
    method = knownMethods.contains(request.method) ? request.method.rawValue : "other"
    route = context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "none"
  }
}

/// Clients can send any number of other methods.
private let knownMethods: [HTTPRequest.Method] = [
  .get, .head, .post, .put, .patch, .delete, .options,
]

/// Counts requests, and how long each takes until its answer begins.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    let labels: RouteLabels
    let status: Int
  }

  private struct Series {
    let counter: Counter
    let timer: CoreMetrics.Timer

    init(_ key: Key, _ metrics: PrometheusRegistry) {
      let dimensions = [("method", key.labels.method), ("route", key.labels.route)]
      counter = Counter(
        label: "leaflog_http_requests_total",
        dimensions: dimensions + [("status", "\(key.status)")], factory: metrics)
      // The same for all statuses: the registry gives one series to equal labels.
      timer = CoreMetrics.Timer(
        label: "leaflog_http_request_duration_seconds", dimensions: dimensions, factory: metrics)
    }
  }

  private let metrics: PrometheusRegistry
  private let known = Mutex<[Key: Series]>([:])

  init(_ metrics: PrometheusRegistry) { self.metrics = metrics }

  func note(_ labels: RouteLabels, _ status: Int, took duration: Duration) {
    let key = Key(labels: labels, status: status)
    let series = known.withLock { known in
      if let series = known[key] { return series }
      let series = Series(key, metrics)
      known[key] = series
      return series
    }
    series.counter.increment()
    series.timer.record(duration: duration)
  }
}
