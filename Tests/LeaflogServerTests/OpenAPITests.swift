import Foundation
import Leaflog
import LeaflogServer
import TestSupport
import Testing

/// The description of the service, held in step with the service.
@Suite struct OpenAPITests {
  @Test func `the document has every route, and no other`() async throws {
    try await RunningServer.run { server in
      let document = try await server.answer("/api/v1/openapi.json").json
      let paths = try #require(document["paths"] as? [String: [String: Any]])
      let described = paths.flatMap { path, methods in
        methods.keys.map { "\($0.uppercased()) /api/v1\(path)" }
      }
      let routes = try await LeaflogServer(server.library).routes().compactMap { route in
        route.method == "HEAD" || !route.path.hasPrefix("/api/v1")
          ? nil : "\(route.method) \(route.path)"
      }
      #expect(described.sorted() == routes.sorted())
    }
  }

  /// schemathesis (PyPI) makes requests of all kinds from the document, right ones and wrong ones, alone and
  /// in sequences, and compares the answers with it.
  @Test(.enabled(if: schemathesis != nil, "schemathesis is not installed"))
  func `no answer is other than described`() async throws {
    try await RunningServer.run(importing: [Fixtures.path("Photos/monstera")]) { server in
      _ = try server.library.activities.add(
        ActivityDetails(name: "Water basil", startFrom: server.library.today))
      _ = try server.library.diary.addSymptom(Symptom(name: "headache", severity: Severity(2)))
      let address = "http://127.0.0.1:\(server.port)/api/v1"
      let folder = try TemporaryFolder()
      let run = try await withTaskExecutorPreference(Threads()) {
        var command = Command(library: nil)
        command.folder = folder.path
        return try command.start(
          [
            "--config-file", Fixtures.path("schemathesis.toml"), "run", address + "/openapi.json",
            "--url", address, "--max-examples", "15", "--continue-on-failure", "--no-color",
            "--seed", "1",
          ], program: Self.schemathesis ?? ""
        ).wait()
      }
      #expect(run.status == 0, "\(run.output)")
    }
  }

  private static let schemathesis = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/schemathesis" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
