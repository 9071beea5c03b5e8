package import Foundation
internal import Glibc
internal import Synchronization

/// A server on the loopback interface that answers connections one after another and records their requests.
package final class LoopbackServer: Sendable {
  /// The reaction to a connection once the head of its request has been read.
  package enum Answer: Sendable {
    /// Sends these bytes and closes the connection.
    case bytes(Data)
    /// Sends bytes one by one at intervals, until the client is gone.
    case drip(Data, every: Duration)
    /// Sends nothing, and keeps the connection open.
    case silence

    /// A complete HTTP answer.
    package static func http(_ status: String, _ body: String, headers: [String] = []) -> Answer {
      let head =
        ["HTTP/1.1 \(status)", "Content-Type: application/json", "Connection: close"]
        + ["Content-Length: \(body.utf8.count)"] + headers
      return .bytes(Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
  }

  private let listener: LoopbackListener
  package var port: Int { listener.port }
  private let heads = Mutex<[String]>([])

  /// The heads of all requests so far.
  package var requests: [String] { heads.withLock { $0 } }

  package init(_ answer: Answer) throws {
    listener = try LoopbackListener()
    listener.serve { [weak self] connection in
      let head = Self.readHead(connection)
      guard let self else {
        close(connection)
        return
      }
      self.heads.withLock { $0.append(head) }
      Thread.detachNewThread { Self.send(answer, to: connection) }
    }
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
      // A client that has disconnected must not raise SIGPIPE.
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
