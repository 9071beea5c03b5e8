import Foundation
import Leaflog
import TestSupport

/// Runs the same commands in a library of a million entries and in one of several millions, in turn: their cost should
/// hardly depend on the size. Each plant has 25,000 photos in both; one photo in twenty has notes.
struct ScaleBenchmark {
  let entryCounts: [Int]

  private static let photosOfPlant = 25_000
  private static let roundCount = 9

  func run() throws {
    let folders = try entryCounts.map { count in
      let folder = try TemporaryFolder(inMemory: false)
      // In a separate process: the peak memory of a command includes that of the process that starts it.
      let made = try Measurement.run([CommandLine.arguments[0], "library", folder.path, "\(count)"])
      precondition(made.status == 0)
      print("made \(count) entries")
      return folder
    }
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    let commands = [
      ["timeline"], ["plant", "show", "plant 1"], ["search", "watered"], ["today"], ["stats"],
    ]
    print("medians in milliseconds, for \(entryCounts.map(String.init).joined(separator: " and "))")
    for command in commands {
      var times = folders.map { _ in [Double]() }
      for round in 0...Self.roundCount {
        for (index, folder) in folders.enumerated() {
          let run = try Measurement.run([binary] + command + ["--library", folder.path])
          precondition(run.status == 0)
          if round > 0 { times[index].append(run.seconds * 1000) }
        }
      }
      let medians = times.map(Measurement.median)
      print(
        row(command, medians.map { String(format: "%8.1f", $0) }.joined())
          + String(format: "  ratio %.2f", (medians.last ?? 0) / (medians.first ?? 1)))
    }
    print("peak memory in megabytes")
    // The photos of these libraries have no files: all are reported as missing.
    for command in [["prune"], ["verify"]] {
      let peaks = try folders.map { folder in
        try Measurement.run([binary] + command + ["--library", folder.path]).peakKilobytes / 1000
      }
      print(row(command, peaks.map { String(format: "%8d", $0) }.joined()))
    }
  }

  /// Creates a library of generated photos in a folder.
  static func makeLibrary(at path: String, entryCount: Int) throws {
    try Library.create(at: path).close()
    let first = min(entryCount, photosOfPlant * 10)
    precondition(entryCount > 0 && entryCount.isMultiple(of: first), "a multiple of \(first)")
    try TimelineBenchmark.fill(
      path, entryCount: first, plantCount: max(1, first / photosOfPlant))
    let catalog = try MultipliedCatalog(path: path + "/catalog.sqlite")
    try catalog.multiply(by: entryCount / first)
    catalog.close()
  }

  private func row(_ command: [String], _ values: String) -> String {
    command.joined(separator: " ").padding(toLength: 20, withPad: " ", startingAt: 0) + values
  }
}
