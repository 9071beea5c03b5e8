internal import Foundation

/// Requests to a server on this machine, each on its own connection. The bytes are sent unchanged, so that even
/// requests that no client library would produce can be sent.
package struct HTTPExchange: Sendable {
  private let port: Int
  /// The client's address, one of 127.0.0.0/8.
  private let address: String

  package init(port: Int, from address: String = "127.0.0.1") {
    (self.port, self.address) = (port, address)
  }

  /// - Parameters:
  ///   - headers: header lines in addition to `Connection: close`; a `Host` is added if missing.
  ///   - body: sent with its length, if given.
  package func answer(
    _ method: String = "GET", _ path: String, _ headers: [String] = [], body: [UInt8]? = nil
  ) async throws -> Answer {
    let host = headers.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: localhost"]
    let length = body.map { ["Content-Length: \($0.count)"] } ?? []
    let lines =
      ["\(method) \(path) HTTP/1.1"] + host + headers + length + ["Connection: close", "", ""]
    return try await send(Array(lines.joined(separator: "\r\n").utf8) + (body ?? []))
  }

  /// Sends bytes unchanged, and reads until the server closes the connection.
  ///
  /// - Parameter ends: whether to close the sending side after them.
  package func send(_ bytes: [UInt8], ends: Bool = false) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Answer(exchange(bytes, ends: ends)) })
      }
    }
  }

  /// The number of bytes that a GET is answered with until the connection ends.
  ///
  /// - Parameter begun: runs once the answer has begun, while the rest of it waits to be read.
  package func byteCount(
    of path: String, _ headers: [String], begun: @escaping @Sendable () throws -> Void
  ) async throws -> Int {
    let lines =
      ["GET \(path) HTTP/1.1", "Host: localhost"] + headers + ["Connection: close", "", ""]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            var count = 0
            try exchange(bytes, ends: false) { part in
              if count == 0 { try begun() }
              count += part.count
            }
            return count
          })
      }
    }
  }

  private func exchange(_ bytes: [UInt8], ends: Bool) throws -> [UInt8] {
    var answer: [UInt8] = []
    try exchange(bytes, ends: ends) { answer += $0 }
    return answer
  }

  /// Performs the exchange, on a thread that may block.
  private func exchange(
    _ bytes: [UInt8], ends: Bool, _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let connection = try LoopbackSocket.make()
    defer { close(connection) }
    try LoopbackSocket.connect(connection, to: port, from: address)
    // A server that refuses a request may close the connection before reading all of it.
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      sent += count
    }
    if ends { shutdown(connection, CInt(SHUT_WR)) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      try receive(buffer[..<count])
    }
  }
}

/// The answer to a request.
package struct Answer: Sendable {
  package let status: Int
  /// The headers by lower-case name.
  package let headers: [String: String]
  package let body: [UInt8]

  package init(_ bytes: [UInt8]) throws {
    let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))
    guard let end else { throw CocoaError(.fileReadCorruptFile) }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    body = Array(bytes[end.upperBound...])
  }

  /// The body as a JSON object.
  package var json: [String: Any] {
    get throws {
      try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }
  }
}
