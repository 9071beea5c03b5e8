internal import Documents
internal import Leaflog

extension EpisodeOverlap {
  private struct DryRun: Encodable {
    let dryRun = true
    let reason: String

    private enum CodingKeys: CodingKey { case dryRun, reason }
  }

  /// Asks whether the overlap is intended. If nobody can be asked, it reports why the episode was not written.
  func isMeant(_ context: CommandContext) throws -> Bool {
    guard !isEmpty else { return true }
    let answer = Confirmation.ask("\(message) Continue anyway?", context)
    if answer == .dryRun {
      context.output.print(
        context.options.json
          ? JSON.line(DryRun(reason: message)) : "\(message) \(Confirmation.hint)")
    }
    try answer.checkAnswered()
    return answer == .yes
  }
}
