import FaultRunner
import Foundation
import Leaflog
import TestSupport
import Testing

extension FaultTests {
  /// Photos come, go to the trash, are forgotten and come again, while their blobs are condemned, moved
  /// and unlinked under the importers' hands.
  @Test func `importers and a prune loop leave no rendition without its blob`() async throws {
    let blobCount = FaultSweep.isLong ? 1000 : 100
    let folder = try TemporaryFolder()
    for index in 1...8 { try folder.copy("Orientation/\(index).jpg", to: "photos/\(index).jpg") }
    for name in ["grey", "progressive"] {
      try folder.copy("Colour/\(name).jpg", to: "photos/\(name).jpg")
    }
    let path = folder.file("library")
    try Library.create(at: path, .init(policy: .exact)).close()
    let program = Command.built("FaultRunner")
    let command = Command(library: nil)
    try FileManager.default.createDirectory(
      atPath: folder.file("rounds"), withIntermediateDirectories: false)
    let results = try await withTaskExecutorPreference(Threads()) {
      let importers = try (0..<4).map { _ in
        try command.start(["importers", path, folder.file("photos")], program: program)
      }
      let pruner = try command.start(
        ["pruners", path, "--blobs", "\(blobCount)"], program: program)
      return await withTaskGroup(of: Command.Result.self) { group in
        for running in importers + [pruner] { group.addTask { running.wait() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    for result in results { #expect(result.status == 0, "\(result.error)") }
    let lines = results.flatMap { $0.output.split(separator: "\n").map(String.init) }
    func sum(_ word: String) -> Int {
      lines.filter { $0.hasPrefix(word + " ") }.compactMap { Int($0.dropFirst(word.count + 1)) }
        .reduce(0, +)
    }
    let failures = Dictionary(grouping: lines.filter { $0.hasPrefix("failed ") }, by: { $0 })
    print(
      "faults: contention: \(sum("rounds")) rounds, \(sum("trashed")) blobs "
        + "moved into the trash, \(sum("unlinked")) unlinked, \(failures.values.reduce(0) { $0 + $1.count }) files failed"
    )
    for (line, all) in failures.sorted(by: { $0.value.count > $1.value.count }).prefix(4) {
      print("faults:   \(all.count) × \(line)")
    }
    #expect(sum("unlinked") >= blobCount)

    let library = try Library.open(at: path)
    var damage: [String] = []
    var request = VerifyRequest()
    request.readsEverything = true
    _ = try Verifier(library).run(request) { damage.append($0.message) }
    #expect(damage.isEmpty)
    var rest = ImportRequest(paths: [folder.file("photos")])
    rest.readmission = .all
    _ = try await Importer(library).run(rest) { _ in }
    _ = try Verifier(library).run(request) { damage.append($0.message) }
    #expect(damage.isEmpty)
    #expect(try library.timeline.page(limit: 100).elements.count == 10)
    #expect(folder.files(below: "library/tmp").isEmpty)
    try library.close()
  }
}
