package import Foundation
internal import Glibc
internal import Synchronization

/// A server on the loopback interface that answers connections one after another, and records the
/// requests.
package final class LoopbackServer: Sendable {
  /// The reaction to a connection after the head of the request was read.
  package enum Answer: Sendable {
    /// Sends this and closes.
    case bytes(Data)
    /// Sends bytes one by one at intervals, until the client is gone.
    case drip(Data, every: Duration)
    /// Sends nothing, and keeps the connection open.
    case silence

    /// A whole answer.
    package static func http(_ status: String, _ body: String, headers: [String] = []) -> Answer {
      let head =
        ["HTTP/1.1 \(status)", "Content-Type: application/json", "Connection: close"]
        + ["Content-Length: \(body.utf8.count)"] + headers
      return .bytes(Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
  }

  private let descriptor: CInt
  package let port: UInt16
  private let heads = Mutex<[String]>([])

  /// The heads of all requests so far.
  package var requests: [String] { heads.withLock { $0 } }

  package init(_ answer: Answer) throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        descriptor >= 0 && bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0 { return }
        let head = Self.readHead(connection)
        guard let self else { return }
        self.heads.withLock { $0.append(head) }
        Thread.detachNewThread { Self.send(answer, to: connection) }
      }
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
    close(descriptor)
  }

  private static func readHead(_ connection: CInt) -> String {
    var head = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while head.range(of: Data("\r\n\r\n".utf8)) == nil {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { break }
      head.append(contentsOf: buffer[..<count])
    }
    return String(decoding: head, as: UTF8.self)
  }

  private static func send(_ answer: Answer, to connection: CInt) {
    func write(_ bytes: some Collection<UInt8>) -> Bool {
      // A client that went away must not raise SIGPIPE.
      Array(bytes).withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) == $0.count
      }
    }
    switch answer {
    case .bytes(let data): _ = write(data)
    case .drip(let data, let pause):
      for byte in data {
        guard write([byte]) else { break }
        var client = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        if poll(&client, 1, CInt(pause / .milliseconds(1))) > 0 { break }
      }
    case .silence:
      var byte: UInt8 = 0
      while read(connection, &byte, 1) > 0 {}
    }
    close(connection)
  }
}
