internal import Foundation
internal import Glibc
internal import Synchronization

/// The beginning of a process's standard error. A thread of its own reads all of it: a process whose pipe
/// is full would block, and so would whoever writes to that process.
final class ErrorOutput: Sendable {
  private static let maxByteCount = 4096

  private let bytes = Mutex<[UInt8]>([])
  private let isRead = DispatchSemaphore(value: 0)

  /// Begins to read.
  ///
  /// - Parameter pipe: the standard error of a process that was started.
  init(_ pipe: Pipe) {
    Thread.detachNewThread { [self] in
      // Foundation's own reading ends this process when a signal interrupts it.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        bytes.withLock { $0 += buffer.prefix(min(count, Self.maxByteCount - $0.count)) }
      }
      isRead.signal()
    }
  }

  /// The text, trimmed, at most 4096 bytes. Waits until the process has closed its end.
  func text() -> String {
    isRead.wait()
    isRead.signal()  // for the next call
    return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
