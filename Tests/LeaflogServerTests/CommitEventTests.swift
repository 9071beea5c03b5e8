import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The commits to a library as server-sent events, over real connections.
@Suite struct CommitEventTests {
  private static let path = "/api/v1/events"

  @Test func `twenty readers get each commit once and in order, also after a break`() async throws {
    try await JobServer.run { server in
      let first = try server.library.history.lastCommit()
      let count = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] == nil ? 100 : 1000
      let numbers = Array(first + 1...first + count)
      let readers = try (0..<20).map { _ in
        try EventReader(port: server.port, Self.path + "?after=\(first)")
      }
      let library = server.library
      let writer = Task {
        for number in 1...count {
          _ = try await library.write {
            try $0.diary.addSymptom(Symptom(name: "s\(number)", severity: Severity(1)))
          }
        }
      }
      for (number, reader) in readers.enumerated() {
        var seen: [Int] = []
        for await event in reader.events {
          #expect(event.name == "commit" && event.job.values["number"] as? Int == event.id)
          seen.append(event.id)
          if seen.count == count / 2, number % 2 == 0 { break }
          if event.id == numbers.last { break }
        }
        reader.leave()
        if let last = seen.last, last != numbers.last {
          let again = try EventReader(port: server.port, Self.path, last: last)
          for await event in again.events {
            seen.append(event.id)
            if event.id == numbers.last { break }
          }
          again.leave()
        }
        #expect(seen == numbers)
      }
      try await writer.value
    }
  }

  @Test func `an event says what was touched, and no contents`() async throws {
    try await JobServer.run { server in
      let reader = try EventReader(
        port: server.port, Self.path + "?after=\(server.library.history.lastCommit())")
      let plant = try server.library.plants.add(PlantDetails(name: "basil"))
      var events = reader.events.makeAsyncIterator()
      let event = try #require(await events.next())
      #expect(event.job.values["kinds"] as? [String] == ["plant"])
      #expect(event.job.values["plants"] as? [String] == [plant.id.description])
      #expect(event.job.values.count == 3)
      reader.leave()
    }
  }

  @Test func `the end of a token and of a session ends their streams`() async throws {
    try await AccessFixture.run { fixture in
      let server = fixture.server
      let other = try server.library.tokens.add("camera")
      let cookie = try await fixture.cookie()
      let path = Self.path + "?after=\(try server.library.history.lastCommit())"
      let readers = try [cookie, "Authorization: Bearer \(other.secret)"].map {
        try EventReader(port: server.port, path, [$0])
      }
      _ = try server.library.plants.add(PlantDetails(name: "basil"))
      for reader in readers {
        var events = reader.events.makeAsyncIterator()
        #expect(await events.next() != nil)
      }
      _ = try server.library.tokens.revoke("camera")
      _ = try await server.answer("DELETE", "/api/v1/session", [cookie])
      for reader in readers {
        for await _ in reader.events {}
      }
      let made = try await server.write("POST", "tokens", ##"{"name":"tablet"}"##, [fixture.bearer])
      let address = try #require(made.headers["location"])
      let found = try await server.answer(address, [fixture.bearer])
      #expect(try found.json["name"] as? String == "tablet" && found.json["secret"] == nil)
      let refused = try await server.answer(Self.path, ["Authorization: Bearer \(other.secret)"])
      #expect(refused.status == 401)
    }
  }
}
