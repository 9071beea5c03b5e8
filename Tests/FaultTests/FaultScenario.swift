import DiaryModel
import FaultRunner
import Foundation
import Leaflog
import TestSupport

/// A library, photos beside it, and something to be done to it.
struct FaultScenario: Sendable {
  let name: String
  /// After the command and the library.
  let command: FaultJob.Command
  let arguments: [String]
  let base: TemporaryFolder
  /// A further condition, whatever went wrong.
  let problems: Check

  /// Looks at what is beside the library, or how it was before. `isDone`: whether all was done, in the
  /// end.
  typealias Check = @Sendable (_ trial: Trial, _ isDone: Bool) throws -> [String]

  /// `prepare` fills the folder and says what else there is to look at; `PHOTOS` in an argument is where
  /// the photos are by then, `BACKUP` where the backup is.
  init(
    _ name: String, _ command: FaultJob.Command, _ arguments: [String],
    prepare: (TemporaryFolder) async throws -> Check
  ) async throws {
    self.name = name
    self.command = command
    self.arguments = arguments
    base = try TemporaryFolder()
    problems = try await prepare(base)
  }

  /// One try, in a copy of everything.
  struct Trial {
    let folder: TemporaryFolder
    let words: [String]

    var library: String { folder.file("library") }

    /// In this process, with nothing going wrong.
    func runAgain() async throws -> Bool {
      guard let job = FaultJob(words) else { return false }
      return try await job.run(on: FaultBench()) { _ in }
    }
  }

  func trial() throws -> Trial {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: base.path) {
      try FileManager.default.copyItem(atPath: base.file(name), toPath: folder.file(name))
    }
    let photos = folder.file("photos")
    let backup = folder.file("backup")
    let words = arguments.map {
      $0.replacingOccurrences(of: "PHOTOS", with: photos)
        .replacingOccurrences(of: "BACKUP", with: backup)
    }
    return Trial(
      folder: folder, words: [command.rawValue, folder.file("library")] + words)
  }
}
