import Foundation
import TestSupport
import Testing

/// Readers of untrusted bytes get damaged ones, in a process of their own: a trap ends it.
@Suite(.serialized) struct FuzzTests {
  static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test(arguments: [
    "exif", "tiff", "xmp", "takeout", "fileName", "jpeg", "png", "webp", "gif", "jxl", "fileType",
    "cursor", "times", "diaryJSON", "diaryCSV", "coefficients",
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
