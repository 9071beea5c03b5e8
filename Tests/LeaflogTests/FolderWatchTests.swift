import Foundation
import Leaflog
import TestSupport
import Testing

@Suite struct FolderWatchTests {
  private func text(_ count: Int) -> Data { Data(repeating: 0x61, count: count) }

  @Test func `a file settles when it has not changed for a while`() throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    var files = SettlingFiles(settling: .seconds(2))
    let (one, two) = (try folder.write(text(1), to: "1"), try folder.write(text(1), to: "2"))
    files.note(two, at: start)
    files.note(one, at: start)
    #expect(files.takeSettled(at: start + .seconds(1.9)) == [])
    #expect(files.takeSettled(at: start + .seconds(2)) == [one, two])
    #expect(files.takeSettled(at: start + .seconds(9)) == [])
  }

  @Test func `one that is still being written waits, and one that goes is forgotten`() throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    var files = SettlingFiles(settling: .seconds(2))
    let (half, gone) = (try folder.write(text(1), to: "1"), try folder.write(text(1), to: "2"))
    for path in [half, gone, folder.path, folder.file("none")] { files.note(path, at: start) }
    try folder.write(text(2), to: "1")
    try FileManager.default.removeItem(atPath: gone)
    // Nobody told of the change; it is seen all the same.
    #expect(files.takeSettled(at: start + .seconds(2)) == [])
    #expect(files.takeSettled(at: start + .seconds(3.9)) == [])
    #expect(files.takeSettled(at: start + .seconds(4)) == [half])
    try folder.write(text(1), to: "2")
    #expect(files.takeSettled(at: start + .seconds(9)) == [])
  }

  @Test func `only folders are watched`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text(1), to: "1")
    for path in [file, folder.file("none")] {
      let error = #expect(throws: LeaflogError.self) { try FolderWatch(paths: [path]) }
      #expect(error?.code == .invalidRequest)
    }
  }
}
