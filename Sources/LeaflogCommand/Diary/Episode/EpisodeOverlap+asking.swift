internal import Leaflog

extension EpisodeOverlap {
  private struct DryRun: Encodable {
    let dryRun = true
    let reason: String

    private enum CodingKeys: CodingKey { case dryRun, reason }
  }

  /// Whether shared days are meant, which people are asked. Where nobody can be, it says what keeps
  /// the episode from being written.
  func isMeant(_ options: GlobalOptions) -> Bool {
    guard !isEmpty else { return true }
    switch Confirmation.ask("\(message) Is that meant?", options) {
    case .yes: return true
    case .no: return false
    case .dryRun:
      Output.result(
        options.json
          ? JSON.line(DryRun(reason: message)) : "\(message) \(Confirmation.hint)")
      return false
    }
  }
}
