import Foundation
import Leaflog
import TestSupport
import Testing

/// The program that the guide to the library begins with.
@Suite struct GuideProgramTests {
  private static let package = Fixtures.checkout + "/Tests/DependentPackage"
  private static let isRepository = FileManager.default.fileExists(
    atPath: Fixtures.checkout + "/.git")
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test func `the guide has this very program, and its package`() throws {
    let guide = try String(
      contentsOfFile: Fixtures.checkout + "/Sources/Leaflog/Leaflog.docc/LibraryGuide.md",
      encoding: .utf8)
    let program = try String(
      contentsOfFile: Self.package + "/Sources/diary/main.swift", encoding: .utf8)
    #expect(guide.contains("```swift\n\(program)```"))
    let title = try String(
      contentsOfFile: Self.package + "/Sources/diary/title.swift", encoding: .utf8)
    #expect(guide.contains("```swift\n\(title.replacing("import Leaflog\n\n", with: ""))```"))
    let package = try String(contentsOfFile: Self.package + "/Package.swift", encoding: .utf8)
    #expect(package.contains(#".product(name: "Leaflog", package: "leaflog")"#))
    #expect(guide.contains(#".product(name: "Leaflog", package: "leaflog")"#))
  }

  @Test(.enabled(if: isRepository, "only in a checkout with its history"))
  func `the guide's lines fetch the library of a tag, and nothing of the service`() throws {
    let folder = try TemporaryFolder()
    let (copy, package) = (folder.file("leaflog"), folder.file("diary"))
    try run("git", "clone", "--quiet", "--bare", Fixtures.checkout, copy)
    try run("git", "-C", copy, "tag", "0.1.0", "HEAD")
    let guide = try String(
      contentsOfFile: Fixtures.checkout + "/Sources/Leaflog/Leaflog.docc/LibraryGuide.md",
      encoding: .utf8)
    let blocks = guide.components(separatedBy: "```swift\n")
    let lines = try #require(blocks[1].components(separatedBy: "```").first)
    let manifest = """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "diary",
      \(lines.replacing("ADDRESS", with: "file://" + copy)))
      """
    try folder.write(Data(manifest.utf8), to: "diary/Package.swift")
    try folder.copy(
      "../Tests/DependentPackage/Sources/diary/main.swift", to: "diary/Sources/diary/main.swift")
    let names = ["GRDB.swift", "swift-log", "swift-system"]
    for name in names { try mirror(name, in: folder, for: package) }
    try run(
      "swift", "package", "--package-path", package, "--cache-path", folder.file("cache"),
      "resolve")
    let fetched = try FileManager.default.contentsOfDirectory(atPath: package + "/.build/checkouts")
    #expect(Set(fetched) == Set(names + ["leaflog"]))
  }

  private func run(_ arguments: String...) throws {
    let result = try Command(library: nil).start(arguments, program: "/usr/bin/env").wait()
    #expect(result.status == 0, "\(arguments): \(result.output)\(result.error)")
  }

  /// Lets a package have another from where the tests' own build has it, so that nothing is fetched from elsewhere.
  private func mirror(_ name: String, in folder: TemporaryFolder, for package: String) throws {
    let repositories = URL(fileURLWithPath: Command.built("."))
      .appendingPathComponent("../../repositories").standardizedFileURL.path
    let known = try #require(
      FileManager.default.contentsOfDirectory(atPath: repositories).first {
        $0.hasPrefix(name + "-") && $0.dropFirst(name.count + 1).allSatisfy(\.isHexDigit)
      })
    let mirror = folder.file(name)
    try FileManager.default.createSymbolicLink(
      atPath: mirror, withDestinationPath: repositories + "/" + known)
    let manifest = try String(contentsOfFile: Fixtures.checkout + "/Package.swift", encoding: .utf8)
    let address = try #require(
      manifest.matches(of: /"(https:[^"]+)"/).map(\.1).first { $0.hasSuffix("/" + name) })
    try run(
      "swift", "package", "--package-path", package, "config", "set-mirror", "--original",
      String(address), "--mirror", "file://" + mirror)
  }

  @Test func `it imports, pages, and sees what the command does`() throws {
    try run(Command.built("GuideProgram"))
  }

  @Test(.enabled(if: isLong, "only with LEAFLOG_LONG_TESTS"))
  func `a package of somebody else builds it, and its tests pass`() throws {
    let folder = try TemporaryFolder()
    let build = try Command(library: nil).start(
      ["swift", "test", "--package-path", Self.package, "--scratch-path", folder.path],
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
