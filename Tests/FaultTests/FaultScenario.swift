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

  /// `prepare` fills the folder; `PHOTOS` in an argument is where the photos are by then.
  init(
    _ name: String, _ command: FaultJob.Command, _ arguments: [String],
    prepare: (TemporaryFolder) async throws -> Void
  ) async throws {
    self.name = name
    self.command = command
    self.arguments = arguments
    base = try TemporaryFolder(inMemory: true)
    try await prepare(base)
  }

  /// One try, in a copy of everything.
  struct Trial {
    let folder: TemporaryFolder
    let words: [String]

    var library: String { folder.file("library") }

    /// In this process, with nothing going wrong.
    func runAgain() async throws -> Bool {
      guard let job = FaultJob(words) else { return false }
      let library =
        Library.exists(at: job.library)
        ? try Library.open(at: job.library)
        : try Library.create(at: job.library, Library.Settings(policy: job.policy))
      return try await job.run(library) { _ in }
    }
  }

  func trial() throws -> Trial {
    let folder = try TemporaryFolder(inMemory: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: base.path) {
      try FileManager.default.copyItem(atPath: base.file(name), toPath: folder.file(name))
    }
    let photos = folder.file("photos")
    let words = arguments.map { $0.replacingOccurrences(of: "PHOTOS", with: photos) }
    return Trial(
      folder: folder, words: [command.rawValue, folder.file("library")] + words)
  }
}
