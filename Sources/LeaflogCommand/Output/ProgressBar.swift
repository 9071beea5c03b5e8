internal import Foundation
internal import Glibc

/// A line on the terminal that says how far an import is, how fast, and how long it will take.
struct ProgressBar {
  /// How many files there are; unknown at first.
  var total: Int?

  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var done = 0

  mutating func advance() {
    done += 1
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < .milliseconds(100) { return }
    lastDrawn = now
    draw((now - start).seconds)
  }

  /// Takes the line away, so that something else can be written.
  mutating func clear() {
    guard lastDrawn != nil else { return }
    Output.write("\r\u{1B}[K", to: STDERR_FILENO)
    lastDrawn = nil
  }

  private func draw(_ seconds: Double) {
    var text = "\(done)"
    let rate = Double(done) / max(seconds, 0.001)
    if let total, total > 0 {
      let left = Double(max(0, total - done)) / max(rate, 0.001)
      text =
        "\(done)/\(total)  \(String(format: "%.1f", rate)) files/s  "
        + "\(Quantities.duration(left)) left"
      let room = min(40, Terminal.error.width - text.count - 4)
      if room >= 10 {
        let filled = min(room, room * done / total)
        text =
          String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
          + "  " + text
      }
    }
    Output.write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
  }
}
