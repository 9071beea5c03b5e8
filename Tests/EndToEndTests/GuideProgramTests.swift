import Foundation
import Leaflog
import TestSupport
import Testing

/// The program that the guide to the library begins with.
@Suite struct GuideProgramTests {
  private static let package = Fixtures.checkout + "/Tests/DependentPackage"
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test func `the guide has this very program, and its package`() throws {
    let guide = try String(
      contentsOfFile: Fixtures.checkout + "/Sources/Leaflog/Leaflog.docc/LibraryGuide.md",
      encoding: .utf8)
    let program = try String(
      contentsOfFile: Self.package + "/Sources/diary/main.swift", encoding: .utf8)
    #expect(guide.contains("```swift\n\(program)```"))
    let package = try String(contentsOfFile: Self.package + "/Package.swift", encoding: .utf8)
    #expect(package.contains(#".product(name: "Leaflog", package: "leaflog")"#))
    #expect(guide.contains(#".product(name: "Leaflog", package: "leaflog")"#))
  }

  @Test func `it imports, pages, and sees what the command does`() throws {
    try run(Command.built("GuideProgram"))
  }

  @Test(.enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"))
  func `a package of somebody else builds it`() throws {
    let folder = try TemporaryFolder()
    let build = try Command(library: nil).start(
      ["swift", "build", "--package-path", Self.package, "--scratch-path", folder.path],
      program: "/usr/bin/env"
    ).wait()
    #expect(build.status == 0, "\(build.output)\(build.error)")
    try run(folder.file("debug/diary"))
  }

  /// Runs the program, and the command beside it until the program has noticed.
  private func run(_ program: String) throws {
    let folder = try TemporaryFolder()
    let command = Command(library: folder.file("library"))
    let running = try command.start(
      [folder.file("library"), Fixtures.path("Photos/basil")], program: program)
    while running.process.isRunning {
      // It has yet to make the library, and to observe it.
      guard Library.exists(at: folder.file("library")) else { continue }
      _ = try command.run(["symptom", "add", "ache", "--severity", "1"])
    }
    let done = running.wait()
    #expect(done.status == 0, "\(done.error)")
    let lines = done.output.split(separator: "\n")
    #expect(lines.first == "4 new photos" && lines.contains { $0.hasPrefix("and ") })
    #expect(lines.contains { $0.hasPrefix("and back: ") })
    #expect(lines.last?.hasSuffix(" is about a symptom.") == true)
  }
}
