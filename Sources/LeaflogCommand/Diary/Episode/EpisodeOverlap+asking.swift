internal import Documents
internal import Leaflog

extension EpisodeOverlap {
  private struct DryRun: Encodable {
    let dryRun = true
    let reason: String

    private enum CodingKeys: CodingKey { case dryRun, reason }
  }

  /// Asks whether the overlap is intended. If nobody can be asked, it reports why the episode was not written.
  func isMeant(_ context: CommandContext) -> Bool {
    guard !isEmpty else { return true }
    switch Confirmation.ask("\(message) Continue anyway?", context) {
    case .yes: return true
    case .no: return false
    case .dryRun:
      context.output.print(
        context.options.json
          ? JSON.line(DryRun(reason: message)) : "\(message) \(Confirmation.hint)")
      return false
    }
  }
}
