import DiaryModel
import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that is killed while photos are sent to it. `LEAFLOG_LONG_TESTS` kills it 50 times.
@Suite struct ServeKillTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test(arguments: 1...(isLong ? 50 : 4))
  func `a killed server keeps what it acknowledged, and unfinished uploads go on`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(state: seed)
    let fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--policy", "exact", "--quiet").status == 0)
    let photos = try (0..<20).map { try SentPhoto(number: $0, seed: seed) }
    let first = try ServerProcess(fixture)
    let toll = Toll(killingAfter: random.below(90), first)
    await withTaskGroup(of: Void.self) { group in
      for photo in photos {
        group.addTask { await photo.send(to: first.exchange, toll) }
      }
    }
    first.kill()
    let acknowledged = toll.acknowledged
    let second = try ServerProcess(fixture)
    for photo in photos {
      let answer = try await second.exchange.answer("HEAD", "/api/v1/sources/\(photo.digest)")
      if acknowledged.contains(photo.digest) { #expect(answer.status == 200, "seed \(seed)") }
    }
    for photo in photos { try await photo.finish(at: second.exchange, toll) }
    second.kill()
    #expect(try fixture.entries().count == photos.count, "seed \(seed)")
    #expect(try fixture.leaflog("verify").status == 0, "seed \(seed)")
  }

  @Test func `a job and an upload are made once, though the server is killed in between`()
    async throws
  {
    let fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--quiet").status == 0)
    let headers = [
      "Content-Type: application/json", "Idempotency-Key: 0123456789-abcdefghijkl_M",
    ]
    var places: [[String?]] = []
    for _ in 0..<2 {
      let server = try ServerProcess(fixture)
      var made: [String?] = []
      for (path, body) in [
        ("jobs", #"{"kind":"verify"}"#), ("uploads", #"{"name":"a.jpg","byteCount":4}"#),
      ] {
        let answer = try await server.exchange.answer(
          "POST", "/api/v1/" + path, headers, body: Array(body.utf8))
        made.append(answer.headers["location"])
      }
      places.append(made)
      server.kill()
    }
    #expect(places[0] == places[1] && !places[0].contains(nil))
  }
}

/// `leaflog serve` on a free port.
private struct ServerProcess: Sendable {
  private let running: Command.Running
  let exchange: HTTPExchange

  init(_ fixture: CommandFixture) throws {
    running = try fixture.leaflog.start(["serve", "--port", "0", "--json"])
    let line = try #require(running.output.next())
    let started = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let address = try #require(started?["address"] as? String)
    exchange = HTTPExchange(port: try #require(URL(string: address)?.port))
  }

  func kill() {
    Glibc.kill(running.process.processIdentifier, SIGKILL)
    _ = running.wait()
  }
}

/// What the server has acknowledged. After a number of answers it is killed.
private final class Toll: Sendable {
  private struct State {
    var answersLeft: Int
    var acknowledged: Set<String> = []
    /// By place: how many bytes have come, as far as was said.
    var offsets: [String: Int] = [:]
  }

  private let state: Mutex<State>
  private let server: ServerProcess

  init(killingAfter count: Int, _ server: ServerProcess) {
    state = Mutex(State(answersLeft: count))
    self.server = server
  }

  var acknowledged: Set<String> { state.withLock { $0.acknowledged } }

  func offset(of place: String) -> Int { state.withLock { $0.offsets[place] ?? 0 } }

  func note(_ answer: Answer, of digest: String, at place: String?) {
    let isLast = state.withLock { state in
      if answer.status == 201, (try? answer.json["outcome"]) as? String == "added" {
        state.acknowledged.insert(digest)
      } else if let place, let offset = answer.headers["upload-offset"].flatMap({ Int($0) }) {
        state.offsets[place] = offset
      }
      state.answersLeft -= 1
      return state.answersLeft == 0
    }
    if isLast { server.kill() }
  }
}

/// A photo that is sent: whole, or, where its number is odd, piece by piece.
private final class SentPhoto: Sendable {
  private let bytes: [UInt8]
  private let number: Int
  let digest: String
  private let place = Mutex<String?>(nil)

  /// Bytes after the picture's end make it another file.
  init(number: Int, seed: UInt64) throws {
    self.number = number
    bytes =
      Array(try Fixtures.data("Photos/monstera/IMG_0001.jpg")) + Array("\(seed) \(number)".utf8)
    digest = bytes.withUnsafeBytes { BlobID(hashing: $0) }.hex
  }

  /// Goes on until the server does not answer any more.
  func send(to server: HTTPExchange, _ toll: Toll) async {
    do {
      guard number % 2 == 1 else { return try await sendWhole(to: server, toll) }
      let text = #"{"name":"\#(number).jpg","byteCount":\#(bytes.count)}"#
      let begun = try await server.answer(
        "POST", "/api/v1/uploads", ["Content-Type: application/json"], body: Array(text.utf8))
      let path = begun.headers["location"]
      place.withLock { $0 = path }
      toll.note(begun, of: digest, at: path)
      if let path { try await sendPieces(to: server, path, from: 0, toll) }
    } catch {
      // The server is dead.
    }
  }

  /// Sends again what has not been acknowledged, to another server.
  func finish(at server: HTTPExchange, _ toll: Toll) async throws {
    guard !toll.acknowledged.contains(digest) else { return }
    if let path = place.withLock({ $0 }) {
      let answer = try await server.answer("GET", path)
      if answer.status == 200 {
        let offset = try #require(answer.headers["upload-offset"].flatMap { Int($0) })
        #expect(offset >= toll.offset(of: path))
        return try await sendPieces(to: server, path, from: offset, toll)
      }
      #expect(answer.status == 404)
    }
    try await sendWhole(to: server, toll)
  }

  private func sendWhole(to server: HTTPExchange, _ toll: Toll) async throws {
    let answer = try await server.answer(
      "POST", "/api/v1/photos?name=\(number).jpg", ["Content-Type: image/jpeg"], body: bytes)
    #expect([200, 201].contains(answer.status))
    toll.note(answer, of: digest, at: nil)
  }

  private func sendPieces(
    to server: HTTPExchange, _ path: String, from offset: Int, _ toll: Toll
  ) async throws {
    var offset = offset
    repeat {
      let end = min(offset + 30_000, bytes.count)
      let part = offset < end ? "\(offset)-\(end - 1)" : "*"
      let range = "Content-Range: bytes \(part)/\(bytes.count)"
      let answer = try await server.answer("PUT", path, [range], body: Array(bytes[offset..<end]))
      #expect([200, 201].contains(answer.status))
      toll.note(answer, of: digest, at: path)
      offset = end
    } while offset < bytes.count
  }
}
