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
        var place = ""
        for await event in reader.events {
          #expect(event.name == "commit" && event.job.values["number"] as? Int == event.id)
          seen.append(event.id)
          place = event.sentID
          if seen.count == count / 2, number % 2 == 0 { break }
          if event.id == numbers.last { break }
        }
        reader.leave()
        if let last = seen.last, last != numbers.last {
          // By the id of the last event, or by its number, as clients that are open while the service is updated send it.
          let again =
            number % 4 == 0
            ? try EventReader(port: server.port, Self.path, last: last)
            : try EventReader(port: server.port, Self.path, ["Last-Event-ID: \(place)"])
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
      #expect((event.job.values["entries"] as? [Any])?.isEmpty == true)
      #expect(event.job.values.count == 4)
      reader.leave()
    }
  }

  @Test func `pages of commits lead from one to the next, and name the entries`() async throws {
    try await JobServer.run { server in
      let diary = server.library.diary
      let start = try await Self.page(server, "commits")
      #expect(start.commits.isEmpty)
      let added = try diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
      _ = try diary.addTags(["skin"], to: [added.id])
      _ = try diary.delete([added.id], of: .symptom)
      try server.library.history.undo()
      var (last, seen): (String, [[String: Any]]) = (start.last, [])
      while true {
        let page = try await Self.page(server, "commits?limit=3&after=\(last)")
        last = page.last
        if page.commits.isEmpty { break }
        #expect(page.commits.count <= 3)
        seen += page.commits
      }
      let first = try #require(CommitPosition(start.last))
      #expect(seen.compactMap { $0["number"] as? Int } == (1...4).map { first.number + $0 })
      let entries = seen.flatMap { $0["entries"] as? [[String: String]] ?? [] }
      #expect(entries.map { $0["fate"] } == ["added", "changed", "deleted", "added"])
      #expect(entries.allSatisfy { $0["id"] == added.id.description && $0["kind"] == "symptom" })
      #expect(seen.allSatisfy { $0["kinds"] as? [String] == ["symptom"] })
      // A number is taken, too.
      let later = try await Self.page(server, "commits?after=\(first.number + 3)")
      #expect(later.commits.count == 1 && later.last == last)
    }
  }

  @Test func `numbers of another line may mean anything, and are no error`() async throws {
    try await JobServer.run { server in
      let present = try server.library.history.lastPosition()
      let other = "\(UUID()).\(present.number - 1)"
      for after in [other, other.uppercased(), "\(present.number + 7)"] {
        let page = try await Self.page(server, "commits?after=\(after)")
        #expect(page.commits.count == 1 && page.last == present.description)
        #expect(page.commits.allSatisfy { $0["kinds"] is NSNull && $0["entries"] is NSNull })
        let reader = try EventReader(port: server.port, Self.path, ["Last-Event-ID: \(after)"])
        var events = reader.events.makeAsyncIterator()
        let event = try #require(await events.next())
        #expect(event.sentID == present.description && event.job.values["kinds"] is NSNull)
        reader.leave()
      }
      for after in ["x", "1.", "\(UUID())", "-1", "1000000000000000000"] {
        let answer = try await server.answer("GET", "/api/v1/commits?after=\(after)")
        #expect(answer.status == 400, "\(after)")
      }
    }
  }

  private static func page(
    _ server: JobServer, _ path: String
  ) async throws -> (commits: [[String: Any]], last: String) {
    let json = try await server.answer("GET", "/api/v1/" + path).json
    return (
      try #require(json["items"] as? [[String: Any]]), try #require(json["last"] as? String)
    )
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
      _ = try server.library.tokens.revoke(matching: "camera")
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
