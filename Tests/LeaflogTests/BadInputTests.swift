import BlobStorage
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

@Suite struct BadInputTests {
  @Test func `each bad file gets its own outcome and the good one goes in`() async throws {
    let fixture = try LibraryFixture()
    let jpeg = try Fixtures.data("Photos/monstera/IMG_0002.jpg")
    var corrupt = jpeg
    corrupt.replaceSubrange(
      2..<(corrupt.count - 2), with: Data(repeating: 0x55, count: jpeg.count - 4))
    let files: [(String, Data, FailureReason)] = [
      ("truncated.jpg", jpeg.prefix(jpeg.count / 2), .truncated), ("empty.jpg", Data(), .empty),
      ("noise.jpg", Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97) }), .notAnImage),
      ("page.jpg", Data("<html></html>".utf8), .notAnImage),
      ("corrupt.jpg", jpeg.prefix(4) + corrupt.dropFirst(4), .corrupt),
    ]
    for (name, data, _) in files { try fixture.folder.write(data, to: "photos/fern/\(name)") }
    try fixture.folder.write(jpeg, to: "photos/fern/good.jpg")
    try fixture.folder.write(Data(), to: "photos/fern/empty.txt")
    let (summary, outcomes) = try await fixture.run()
    for (name, _, reason) in files {
      let found = outcomes.of(name)?.failure
      #expect(found == reason || name == "corrupt.jpg" && found == .truncated, "\(name)")
    }
    #expect(outcomes.of("good.jpg")?.added != nil)
    #expect(outcomes.of("empty.txt")?.skip == .notAnImage)
    #expect(summary.failed == files.count)
    #expect(fixture.storedFiles.count == 2)
    #expect(fixture.folder.files(below: "library/tmp").isEmpty)
  }

  @Test func `with many jobs each failed file has its own reason`() async throws {
    let fixture = try LibraryFixture()
    let jpeg = try Fixtures.data("Photos/monstera/IMG_0002.jpg")
    let (png, webp) = (
      try Fixtures.data("Colour/alpha.png"), try Fixtures.data("Colour/lossless.webp")
    )
    var precise = jpeg
    let frame = try #require(jpeg.range(of: Data([0xFF, 0xC0]))).lowerBound
    precise[frame + 4] = 12
    var damaged = png
    let data = try #require(png.range(of: Data("IDAT".utf8))).upperBound
    for index in data..<(data + 20) { damaged[index] = 0x55 }
    let kinds: [(String, Data, FailureReason)] = [
      ("cut.jpg", jpeg.prefix(jpeg.count / 2), .truncated),
      ("precise.jpg", precise, .unsupportedFormat),
      ("damaged.png", damaged, .corrupt), ("cut.png", png.prefix(png.count / 2), .truncated),
      ("cut.webp", webp.prefix(webp.count / 2), .truncated),
    ]
    for index in 0..<30 {
      for (name, data, _) in kinds {
        try fixture.folder.write(
          data + Data(repeating: 0, count: name == "cut.webp" ? 0 : index),
          to: "photos/\(index)-\(name)")
      }
      try fixture.folder.write(jpeg + Data(repeating: 0, count: index), to: "photos/\(index).jpg")
    }
    func results(_ jobs: Int) async throws -> [String: FileOutcome.Result] {
      let outcomes = try await fixture.run { ($0.jobCount, $0.isDryRun) = (jobs, true) }.outcomes
      return Dictionary(
        outcomes.list.filter { $0.failure != nil }.map { ($0.path, $0.result) },
        uniquingKeysWith: { first, _ in first })
    }
    let alone = try await results(1)
    #expect(alone.count == 30 * kinds.count)
    for (path, result) in try await results(8) {
      #expect(result == alone[path])
      let kind = try #require(kinds.first { path.hasSuffix("-" + $0.0) })
      guard case .failed(let reason, _) = result else { continue }
      #expect(reason == kind.2, "\(path)")
    }
  }

  @Test func `a file above the library's limit is not read`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/fern.jpg")
    try fixture.library.settings.set(.importMaxFileSize, to: "20kb")
    #expect(try fixture.library.settings.value(of: .importMaxFileSize) == "20 KB")
    let outcome = try #require(try await fixture.run().outcomes.of("fern.jpg"))
    #expect(outcome.failure == .tooLarge)
    guard case .failed(_, let message) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(message.contains("import.maxFileSize"))
    #expect(try await fixture.run { $0.maxFileByteCount = 1_000_000 }.summary.added == 1)
    for value in ["", "0", "-1 MB", "many", "9999999999 GB"] {
      #expect(throws: LeaflogError.self) {
        try fixture.library.settings.set(.importMaxFileSize, to: value)
      }
    }
  }

  @Test func `a wrong extension does not matter`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Colour/photo.heic", to: "photos/a.jpg")
    try fixture.folder.copy("Colour/alpha.png", to: "photos/b")
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/c.txt")
    #expect(try await fixture.run().summary.added == 3)
  }

  @Test func `RAW files say whether a JPEG lies beside them`() async throws {
    let fixture = try LibraryFixture()
    let raw = Data([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0] + Array("CR\u{2}\0".utf8))
    try fixture.folder.write(raw, to: "photos/IMG_1.CR2")
    try fixture.folder.write(raw, to: "photos/IMG_2.CR2")
    try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/img_1.JPG")
    let outcomes = try await fixture.run().outcomes
    #expect(outcomes.of("IMG_1.CR2")?.skip == .rawBesideJPEG)
    #expect(outcomes.of("IMG_2.CR2")?.skip == .raw)
  }

  @Test func `odd names are names`() async throws {
    let fixture = try LibraryFixture()
    let jpeg = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    let names = [
      "new\nline.jpg", "-rf.jpg", "🪴🌱.jpg", "a b'c\"d.jpg", "\u{202E}gpj.jpg",
      String(repeating: "x", count: 251) + ".jpg",
    ]
    for (index, name) in names.enumerated() {
      try fixture.folder.write(jpeg + Data(repeating: 0, count: index), to: "photos/🌵 one/\(name)")
    }
    var bytes = Array((fixture.photos + "/🌵 one/").utf8) + [0x66, 0xFF, 0xFE] + Array(".jpg".utf8)
    bytes.append(0)
    let file = bytes.withUnsafeBytes {
      open($0.bindMemory(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
    }
    #expect(file >= 0)
    let last = jpeg + Data(repeating: 0, count: 100)
    #expect(last.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == last.count)
    close(file)
    #expect(try await fixture.run().summary.added == 7)
    #expect(try fixture.library.plants.all().map(\.name) == ["🌵 one"])
    let again = try await fixture.run().summary
    #expect(again.added == 0 && again.duplicate == 7)
  }

  @Test func `link loops end, dangling links and missing paths say so`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/a/1.jpg")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: fixture.photos + "/a/loop", withDestinationPath: fixture.photos)
    try files.createSymbolicLink(atPath: fixture.photos + "/a/self", withDestinationPath: "self")
    try files.createSymbolicLink(atPath: fixture.photos + "/a/gone.jpg", withDestinationPath: "no")
    try files.createSymbolicLink(atPath: fixture.photos + "/b", withDestinationPath: "a")
    let (summary, outcomes) = try await fixture.run([
      fixture.photos, fixture.folder.file("nowhere"),
    ]) { $0.followsLinks = true }
    #expect(summary.added == 1)
    #expect(outcomes.of("a/loop")?.skip == .alreadyVisited)
    #expect(outcomes.of("b")?.skip == .alreadyVisited)
    #expect(outcomes.of("a/self")?.failure == .unreadable)
    #expect(outcomes.of("gone.jpg")?.skip == .link)
    #expect(outcomes.of("nowhere")?.failure == .notFound)
  }

  @Test func `pipes, hidden files and libraries are passed over`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/.hidden.jpg")
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/.folder/a.jpg")
    mkfifo(fixture.photos + "/pipe.jpg", 0o600)
    let outcomes = try await fixture.run([fixture.folder.path]).outcomes
    #expect(outcomes.of(".hidden.jpg")?.skip == .hidden)
    #expect(outcomes.of(".folder")?.skip == .hidden)
    #expect(outcomes.of("pipe.jpg")?.skip == .notAFile)
    #expect(outcomes.of("library")?.skip == .library)
    #expect(try fixture.entries().isEmpty)
  }

  @Test func `a folder that vanishes under way is an outcome`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/a/1.jpg")
    try fixture.folder.copy("Photos/basil/20250517T120006+0100.jpg", to: "photos/b/2.jpg")
    let outcomes = Outcomes()
    var request = ImportRequest(paths: [fixture.photos])
    request.jobCount = 1
    let gone = fixture.photos + "/b"
    let summary = try await Importer(fixture.library).run(request) { outcome in
      outcomes.add(outcome)
      try? FileManager.default.removeItem(atPath: gone)
    }
    #expect(summary.added + summary.failed == 2)
    #expect(outcomes.list.allSatisfy { $0.failure == nil || $0.failure == .vanished })
  }

  @Test(arguments: [(Errno.noSpace, FailureReason.noSpace), (.readOnlyFileSystem, .readOnly)])
  func `a disk that takes no more fails the files, and the next run brings them in`(
    error: Errno, reason: FailureReason
  ) async throws {
    let faults = FaultyFileSystem()
    let fixture = try LibraryFixture(files: faults)
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "photos/a.jpg")
    try fixture.folder.copy("Photos/basil/20250517T120006+0100.jpg", to: "photos/b.jpg")
    faults.arm(FaultPlan(.failFromHere(error), at: 0))
    let (summary, outcomes) = try await fixture.run()
    #expect(summary.failed == 2)
    #expect(outcomes.list.map(\.failure) == [reason, reason])
    #expect(fixture.storedFiles.isEmpty)
    #expect(fixture.folder.files(below: "library/tmp").isEmpty)
    #expect(try fixture.entries().isEmpty)
    faults.arm()
    #expect(try await fixture.run().summary.added == 2)
  }

  @Test func `one photo that does not fit does not take its batch with it`() async throws {
    let faults = FaultyFileSystem()
    let fixture = try LibraryFixture(files: faults)
    for index in 0..<6 {
      try fixture.folder.write(
        Fixtures.data("Colour/srgb.jpg") + Data(repeating: 0, count: index),
        to: "photos/\(index).jpg")
    }
    faults.arm(FaultPlan(.fail(.noSpace), at: 0))
    let (summary, _) = try await fixture.run()
    #expect(summary.added >= 5)
    #expect(summary.added + summary.failed == 6)
  }

  @Test func `a cancelled import keeps what is done and the next one finishes`() async throws {
    let fixture = try LibraryFixture()
    for index in 0..<40 {
      try fixture.folder.write(
        Fixtures.data("Photos/basil/20250510T120006+0100.jpg") + Data(repeating: 0, count: index),
        to: "photos/\(index).jpg")
    }
    let request = ImportRequest(paths: [fixture.photos])
    let outcomes = Outcomes()
    let library = fixture.library
    let work = Task {
      try await Importer(library).run(request) { outcome in
        outcomes.add(outcome)
        // Reports come from the import's own task.
        if outcomes.list.count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let summary = try await work.value
    #expect(summary.isInterrupted)
    #expect(summary.added == outcomes.list.count)
    #expect(try fixture.entries().count == summary.added)
    let rest = try await fixture.run().summary
    #expect(rest.added == 40 - summary.added)
    #expect(try fixture.entries().count == 40)
  }
}
