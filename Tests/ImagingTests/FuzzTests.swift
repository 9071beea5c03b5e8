import Foundation
import TestSupport
import Testing

/// Readers of untrusted bytes get damaged ones, in a process of their own: a trap ends it.
@Suite(.serialized) struct FuzzTests {
  static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test(arguments: [
    "exif", "tiff", "xmp", "takeout", "fileName", "jpeg", "png", "webp", "gif", "jxl", "fileType",
    "cursor", "times", "diaryJSON", "diaryCSV", "coefficients", "heif", "sequence",
  ])
  func `no damaged input ends the process`(target: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("input")
    let seed = Self.isLong ? UInt64.random(in: 0...UInt64(UInt32.max)) : 1
    let amount = Self.isLong ? ["--seconds", "60"] : ["--inputs", "500"]
    let result = try Command(library: nil).start(
      [target, "--seed", "\(seed)", "--file", file] + amount, program: Command.built("FuzzRunner")
    ).wait()
    let input = (try? Data(contentsOf: URL(fileURLWithPath: file)))?.dropFirst(8).prefix(2048)
    #expect(
      result.status == 0,
      """
      \(target), seed \(seed): status \(result.status). \(result.error.suffix(2000))
      The input began with \(input?.base64EncodedString() ?? "nothing")
      """)
    #expect((Int(result.output.trimmingCharacters(in: .newlines)) ?? 0) > 100)
  }

  @Test func `a reader that ends the process is noticed`() throws {
    var command = Command(library: nil)
    command.environment["SWIFT_BACKTRACE"] = "enable=no"  // which takes long and says nothing new
    let result = try command.start(
      ["trap", "--seed", "1", "--inputs", "500", "--file", try TemporaryFolder().file("input")],
      program: Command.built("FuzzRunner")
    ).wait()
    #expect(result.status == 128 + SIGILL || result.status == 128 + SIGTRAP)
  }
}

/// What is made of a photo, watched by Valgrind, which takes some minutes: only with `LEAFLOG_LONG_TESTS`.
@Suite(.serialized) struct MemoryErrorTests {
  private static let tools = ["/usr/bin/valgrind", "/usr/bin/strip"]
  private static let isPossible = tools.allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Command.Result {
    try Command(library: nil).start(arguments, program: program).wait()
  }

  @Test(
    .enabled(if: FuzzTests.isLong, "only with LEAFLOG_LONG_TESTS"),
    .enabled(if: isPossible, "valgrind or strip is not here"))
  func `Valgrind finds no error in what is made of a photo of each format`() throws {
    let folder = try TemporaryFolder()
    // Valgrind does not understand Swift's debug information, nor that its runtime may look at unset bits.
    let program = folder.file("FuzzRunner")
    let stripped = try run(Self.tools[1], ["-g", "-o", program, Command.built("FuzzRunner")])
    #expect(stripped.status == 0)
    var icc = HEIFBuilder()
    icc.profile = EmbeddedMetadata.profile(ofJPEG: try Fixtures.data("Colour/display-p3.jpg"))
    let wide = try folder.write(
      Data(icc.file(Fixtures.data("Colour/photo.heic"))), to: "wide.heic")
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("Colour"))
      .sorted()
    #expect(names.count > 10)
    for path in [wide] + names.map({ Fixtures.path("Colour/" + $0) }) {
      let result = try run(
        Self.tools[0],
        [
          "-q", "--undef-value-errors=no", "--error-exitcode=77", program, "pictures", "--replay",
          path,
        ])
      #expect(result.status == 0, "\(path): \(result.error.suffix(4000))")
    }
  }
}
