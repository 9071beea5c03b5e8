import Foundation
import Glibc
import Synchronization

/// A server-sent event with a job, or something else in JSON.
struct ServerEvent: Sendable {
  /// The number at the end of its id.
  let id: Int
  /// The id as it was sent.
  let sentID: String
  let name: String
  let job: Job

  /// A job as the service tells it.
  struct Job: Sendable {
    private let data: Data

    init(_ data: Data) { self.data = data }

    var values: [String: Any] {
      (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }

    var id: String { values["id"] as? String ?? "" }
    var state: String { values["state"] as? String ?? "" }
    var progress: [String: Any] { values["progress"] as? [String: Any] ?? [:] }
    var done: Int? { progress["done"] as? Int }
    var result: [String: Any] { values["result"] as? [String: Any] ?? [:] }
    var summary: [String: Any] { result["summary"] as? [String: Any] ?? [:] }
    var file: [String: Any] { values["file"] as? [String: Any] ?? [:] }
    var problem: [String: Any] { values["problem"] as? [String: Any] ?? [:] }
  }
}

/// Reads server-sent events from a connection of its own, on a thread of its own.
final class EventReader: Sendable {
  let events: AsyncStream<ServerEvent>
  private let connection: CInt

  /// - Parameters:
  ///   - last: the number of the last event that was read.
  ///   - start: what to wait for before anything is read.
  init(
    port: Int, _ path: String, _ headers: [String] = [], last: Int? = nil,
    afterwards start: DispatchSemaphore? = nil
  ) throws {
    let connection = try Loopback.connect(port)
    self.connection = connection
    let lines =
      ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
      + (last.map { ["Last-Event-ID: \($0)"] } ?? []) + ["", ""]
    let request = Array(lines.joined(separator: "\r\n").utf8)
    guard write(connection, request, request.count) == request.count else {
      throw POSIXError(.EPIPE)
    }
    let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
    self.events = events
    Thread.detachNewThread {
      start?.wait()
      var parser = EventParser()
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { break }
        for event in parser.take(buffer[..<count]) { continuation.yield(event) }
      }
      continuation.finish()
      close(connection)
    }
  }

  /// As a client that goes away.
  func leave() { shutdown(connection, Int32(SHUT_RDWR)) }
}

/// Takes an answer in chunks (RFC 9112, 7.1) apart into its events.
private struct EventParser {
  private var bytes = Data()
  private var text = Data()
  private var hasHead = false

  mutating func take(_ new: ArraySlice<UInt8>) -> [ServerEvent] {
    bytes += new
    if !hasHead {
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return [] }
      bytes = Data(bytes[end.upperBound...])
      hasHead = true
    }
    while let line = bytes.range(of: Data("\r\n".utf8)) {
      let size = String(decoding: bytes[..<line.lowerBound], as: UTF8.self)
      guard let count = Int(size, radix: 16), bytes[line.upperBound...].count >= count + 2 else {
        break
      }
      text += bytes[line.upperBound...].prefix(count)
      bytes = Data(bytes[line.upperBound...].dropFirst(count + 2))
    }
    var events: [ServerEvent] = []
    while let end = text.range(of: Data("\n\n".utf8)) {
      let lines = String(decoding: text[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
      text = Data(text[end.upperBound...])
      func field(_ name: String) -> Substring? {
        lines.first { $0.hasPrefix(name + ": ") }?.dropFirst(name.count + 2)
      }
      guard let sentID = field("id"),
        let id = sentID.split(separator: ".").last.flatMap({ Int($0) }),
        let name = field("event"), let data = field("data")
      else { continue }
      events.append(
        ServerEvent(
          id: id, sentID: String(sentID), name: String(name), job: .init(Data(data.utf8))))
    }
    return events
  }
}
