import ArgumentParser
internal import Leaflog

/// The exit status of a command. Scripts rely on the numbers.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case partlyDone = 3
  case noLibrary = 10
  case locked = 11
  case damaged = 12
  /// An answer was needed that nobody could give; nothing was done.
  case unanswered = 13
  case wrongUsage = 64
  case interrupted = 130

  /// The only mapping from errors to statuses.
  init(_ code: LeaflogError.Code) {
    self =
      switch code {
      case .noLibrary: .noLibrary
      case .locked: .locked
      case .damaged, .markerMissing: .damaged
      case .invalidRequest: .wrongUsage
      case .readOnly, .closed, .noSpace, .tooNew, .notFound, .notKept, .ambiguous, .nameTaken,
        .conflict,
        .suspicious, .forked, .tooLarge, .mismatch, .changed, .repeated,
        .unreachable, .refused, .failed:
        .failed
      }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
