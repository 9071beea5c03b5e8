internal import BlobStorage
internal import DiaryModel
package import Foundation
internal import Glibc
internal import Synchronization

/// An S3-compatible store in memory that can be told how to treat single requests. It accepts every signature.
package final class ObjectServer: Sendable {
  /// A received request.
  package struct Request: Sendable {
    package let method: String
    /// The key, without the bucket; empty for a listing.
    package let key: String
    package let query: [String: String]
    package let headers: [String: String]
    package let body: Data
  }

  /// The reaction to a request.
  package enum Reaction: Sendable {
    /// Behaves like a store.
    case obey
    /// Performs the request, and closes the connection without an answer.
    case obeySilently
    /// Closes the connection without an answer, and performs the request after this many more requests have come.
    case obeyLate(after: Int)
    /// Does nothing, and closes the connection without an answer.
    case drop
    /// Does nothing, and answers with this error.
    case refuse(status: Int, code: String, headers: [String: String] = [:])
    /// Does nothing and answers with this.
    case answer(status: Int, headers: [String: String], body: String)
    /// Answers a GET, and closes the connection in the middle of the body.
    case cutShort
    /// Answers a GET with a changed byte in the body.
    case damage
    /// Sends nothing until the client disconnects.
    case stall
  }

  package var port: Int { listener.port }
  package var endpoint: String { "http://127.0.0.1:\(port)" }
  private let listener: LoopbackListener
  private let state = Mutex(State())
  private let checksDigests: Bool
  private let reaction: @Sendable (Request, _ number: Int) -> Reaction

  private struct State {
    var objects: [String: (Data, Date)] = [:]
    var requests: [Request] = []
    var connectionCount = 0
    /// The requests to be performed late, each before the request with this number.
    var late: [(number: Int, request: Request)] = []
  }

  /// The number of connections so far.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// All requests so far.
  package var requests: [Request] { state.withLock { $0.requests } }
  /// The objects by their keys.
  package var objects: [String: Data] { state.withLock { $0.objects.mapValues(\.0) } }

  /// - Parameters:
  ///   - checksDigests: whether to refuse bytes that do not match their SHA-256.
  ///   - reaction: receives each request and its number, starting at 0.
  package init(
    checksDigests: Bool = true,
    _ reaction: @escaping @Sendable (Request, _ number: Int) -> Reaction = { _, _ in .obey }
  ) throws {
    (self.reaction, self.checksDigests) = (reaction, checksDigests)
    listener = try LoopbackListener()
    listener.serve { [weak self] connection in
      self?.state.withLock { $0.connectionCount += 1 }
      Thread.detachNewThread { [weak self] in
        while self?.serveOne(connection) == true {}
        close(connection)
      }
    }
  }

  /// Changes an object behind the store's back.
  package func set(_ data: Data?, for key: String) {
    state.withLock { $0.objects[key] = data.map { ($0, Date()) } }
  }

  private func takeLate(before number: Int) -> [Request] {
    state.withLock { state in
      let due = state.late.filter { $0.number <= number }
      state.late.removeAll { $0.number <= number }
      return due.map(\.request)
    }
  }

  /// Performs all late requests.
  package func catchUp() { takeLate(before: .max).forEach { _ = answer($0) } }

  /// Serves one request; false when the connection has ended.
  private func serveOne(_ connection: CInt) -> Bool {
    guard let request = ObjectServerRequest.read(connection) else { return false }
    let number = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    takeLate(before: number).forEach { _ = answer($0) }
    switch reaction(request, number) {
    case .obey: return ObjectServerRequest.send(answer(request), to: connection)
    case .obeySilently:
      _ = answer(request)
      return false
    case .obeyLate(let count):
      state.withLock { $0.late.append((number + count, request)) }
      return false
    case .drop: return false
    case .refuse(let status, let code, let headers):
      let body = "<?xml version='1.0'?><Error><Code>\(code)</Code></Error>"
      let answer = Answer(status: status, headers: headers, body: Data(body.utf8))
      return ObjectServerRequest.send(answer, to: connection, hasBody: request.method != "HEAD")
    case .answer(let status, let headers, let body):
      let answer = Answer(status: status, headers: headers, body: Data(body.utf8))
      return ObjectServerRequest.send(answer, to: connection)
    case .cutShort:
      var bytes = answer(request).encoded()
      bytes.removeLast(min(bytes.count, 10))
      _ = ObjectServerRequest.write(bytes, to: connection)
      return false
    case .damage:
      var changed = answer(request)
      if !changed.body.isEmpty { changed.body[changed.body.startIndex] ^= 1 }
      return ObjectServerRequest.send(changed, to: connection)
    case .stall:
      var byte: UInt8 = 0
      while Glibc.read(connection, &byte, 1) > 0 {}
      return false
    }
  }
}

