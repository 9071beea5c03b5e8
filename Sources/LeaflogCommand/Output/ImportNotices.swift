internal import Leaflog

/// The files of an import that need attention, each with the reason: those that failed, were skipped though they look
/// like images, or have warnings.
struct ImportNotices {
  /// The number of files named in a summary.
  static let listedCount = 10

  private var failed: [String] = []
  private var skipped: [String] = []
  private var warned: [String] = []
  private var count = 0

  /// A line about a file; nil when there is nothing to say about it.
  static func line(_ outcome: FileOutcome) -> String? {
    let path = TextLayout.singleLine(outcome.path)
    switch outcome.result {
    case .failed(_, let message):
      return "\(path): \(TextLayout.singleLine(message))"
    case .skipped(let reason) where outcome.isSkippedImage: return "\(path): \(reason.explanation)"
    case .added, .skipped, .duplicate, .updated, .restored:
      guard !outcome.warnings.isEmpty else { return nil }
      return "\(path): " + outcome.warnings.map(\.explanation).joined(separator: "; ")
    }
  }

  mutating func note(_ outcome: FileOutcome) {
    guard let line = Self.line(outcome) else { return }
    count += 1
    switch outcome.result {
    case .failed: Self.add(line, to: &failed)
    case .skipped: Self.add(line, to: &skipped)
    case .added, .duplicate, .updated, .restored: Self.add(line, to: &warned)
    }
  }

  private static func add(_ line: String, to lines: inout [String]) {
    if lines.count < listedCount { lines.append(line) }
  }

  /// The first notices, failures first, and how to see the rest.
  var lines: [String] {
    guard count > 0 else { return [] }
    let listed = (failed + skipped + warned).prefix(Self.listedCount)
    let rest = count - listed.count
    return ["Worth a look:"] + listed.map { "  " + $0 }
      + (rest > 0 ? ["  … and \(rest) more; --json lists every file."] : [])
  }
}
