import BlobStorage
import Foundation
import Imaging
import Leaflog
import TestSupport

/// Compares an import with other commands that do similar work, in turn, five times after a warm-up, and describes the
/// quality of the copies.
struct ImportBenchmark {
  let photos: String
  let peers: [String]

  private static let roundCount = 5

  func run() throws {
    let folder = try TemporaryFolder(inMemory: false)
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    let library = folder.file("library")
    let command = [binary, "import", photos, "--library", library, "--quiet", "--yes"]
    var runs: [String: [Measurement.Run]] = [:]
    for round in 0...Self.roundCount {
      try? FileManager.default.removeItem(atPath: library)
      var these = try [
        ("leaflog import", Measurement.run(command)),
        ("  the same again", Measurement.run(command)),
      ]
      for peer in peers { these.append((peer, try self.peer(peer, folder))) }
      if round > 0 { for (name, run) in these { runs[name, default: []].append(run) } }
    }
    print("medians of \(Self.roundCount):        seconds   peak MB")
    for name in ["leaflog import", "  the same again"] + peers {
      guard let found = runs[name] else { continue }
      let seconds = Measurement.median(found.map(\.seconds))
      let peak = Measurement.median(found.map { Double($0.peakKilobytes) / 1000 })
      print(
        name.padding(toLength: 24, withPad: " ", startingAt: 0)
          + String(format: "%8.3f %8.0f", seconds, peak))
    }
    try describe(library)
  }

  private func peer(_ peer: String, _ folder: TemporaryFolder) throws -> Measurement.Run {
    let output = folder.file("peer")
    try? FileManager.default.removeItem(atPath: output)
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let files = FileManager.default.enumerator(atPath: photos)?.compactMap { $0 as? String } ?? []
    let images = files.filter { $0.contains(".") }.sorted().map { photos + "/" + $0 }
    return try Measurement.run(["sh", "-c", peer, "sh"] + images, environment: ["OUT": output])
  }

  /// Prints the relative size of the store, and the score of every copy over all its pixels.
  private func describe(_ path: String) throws {
    let library = try Library.open(at: path, for: .reading)
    let statistics = try library.store.statistics()
    let share = 100 * Double(statistics.storedByteCount) / Double(statistics.sourceByteCount)
    var scores: [Double] = []
    var position = TimelinePosition.start
    while true {
      let page = try library.timeline.page(at: position, limit: 1000)
      for entry in page.elements {
        let photo = try library.photos.find(entry.id)
        guard let master = photo.renditions.first(where: { $0.role == .master }) else { continue }
        let original = try decode(photo.sourcePaths[0])
        scores.append(try original.score(of: decode(library.photos.path(of: master))))
      }
      guard let next = page.next else { break }
      position = .cursor(next)
    }
    print(String(format: "store %.1f %% of the source", share))
    guard !scores.isEmpty else { return }
    let mean = scores.reduce(0, +) / Double(scores.count)
    print(
      String(
        format: "SSIMULACRA2 of %d copies: lowest %.1f, mean %.1f, highest %.1f", scores.count,
        scores.min() ?? 0, mean, scores.max() ?? 0))
  }

  private func decode(_ path: String) throws -> DecodedPhoto {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try PhotoFile(bytes: SharedBytes(copying: data), format: .jpeg).decode()
  }
}
