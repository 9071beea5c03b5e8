internal import CoreMetrics
internal import Synchronization

/// The values of a metric with one set of labels.
final class PrometheusSeries: Sendable {
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
