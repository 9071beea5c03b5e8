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
