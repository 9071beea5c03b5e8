internal import CoreMetrics
internal import Synchronization

/// The metrics of a server, as Prometheus reads them
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// Each server has its own registry, which its parts use for their metrics; swift-metrics' global one is left alone.
final class PrometheusRegistry: Sendable {
  private struct Key: Hashable {
    let name: String
    let labels: [String]
  }

  private let all = Mutex<[Key: PrometheusSeries]>([:])

  private func series(
    _ kind: PrometheusSeries.Kind, _ label: String, _ dimensions: [(String, String)]
  ) -> PrometheusSeries {
    let labels = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.sorted()
    return all.withLock { all in
      let key = Key(name: label, labels: labels)
      if let series = all[key], series.kind == kind { return series }
      let series = PrometheusSeries(kind)
      all[key] = series
      return series
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
      .replacing("\n", with: #"\n"#)
  }

  /// All metrics by name.
  var text: String {
    let sorted = all.withLock { $0 }.sorted {
      ($0.key.name, $0.key.labels.joined()) < ($1.key.name, $1.key.labels.joined())
    }
    var lines: [String] = []
    var last: String?
    for (key, series) in sorted {
      if key.name != last { lines.append("# TYPE \(key.name) \(series.kind.rawValue)") }
      last = key.name
      lines += series.lines(key.name, key.labels)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PrometheusRegistry: MetricsFactory {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(.counter, label, dimensions)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(.gauge, label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(.histogram, label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    series(.histogram, label, dimensions)
  }

  // A Prometheus counter lives as long as its process.
  func destroyCounter(_ handler: any CounterHandler) {}

  func destroyMeter(_ handler: any MeterHandler) {}

  func destroyTimer(_ handler: any TimerHandler) {}

  func destroyRecorder(_ handler: any RecorderHandler) {}
}

/// The values of a metric with one set of labels.
private final class PrometheusSeries: Sendable {
  enum Kind: String {
    case counter, gauge, histogram
  }

  /// Upper bounds of a histogram's buckets, in the metric's unit: for seconds, from a millisecond to half a minute.
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]

  private struct Values {
    /// The value, or a histogram's sum.
    var total = 0.0
    var count = 0
    /// The number of values in each bucket alone; the last bucket holds those above all bounds.
    var buckets: [Int] = []
  }

  let kind: Kind
  private let values = Mutex(Values())

  init(_ kind: Kind) {
    self.kind = kind
    let count = kind == .histogram ? Self.bounds.count + 1 : 0
    values.withLock { $0.buckets = Array(repeating: 0, count: count) }
  }

  fileprivate func add(_ value: Double) { values.withLock { $0.total += value } }

  fileprivate func replace(_ value: Double) { values.withLock { $0.total = value } }

  fileprivate func observe(_ value: Double) {
    values.withLock { values in
      values.total += value
      values.count += 1
      values.buckets[Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count] += 1
    }
  }

  /// The lines of the series in Prometheus' text format 0.0.4.
  ///
  /// - Parameter labels: `name="value"` each.
  func lines(_ name: String, _ labels: [String]) -> [String] {
    func line(_ suffix: String, _ more: [String], _ value: some CustomStringConvertible) -> String {
      let all = (labels + more).joined(separator: ",")
      return name + suffix + (all.isEmpty ? " " : "{\(all)} ") + value.description
    }
    let values = values.withLock { $0 }
    guard kind == .histogram else { return [line("", [], values.total)] }
    var count = 0
    let bounds = Self.bounds.map(\.description) + ["+Inf"]
    let buckets = zip(bounds, values.buckets).map { bound, inBucket in
      count += inBucket
      return line("_bucket", ["le=\"\(bound)\""], count)
    }
    return buckets + [line("_sum", [], values.total), line("_count", [], values.count)]
  }
}

extension PrometheusSeries: CounterHandler {
  func increment(by amount: Int64) { add(Double(amount)) }

  func reset() { replace(0) }
}

extension PrometheusSeries: MeterHandler {
  func set(_ value: Int64) { replace(Double(value)) }

  func set(_ value: Double) { replace(value) }

  func increment(by amount: Double) { add(amount) }

  func decrement(by amount: Double) { add(-amount) }
}

extension PrometheusSeries: TimerHandler {
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
}

extension PrometheusSeries: RecorderHandler {
  func record(_ value: Int64) { observe(Double(value)) }

  func record(_ value: Double) { observe(value) }
}
