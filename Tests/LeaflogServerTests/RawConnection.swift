import Foundation
import TestSupport

/// A connection to a server in this process, on which a test says what it likes.
final class RawConnection: Sendable {
  private let descriptor: CInt

  /// - Parameters:
  ///   - address: the client's: one of 127.0.0.0/8.
  ///   - bufferByteCount: of what came and was not read; the system's choice unless given.
  init(port: Int, from address: String = "127.0.0.1", bufferByteCount: CInt? = nil) throws {
    descriptor = try LoopbackSocket.make()
    // A test that waits in vain fails.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var bufferByteCount {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &bufferByteCount, socklen_t(MemoryLayout<CInt>.size))
    }
    try LoopbackSocket.connect(descriptor, to: port, from: address)
  }

  deinit { close(descriptor) }

  /// Sends all of it, or as much as the server takes before it closes the connection.
  func send(_ text: String) async { await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async {
    await onThread { [self] in
      var rest = bytes[...]
      while !rest.isEmpty {
        // A server that went away must not raise SIGPIPE.
        let count = rest.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Says that nothing more is sent.
  func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Ends it both ways, so that nobody waits for anything any more.
  func abort() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// What comes until the server closes the connection, or until a text has come.
  ///
  /// - Throws: when nothing comes for a minute.
  func receive(until end: String? = nil) async throws -> String {
    String(decoding: try await receiveBytes(until: end), as: UTF8.self)
  }

  func receiveBytes(until end: String? = nil) async throws -> [UInt8] {
    let end = end.map { Array($0.utf8) }
    return try await onThread { [self] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while end.map({ !bytes.suffix($0.count).elementsEqual($0) }) ?? true {
        let count = read(descriptor, &buffer, buffer.count)
        // A server may close while there is something that it has not read.
        if count == 0 || count < 0 && errno == ECONNRESET { break }
        guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        bytes += buffer[..<count]
      }
      return bytes
    }
  }

  /// Runs a body that waits.
  private func onThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result(catching: body)) }
    }.get()
  }
}
