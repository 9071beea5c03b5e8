internal import Foundation
internal import Glibc

/// Reads a process's output line by line. One thread at a time may use it.
package final class LineReader: @unchecked Sendable {  // see above
  private let handle: FileHandle
  private var bytes: [UInt8] = []
  /// The number of bytes that have been returned as lines.
  private var position = 0

  init(_ pipe: Pipe) { handle = pipe.fileHandleForReading }

  /// Everything read so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Waits for the next line; nil at the end, or after two minutes without any data.
  package func next() -> String? {
    var searched = position
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { position = end + 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
      }
      searched = bytes.count
      var arrival = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&arrival, 1, 120_000)
      if count < 0, errno == EINTR { continue }
      guard count > 0, read() else { return nil }
    }
  }

  /// Waits until this many lines have come; false if the output ends before.
  package func skip(_ count: Int) -> Bool { (0..<count).allSatisfy { _ in next() != nil } }

  /// Waits for a line that contains this text; false if the output ends before.
  package func skip(to text: String) -> Bool {
    while let line = next() {
      if line.contains(text) { return true }
    }
    return false
  }

  func readToEnd() { while read() {} }

  /// Foundation's own method crashes the process when a signal interrupts it.
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      bytes.append(contentsOf: buffer[..<max(0, count)])
      return count > 0
    }
  }
}
