import ArgumentParser
internal import Foundation
internal import Leaflog

/// What the command's exit says. The numbers are promised to scripts.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case partlyDone = 3
  case noLibrary = 10
  case locked = 11
  case damaged = 12
  case wrongUsage = 64
  case interrupted = 130

  /// The one table from errors to statuses.
  init(_ code: LeaflogError.Code) {
    self =
      switch code {
      case .noLibrary: .noLibrary
      case .locked: .locked
      case .damaged, .markerMissing: .damaged
      case .invalidRequest: .wrongUsage
      case .readOnly, .noSpace, .tooNew, .notFound, .ambiguous, .nameTaken, .conflict, .suspicious,
        .failed:
        .failed
      }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}

/// An error as it is shown: a sentence, or a JSON object where `--json` was asked for.
struct ErrorReport {
  private struct Document: Encodable {
    struct Detail: Encodable {
      let code: String
      let message: String
      let remedy: String?
    }
    let error: Detail
  }

  private let error: LeaflogError

  init(_ error: LeaflogError) { self.error = error }

  /// Whether JSON was asked for; the arguments may not have parsed.
  static var isJSON: Bool { CommandLine.arguments.contains("--json") }

  func printAndExit() -> Never {
    if Self.isJSON {
      Output.error(
        JSON.line(
          Document(
            error: .init(
              code: error.code.rawValue, message: error.message, remedy: error.remedy?.words))))
    } else {
      Output.error(
        "leaflog: \(error.message)" + (error.remedy.map { " \($0.words)" } ?? ""))
    }
    Foundation.exit(ExitStatus(error.code).rawValue)
  }
}
