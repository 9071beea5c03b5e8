import Foundation
import Leaflog
import TestSupport
import Testing

/// Jobs as server-sent events, over real connections.
@Suite struct JobEventTests {
  private func post(_ server: JobServer, _ body: String) async throws -> String {
    try #require(try await server.post(body).json["id"] as? String)
  }

  @Test func `events have growing numbers, and the last is the end`() async throws {
    try await JobServer.run { server in
      let gate = SteppedJob.gate("grow")
      let id = try await post(server, #"{"kind":"stepped","gate":"grow","count":4}"#)
      var events: [ServerEvent] = []
      for await event in try server.events(of: id).events {
        events.append(event)
        if event.job.state == "running", event.job.progress["total"] != nil { gate.yield() }
      }
      let ids = events.map(\.id)
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
      #expect(events.dropLast().allSatisfy { $0.name == "progress" })
      #expect(events.last?.name == "end" && events.last?.job.state == "done")
      // Each was waited for, so none was passed over.
      #expect(events.compactMap(\.job.done).filter { $0 > 0 }.first == 1)
    }
  }

  @Test func `a reader who comes back gets what is new`() async throws {
    try await JobServer.run { server in
      let gate = SteppedJob.gate("back")
      let id = try await post(server, #"{"kind":"stepped","gate":"back","count":3}"#)
      let first = try server.events(of: id)
      var last = 0
      for await event in first.events where event.job.state == "running" {
        last = event.id
        break
      }
      first.leave()
      gate.finish()
      _ = try await server.end(of: id)
      var events: [ServerEvent] = []
      for await event in try server.events(of: id, last: last).events { events.append(event) }
      let end = try #require(events.last)
      #expect(end.name == "end" && events.allSatisfy { $0.id > last })
      let answer = try await server.answer(
        "GET", "/api/v1/jobs/\(id)/events", headers: ["Last-Event-ID: \(end.id)"])
      #expect(answer.status == 204)
    }
  }

  @Test func `a number from before or nonsense gives the present state`() async throws {
    try await JobServer.run { server in
      let id = try await server.run(#"{"kind":"verify"}"#).id
      for last in ["99999", "-1", "x", "9999999999999999999999"] {
        let answer = try await server.answer(
          "GET", "/api/v1/jobs/\(id)/events", headers: ["Last-Event-ID: \(last)"])
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/event-stream")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("event: end\n"))
      }
      let head = try await server.answer("HEAD", "/api/v1/jobs/\(id)/events")
      #expect(head.status == 200 && head.body.isEmpty)
    }
  }

  @Test func `many follow one job, and one that does not read holds up nobody`() async throws {
    try await JobServer.run { server in
      let gate = SteppedJob.gate("many")
      let id = try await post(server, #"{"kind":"stepped","gate":"many","count":100000}"#)
      let mayRead = DispatchSemaphore(value: 0)
      let slow = try EventReader(
        port: server.port, "/api/v1/jobs/\(id)/events", afterwards: mayRead)
      let readers = try (0..<20).map { _ in try server.events(of: id) }
      gate.finish()
      for reader in readers {
        var last: ServerEvent?
        for await event in reader.events { last = event }
        #expect(last?.name == "end" && last?.job.result["steps"] as? Int == 100_000)
      }
      mayRead.signal()
      var events: [ServerEvent] = []
      for await event in slow.events { events.append(event) }
      #expect(events.last?.name == "end" && events.count < 1000)
    }
  }

  @Test func `the stop of the server ends all streams`() async throws {
    let server = try await JobServer()
    _ = SteppedJob.gate("ends")
    let atWork = try await post(server, #"{"kind":"stepped","gate":"ends"}"#)
    let waiting = try await post(server, #"{"kind":"stepped","gate":"ends"}"#)
    let readers = try (0..<3).map { _ in try server.events(of: atWork) }
    let waits = try server.events(of: waiting)
    // All are being answered.
    var iterators = (readers + [waits]).map { $0.events.makeAsyncIterator() }
    for index in iterators.indices { #expect(await iterators[index].next() != nil) }
    try await server.stop()
    for index in iterators.indices {
      var last: ServerEvent?
      while let event = await iterators[index].next() { last = event }
      if index < readers.count {
        #expect(last?.name == "end" && last?.job.state == "interrupted")
      } else {
        #expect(last?.name != "end")
      }
    }
  }

  @Test func `a job that does not end is left behind when the server stops`() async throws {
    let server = try await JobServer(jobPatience: .milliseconds(100))
    let id = try await post(server, #"{"kind":"stubborn"}"#)
    let reader = try server.events(of: id)
    var iterator = reader.events.makeAsyncIterator()
    while let event = await iterator.next(), event.job.state != "running" {}
    try await server.stop()
    #expect(await iterator.next()?.job.state == "interrupted")
    StubbornJob.end.signal()
    try await server.start()
    #expect(try await server.states() == ["interrupted"])
    try await server.stop()
  }
}