extension ObjectServer {
  struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body = Data()
    /// The size in an answer to HEAD, which has no body.
    var byteCount: Int?

    func encoded(hasBody: Bool = true) -> Data {
      var lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(byteCount ?? body.count)"]
      lines += headers.map { "\($0.key): \($0.value)" }
      return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (hasBody ? body : Data())
    }
  }

  private func answer(_ request: Request) -> Answer {
    state.withLock { state in
      switch request.method {
      case "PUT":
        let digest = request.body.withUnsafeBytes { BlobID(hashing: $0) }.hex
        if checksDigests, digest != request.headers["x-amz-content-sha256"] {
          let body = "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"
          return Answer(status: 400, body: Data(body.utf8))
        }
        state.objects[request.key] = (request.body, Date())
        return Answer()
      case "DELETE":
        state.objects[request.key] = nil
        return Answer(status: 204)
      case "HEAD":
        guard let (data, _) = state.objects[request.key] else { return Answer(status: 404) }
        return Answer(byteCount: data.count)
      case _ where request.query["list-type"] == "2":
        return listing(state.objects, request.query)
      default:
        guard let (data, _) = state.objects[request.key] else {
          let body = "<Error><Code>NoSuchKey</Code></Error>"
          return Answer(status: 404, body: Data(body.utf8))
        }
        return part(of: data, request.headers["range"])
      }
    }
  }

  private func part(of data: Data, _ range: String?) -> Answer {
    guard let range, let match = range.wholeMatch(of: /bytes=(\d+)-(\d+)/),
      let first = Int(match.1), let last = Int(match.2)
    else { return Answer(body: data) }
    guard first < data.count else { return Answer(status: 416) }
    let end = min(last, data.count - 1)
    return Answer(
      status: 206, headers: ["Content-Range": "bytes \(first)-\(end)/\(data.count)"],
      body: data.dropFirst(first).prefix(end - first + 1))
  }

  private func listing(_ objects: [String: (Data, Date)], _ query: [String: String]) -> Answer {
    let start = query["continuation-token"] ?? query["start-after"] ?? ""
    let keys = objects.keys.filter { $0.hasPrefix(query["prefix"] ?? "") && $0 > start }.sorted()
    let page = keys.prefix(query["max-keys"].flatMap { Int($0) } ?? 1000)
    let format = ISO8601DateFormatter()
    var text = "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult>"
    for key in page {
      guard let (data, date) = objects[key] else { continue }
      text += "<Contents><Key>\(key)</Key><Size>\(data.count)</Size>"
      text += "<LastModified>\(format.string(from: date))</LastModified></Contents>"
    }
    text += "<IsTruncated>\(page.count < keys.count)</IsTruncated>"
    if page.count < keys.count, let last = page.last {
      text += "<NextContinuationToken>\(last)</NextContinuationToken>"
    }
    return Answer(body: Data((text + "</ListBucketResult>").utf8))
  }
}

/// HTTP, as far as this server needs it.
private enum ObjectServerRequest {
  static func read(_ connection: CInt) -> ObjectServer.Request? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func more() -> Bool {
      let count = Glibc.read(connection, &buffer, buffer.count)
      data.append(contentsOf: buffer[..<max(0, count)])
      return count > 0
    }
    let end = Data("\r\n\r\n".utf8)
    while data.range(of: end) == nil { guard more() else { return nil } }
    guard let headEnd = data.range(of: end)?.upperBound else { return nil }
    let lines = String(decoding: data[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    if headers["expect"] != nil {
      _ = write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
    }
    let byteCount = headers["content-length"].flatMap { Int($0) } ?? 0
    while data.count - headEnd < byteCount { guard more() else { return nil } }
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, let address = URLComponents(string: String(words[1])) else {
      return nil
    }
    // The path after the bucket.
    let key = address.path.split(separator: "/", maxSplits: 1).dropFirst().joined()
    let query = address.queryItems?.map { ($0.name, $0.value ?? "") } ?? []
    return ObjectServer.Request(
      method: String(words[0]), key: key, query: Dictionary(query) { $1 }, headers: headers,
      body: data[headEnd...].prefix(byteCount))
  }

  static func send(
    _ answer: ObjectServer.Answer, to connection: CInt, hasBody: Bool = true
  ) -> Bool {
    write(answer.encoded(hasBody: hasBody), to: connection)
  }

  static func write(_ bytes: Data, to connection: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      // A client that has disconnected must not raise SIGPIPE.
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
