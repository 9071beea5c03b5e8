internal import Documents
internal import Leaflog

/// Reports the progress of `verify`, `backup` and `restore`, and any damage.
final class DamageReport: Sendable {
  private let bar: ProgressLine
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
    bar = ProgressLine(context)
  }

  func show(_ share: Double) { bar.show(share: share) }

  /// Runs work that an interruption cancels, and finally removes the progress bar.
  func during<Result: Sendable>(
    _ work: @escaping @Sendable (DamageReport) throws -> Result
  ) async throws -> (result: Result, isInterrupted: Bool) {
    let interruption = context.process.interruption()
    let task = interruption.start { try work(self) }
    let result = try await interruption.value(of: task)
    bar.clear()
    return (result, task.isCancelled)
  }

  func tell(_ damage: Damage) {
    bar.clear()
    guard context.options.json else {
      let sentences = [damage.message, damage.remedy?.words].compactMap { $0 }
      return context.output.print(TextLayout.singleLine(sentences.joined(separator: " ")))
    }
    context.output.print(json: DamageDocument(damage, remedy: damage.remedy?.words))
  }
}
