import DiaryModel
import Foundation
import Synchronization
import TestSupport
import Testing

extension CommandFixture {
  /// A library in Berlin of the sample photos: 4 of basil, 5 of monstera, 4 of tomato.
  ///
  /// `prepare` changes it before its first use, once for all that name it with the same `name`.
  static func imported(
    _ paths: [String] = ["Photos"], policy: String = "exact", name: String = "",
    prepare: (Self) throws -> Void = { _ in }
  ) throws -> Self {
    let fixture = try Self()
    let sources = paths.map { $0.hasPrefix("/") ? $0 : Fixtures.path($0) }
    let template = try LibraryTemplates.path(of: sources, policy, name, prepare)
    try FileManager.default.copyItem(atPath: template, toPath: fixture.folder.file("library"))
    return fixture
  }

  /// Today in `TimeZone.farFromMidnight`.
  static func todayFarFromMidnight() -> LocalDay {
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    return EntryTime(.instant(now), in: .farFromMidnight).localDay
  }

  /// The day that it is in a zone, as the command has to see it wherever it runs.
  static func today(in zone: String = "Europe/Berlin") throws -> LocalDay {
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    return EntryTime(.instant(now), in: try #require(TimeZone(identifier: zone))).localDay
  }

  /// Runs a command that answers with one JSON object.
  @discardableResult
  func json(
    _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Any] {
    let result = try leaflog.run(arguments + ["--json"])
    #expect(result.status == status, "\(result.error)", sourceLocation: sourceLocation)
    #expect(result.json.count == 1, "\(result.output)", sourceLocation: sourceLocation)
    return result.json.first ?? [:]
  }

  /// Runs a command that has to be refused, and gives its error's code, and its message with the remedy.
  func refusal(
    _ arguments: String..., status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (code: String, message: String) {
    let result = try leaflog.run(arguments + ["--json"])
    #expect(result.status == status, "\(result.output)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, "\(result.output)", sourceLocation: sourceLocation)
    let document = try JSONSerialization.jsonObject(with: Data(result.error.utf8))
    let error = (document as? [String: Any])?["error"] as? [String: Any]
    let sentences = ["message", "remedy"].compactMap { error?[$0] as? String }
    return (error?["code"] as? String ?? "", sentences.joined(separator: " "))
  }

  /// The photo of a day, as the timeline tells it.
  func photo(_ day: String) throws -> [String: Any] {
    try #require(try entries().first { $0["localDay"] as? String == day })
  }

  /// The photo's id.
  func id(_ day: String) throws -> String { try #require(try photo(day)["id"] as? String) }
}

extension [String: Any] {
  /// Of a listing.
  var items: [[String: Any]] { self["items"] as? [[String: Any]] ?? [] }

  /// A text of a listing's items.
  func texts(_ key: String) -> [String] { items.compactMap { $0[key] as? String } }

  /// Of a change: how many of each thing it added, changed and deleted.
  var counts: [String: [Int]] {
    let counts = self["counts"] as? [[String: Any]] ?? []
    return counts.reduce(into: [:]) { all, count in
      guard let thing = count["thing"] as? String else { return }
      all[thing] = ["added", "changed", "deleted"].compactMap { count[$0] as? Int }
    }
  }

  var plantName: String? { (self["plant"] as? [String: Any])?["name"] as? String }

  var captureSource: String? { (self["photo"] as? [String: Any])?["captureSource"] as? String }
}

/// Libraries that are made once and copied for each test: an import costs more than most of them.
private enum LibraryTemplates {
  private static let made = Mutex<[String: String]>([:])

  private static let folder: String = {
    let path = TemporaryFolder.unusedPath()
    atexit { try? FileManager.default.removeItem(atPath: LibraryTemplates.folder) }
    return path
  }()

  static func path(
    of sources: [String], _ policy: String, _ name: String,
    _ prepare: (CommandFixture) throws -> Void
  ) throws -> String {
    try made.withLock { made in
      let key = ([name, policy] + sources).joined(separator: ":")
      if let path = made[key] { return path }
      let path = "\(folder)/\(made.count)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var fixture = try CommandFixture()
      fixture.leaflog.library = path
      let initialised = try fixture.leaflog("init", "--time-zone", "Europe/Berlin", "--quiet")
      try #require(initialised.status == 0, "\(initialised.error)")
      // One after the other, so that the photos have the same order each time.
      let result = try fixture.leaflog.run(
        ["import", "--quiet", "--jobs", "1", "--policy", policy] + sources
      )
      try #require(result.status == 0, "\(result.error)")
      try prepare(fixture)
      try waitUntilClosed(path)
      made[key] = path
      return path
    }
  }

  /// Returns once this process has no file of a library open: a command's connections may be closed on other threads after
  /// its end, and a copy that was made meanwhile would not be whole.
  private static func waitUntilClosed(_ library: String) throws {
    let start = ContinuousClock.now
    while try hasOpenFile(in: library) {
      try #require(start.duration(to: .now) < .seconds(60), "\(library) stays open.")
      sched_yield()
    }
  }

  private static func hasOpenFile(in folder: String) throws -> Bool {
    let files = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: files).contains { name in
      // One that was closed meanwhile has no destination any more.
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(name)")
      return path?.hasPrefix(folder + "/") ?? false
    }
  }
}
