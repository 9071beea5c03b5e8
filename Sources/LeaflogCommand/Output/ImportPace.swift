internal import Foundation

/// The pace of an import: files done, their rate, and the time left.
struct ImportPace {
  /// The number of files; unknown at first.
  var total: Int?
  private(set) var done = 0
  private let start = ContinuousClock.now

  mutating func advance() { done += 1 }

  /// The progress as text, with a bar if there is room for one.
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
