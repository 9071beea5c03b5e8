internal import Foundation

/// How many files of an import are done, how fast they go, and how long it will take.
struct ImportPace {
  /// How many files there are; unknown at first.
  var total: Int?
  private(set) var done = 0
  private let start = ContinuousClock.now

  mutating func advance() { done += 1 }

  /// With a bar, where there is room for one.
  func text(columns: Int) -> String {
    guard let total, total > 0 else { return "\(done)" }
    let rate = Double(done) / max((ContinuousClock.now - start).seconds, 0.001)
    let left = Double(max(0, total - done)) / max(rate, 0.001)
    let text =
      "\(done)/\(total)  \(String(format: "%.1f", rate)) files/s  "
      + "\(Quantities.duration(left)) left"
    let room = min(40, columns - text.count - 4)
    guard room >= 10 else { return text }
    return ProgressLine.bar(Double(done) / Double(total), columns: room) + "  " + text
  }
}
