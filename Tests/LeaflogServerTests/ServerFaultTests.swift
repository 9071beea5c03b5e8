import DiaryModel
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// A disk that fails under a server: whatever was answered with success is there.
@Suite struct ServerFaultTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let action: FaultPlan.Action
    let statuses: Set<Int>
    let testDescription: String
  }

  static let faults = [
    Fault(action: .failFromHere(.noSpace), statuses: [507], testDescription: "no space"),
    Fault(action: .fail(.ioError), statuses: [500], testDescription: "an input or output error"),
    Fault(
      action: .failFromHere(.readOnlyFileSystem), statuses: [500, 507],
      testDescription: "read-only"),
  ]

  @Test(arguments: faults)
  func `a photo that could not be kept is answered with a problem`(fault: Fault) async throws {
    let files = FaultyFileSystem()
    try await RunningServer.run(importing: [], files: files) { server in
      var (position, failures, isHit) = (0, 0, true)
      while isHit {
        let photo = try Photo(number: position)
        files.arm(FaultPlan(fault.action, at: position))
        let answer = try await photo.send(to: server)
        isHit = files.log.count > position
        files.arm()
        if answer.status == 201 {
          try await photo.expectKept(by: server)
        } else {
          failures += 1
          #expect(fault.statuses.contains(answer.status), "operation \(position)")
          #expect(answer.headers["content-type"] == "application/problem+json")
          #expect(!String(decoding: answer.body, as: UTF8.self).contains(server.library.path))
          #expect(try await photo.send(to: server).status < 300, "operation \(position)")
          try await photo.expectKept(by: server)
        }
        position += 1
      }
      #expect(failures > 3)
      #expect(try server.uploadsLeft.isEmpty)
      #expect(try await server.answer("/healthz").status == 200)
    }
  }

  @Test(arguments: faults)
  func `a symptom that could not be kept is no success`(fault: Fault) async throws {
    let files = FaultyFileSystem()
    try await RunningServer.run(importing: [], files: files) { server in
      var (position, isHit) = (0, true)
      while isHit {
        let name = "symptom \(position)"
        files.arm(FaultPlan(fault.action, at: position))
        let answer = try await server.write(
          "POST", "symptoms", #"{"symptom":{"name":"\#(name)","severity":2}}"#)
        isHit = files.log.count > position
        files.arm()
        if answer.status < 300 {
          let id = try #require(try answer.json["id"] as? String)
          #expect(try await server.answer("/api/v1/entries/\(id)").status == 200)
        } else {
          #expect(fault.statuses.contains(answer.status), "operation \(position)")
          #expect(answer.headers["content-type"] == "application/problem+json")
          #expect(!String(decoding: answer.body, as: UTF8.self).contains(server.library.path))
        }
        position += 1
      }
      #expect(try await server.answer("/healthz").status == 200)
    }
  }

  /// A photo that no other test sends.
  private struct Photo {
    let bytes: [UInt8]
    let digest: String

    init(number: Int) throws {
      bytes = Array(try Fixtures.data("Photos/monstera/IMG_0001.jpg")) + Array("\(number)".utf8)
      digest = bytes.withUnsafeBytes { BlobID(hashing: $0) }.hex
    }

    func send(to server: RunningServer) async throws -> Answer {
      try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg", ["Content-Type: image/jpeg"], body: bytes)
    }

    func expectKept(by server: RunningServer) async throws {
      let entry = try await server.answer("/api/v1/sources/\(digest)")
      let id = try #require(try entry.json["id"] as? String)
      let original = try await server.answer("/api/v1/photos/\(id)/original")
      #expect(original.body == bytes)
    }
  }
}
