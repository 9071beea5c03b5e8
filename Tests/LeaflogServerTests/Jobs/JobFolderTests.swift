import Foundation
import Leaflog
import TestSupport
import Testing

/// The folders of the machine that jobs may use.
@Suite struct JobFolderTests {
  private func refusal(_ server: JobServer, _ body: String) async throws -> Int {
    let answer = try await server.post(body)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect((try answer.json["detail"] as? String)?.hasSuffix(".") == true)
    return answer.status
  }

  @Test func `none is allowed by default`() async throws {
    try await JobServer.run { server in
      let photos = Fixtures.path("Photos")
      for body in [
        #"{"kind":"importFolder","path":"\#(photos)"}"#, #"{"kind":"backup","to":"/tmp/backup"}"#,
      ] {
        let status = try await refusal(server, body)
        #expect(status == 403)
      }
      #expect(try await server.states().isEmpty)
    }
  }

  /// `in` is allowed; `out` and `inside` are beside it, `in/door` is a link to `out`.
  private func run(_ body: (JobServer, _ root: String) async throws -> Void) async throws {
    try await JobServer.run { server in
      let root = URL(fileURLWithPath: server.folder.path).resolvingSymlinksInPath().path
      for folder in ["in/photos", "out/photos", "inside"] {
        try FileManager.default.createDirectory(
          atPath: root + "/" + folder, withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(
        atPath: root + "/in/door", withDestinationPath: root + "/out")
      try FileManager.default.createSymbolicLink(
        atPath: root + "/in/nowhere", withDestinationPath: root + "/out/new")
      try FileManager.default.createSymbolicLink(
        atPath: root + "/alias", withDestinationPath: root + "/in")
      try server.library.settings.set(.serviceFolders, to: "/nonexistent:\(root)/in/")
      try await body(server, root)
    }
  }

  @Test(arguments: [
    "/out", "/inside", "/in/../out", "/in/door", "/in/door/photos", "/in/photos/../../out", "",
    "/in/../missing", "/missing",
  ])
  func `a path that leads elsewhere is refused, links and dots included`(path: String) async throws
  {
    try await run { server, root in
      let place = root + path
      for body in [
        #"{"kind":"importFolder","path":"\#(place)"}"#, #"{"kind":"backup","to":"\#(place)/new"}"#,
      ] {
        let status = try await refusal(server, body)
        #expect(status == 403)
      }
    }
  }

  @Test func `a link to nothing is no place for a backup`() async throws {
    try await run { server, root in
      let status = try await refusal(server, #"{"kind":"backup","to":"\#(root)/in/nowhere"}"#)
      #expect([403, 404].contains(status))
      #expect(!FileManager.default.fileExists(atPath: root + "/out/new"))
    }
  }

  @Test func `a folder is allowed under any of its names`() async throws {
    try await run { server, root in
      for path in ["/in", "/in/photos", "/in/photos/", "/alias/photos", "/in/door/../in/photos"] {
        let answer = try await server.post(#"{"kind":"importFolder","path":"\#(root + path)"}"#)
        #expect(answer.status == 202)
      }
    }
  }

  @Test func `a missing folder is named where it may be known`() async throws {
    try await run { server, root in
      try server.folder.write(Data([1]), to: "in/file.jpg")
      let missing = #"{"kind":"importFolder","path":"\#(root)/in/missing"}"#
      #expect(try await refusal(server, missing) == 404)
      let file = #"{"kind":"importFolder","path":"\#(root)/in/file.jpg"}"#
      #expect(try await refusal(server, file) == 400)
      let deep = #"{"kind":"backup","to":"\#(root)/in/missing/new"}"#
      #expect(try await refusal(server, deep) == 404)
      #expect(try await refusal(server, #"{"kind":"backup","to":"in/new"}"#) == 400)
    }
  }

  @Test func `a folder that is no longer allowed is looked at again when the job starts`()
    async throws
  {
    try await run { server, root in
      let gate = SteppedJob.gate("folders")
      _ = try await server.post(#"{"kind":"stepped","gate":"folders","count":1}"#)
      let answer = try await server.post(#"{"kind":"importFolder","path":"\#(root)/in"}"#)
      try server.library.settings.set(.serviceFolders, to: "")
      gate.finish()
      let end = try await server.end(of: try #require(try answer.json["id"] as? String))
      #expect(end.state == "failed" && end.problem["detail"] is String)
    }
  }
}
