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

    /// In a process of its own.
    func run(_ more: String...) throws -> Outcome {
      var command = Command(library: nil)
      // The order in a set, and with it that of the operations, is the same each time.
      command.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
      let program = Command.built("FaultRunner")
      return Outcome(try command.start(words + more, program: program).wait())
    }

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

  /// What a process said, and how it ended.
  struct Outcome {
    let promised: [String]
    let trace: [Character]
    let isHit: Bool
    /// 128 and the signal for one that was killed.
    let status: Int32
    let output: String

    init(_ result: Command.Result) {
      let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
      promised = lines.filter { $0.first == "promised" }.map { String($0[1]) }
      let last = lines.last { $0.first == "trace" } ?? []
      trace = last.count == 3 ? Array(last[1]) : []
      isHit = last.count == 3 ? last[2] == "hit" : true
      status = result.status
      output = result.output + result.error
    }

    var isKilled: Bool { status == 128 + 9 }
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
