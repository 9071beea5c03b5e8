import Foundation
import TestSupport
import Testing

/// Imports in a process of their own, which tells at its end how much memory it had at the most.
@Suite(.serialized) struct ImportMemoryTests {
  /// In bytes, whatever is imported.
  private static let limit = 600_000_000

  private func run(
    _ fixture: CommandFixture, _ arguments: String..., status: Int32 = 0
  ) throws -> [[String: Any]] {
    var command = fixture.leaflog
    command.environment["LEAFLOG_LOG"] = "debug"
    let result = try command.start(["import", fixture.photos, "--json"] + arguments).wait()
    #expect(result.status == status, "\(result.error.suffix(500))")
    let peak = result.error.components(separatedBy: "peakMemory=").dropFirst().first
      .flatMap { Int($0.prefix { $0.isNumber }) }
    #expect(try #require(peak) < Self.limit)
    return result.json
  }

  /// A photo with zeros behind it, up to a size, which take no room on a disk.
  private func writeSparse(_ fixture: CommandFixture, _ name: String, byteCount: UInt64) throws {
    let path = try fixture.folder.write(
      Fixtures.data("Photos/monstera/IMG_0002.jpg"), to: "photos/" + name)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: byteCount)
    try file.close()
  }

  /// A black JPEG of 3 components whose Huffman codes have one bit: two bits of zero a block.
  private func flatJPEG(side: Int) -> Data {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
    }
    let size = [UInt8(side >> 8), UInt8(side & 0xFF)]
    let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    let header =
      [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(0xC0, [8] + size + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
      + segment(0xC4, [0x00] + one) + segment(0xC4, [0x10] + one)
      + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
    let blocks = (side / 8) * (side / 8) * 3
    return Data(header) + Data(repeating: 0, count: blocks * 2 / 8) + Data([0xFF, 0xD9])
  }

  @Test func `a file of six gigabytes is refused with a sentence`() throws {
    let fixture = try CommandFixture(inMemory: false)
    try writeSparse(fixture, "fern/huge.jpg", byteCount: 6_000_000_000)
    let lines = try run(fixture, status: 1)
    #expect(lines.first?["reason"] as? String == "tooLarge")
    #expect((lines.first?["message"] as? String)?.contains("512 MB") == true)
  }

  @Test func `large files wait for each other`() throws {
    let fixture = try CommandFixture(inMemory: false)
    // Two at once would be over the limit.
    for index in 0..<2 {
      try writeSparse(fixture, "fern/\(index).jpg", byteCount: 400_000_000 + UInt64(index))
    }
    let lines = try run(fixture, "--jobs", "2")
    #expect((lines.last?["summary"] as? [String: Any])?["added"] as? Int == 2)
  }

  @Test func `a photo of as many pixels as there may be is kept exactly`() throws {
    let fixture = try CommandFixture()
    for index in 0..<2 {
      try fixture.folder.write(
        flatJPEG(side: 16_384) + Data(repeating: 0, count: index), to: "photos/fern/\(index).jpg")
    }
    let lines = try run(fixture, "--jobs", "2")
    #expect((lines.last?["summary"] as? [String: Any])?["added"] as? Int == 2)
    let photo = try #require(try fixture.entries().first)
    let shown = try fixture.json("show", try #require(photo["id"] as? String))
    let roles = (shown["renditions"] as? [[String: Any]] ?? []).compactMap { $0["role"] as? String }
    #expect(Set(roles) == ["original", "thumbnail"])
  }

  @Test func `with little memory a photo is kept exactly, and compressed on another day`() throws {
    let fixture = try CommandFixture()
    try fixture.folder.write(flatJPEG(side: 4096), to: "photos/fern/0.jpg")
    let lines = try run(fixture, "--memory", "128m")
    #expect((lines.last?["summary"] as? [String: Any])?["added"] as? Int == 1)
    func roles() throws -> Set<String> {
      let id = try #require(try fixture.entries().first?["id"] as? String)
      let renditions = try fixture.json("show", id)["renditions"] as? [[String: Any]] ?? []
      return Set(renditions.compactMap { $0["role"] as? String })
    }
    #expect(try roles() == ["original", "thumbnail"])
    #expect(try fixture.leaflog("recompress", "--policy", "lossless", "--quiet").status == 0)
    #expect(try roles() == ["packed", "thumbnail"])
  }

  @Test func `the refusal names the memory that is needed and that there is`() throws {
    let fixture = try CommandFixture(inMemory: false)
    try writeSparse(fixture, "fern/large.jpg", byteCount: 100_000_000)
    let lines = try run(fixture, "--memory", "150MB", status: 1)
    #expect(lines.first?["reason"] as? String == "tooLarge")
    let message = try #require(lines.first?["message"] as? String)
    #expect(message.contains("100 MB") && message.contains("50 MB"), "\(message)")
  }

  @Test(arguments: ["127MB", "0", "much", "-1", "99999999999GB"])
  func `less memory than the program takes itself is refused`(size: String) throws {
    let fixture = try CommandFixture()
    for words in [["import", fixture.photos], ["serve"]] {
      let result = try fixture.leaflog.run(words + ["--memory=\(size)"])
      #expect(result.status == 64 && result.error.contains("--memory"), "\(result.error)")
    }
  }

  @Test func `many jobs take no more`() throws {
    let fixture = try CommandFixture()
    // At once they would take 800 MB.
    for index in 0..<16 {
      try fixture.folder.write(
        flatJPEG(side: 4096) + Data(repeating: 0, count: index), to: "photos/fern/\(index).jpg")
    }
    let lines = try run(fixture, "--jobs", "64")
    #expect((lines.last?["summary"] as? [String: Any])?["added"] as? Int == 16)
  }
}
