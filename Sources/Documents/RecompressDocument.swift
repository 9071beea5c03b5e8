package import Leaflog

/// The totals of a recompression in JSON, counted photo by photo.
package struct RecompressDocument: Encodable, Sendable {
  private var changed = 0
  private var kept: [String: Int] = [:]
  private var failed = 0
  private var formerByteCount = 0
  private var byteCount = 0
  package var dryRun: Bool?
  package var interrupted: Bool?

  package init() {}

  package mutating func count(_ outcome: RecompressOutcome) {
    switch outcome.result {
    case .changed(let before, let after):
      changed += 1
      formerByteCount += before
      byteCount += after
    case .kept(let reason): kept[reason.rawValue, default: 0] += 1
    case .failed: failed += 1
    }
  }
}
