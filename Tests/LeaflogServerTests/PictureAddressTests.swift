import Foundation
import Leaflog
import TestSupport
import Testing

/// How long pictures are kept, and in which format they come.
@Suite struct PictureAddressTests {
  @Test func `a picture whose digest is in its address is kept for ever`() async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let path = "/api/v1/photos/\(entry.id)/thumbnail"
      let plain = try await server.answer(path)
      #expect(plain.headers["cache-control"] == "private, no-cache")
      let digest = try #require(plain.headers["etag"]).filter { $0 != "\"" }
      let listed = try #require(
        try await server.answer("/api/v1/entries/\(entry.id)").json["photo"] as? [String: Any])
      #expect(listed["thumbnailDigest"] as? String == digest)
      let named = try await server.answer("\(path)?digest=\(digest)")
      #expect(named.headers["cache-control"] == "private, max-age=31536000, immutable")
      #expect(named.body == plain.body)
      let other = try await server.answer("\(path)?digest=\(String(repeating: "0", count: 64))")
      #expect(other.headers["cache-control"] == "private, no-cache" && other.body == plain.body)
    }
  }

  @Test func `a range is for GET alone`() async throws {
    try await RunningServer.run { server in
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let path = "/api/v1/photos/\(entry.id)/thumbnail"
      let whole = try await server.answer("HEAD", path)
      for range in ["bytes=0-9", "bytes=99999999-"] {
        let answer = try await server.answer("HEAD", path, ["Range: \(range)"])
        #expect(answer.status == 200 && answer.headers["content-range"] == nil)
        #expect(answer.headers["content-length"] == whole.headers["content-length"])
      }
      #expect(try await server.answer("GET", path, ["Range: bytes=0-9"]).body.count == 10)
    }
  }

  @Test func `a packed original comes as JPEG XL to those who name it`() async throws {
    try await RunningServer.run(importing: []) { server in
      let photo = Fixtures.path("Photos/monstera/IMG_0001.jpg")
      var request = ImportRequest(paths: [photo])
      request.policy = .lossless
      _ = try await Importer(server.library).run(request) { _ in }
      let entry = try #require(try server.library.timeline.page(limit: 1).elements.first)
      let path = "/api/v1/photos/\(entry.id)/original"
      for accept in ["*/*", "image/avif,image/webp,*/*;q=0.8", "image/jxl;q=0"] {
        let answer = try await server.answer("GET", path, ["Accept: \(accept)"])
        #expect(answer.headers["content-type"] == "image/jpeg", "\(accept)")
        #expect(answer.headers["vary"] == "Accept")
        #expect(answer.body == Array(try Fixtures.data("Photos/monstera/IMG_0001.jpg")))
      }
      let packed = try await server.answer("GET", path, ["Accept: image/jxl, image/*;q=0.5"])
      #expect(packed.headers["content-type"] == "image/jxl" && packed.headers["vary"] == "Accept")
      #expect(packed.body.starts(with: [0xFF, 0x0A]) || packed.body.starts(with: [0, 0, 0, 0x0C]))
      let tag = try #require(packed.headers["etag"])
      let known = try await server.answer(
        "GET", path, ["Accept: image/jxl", "If-None-Match: \(tag)"])
      #expect(known.status == 304 && known.headers["vary"] == "Accept")
    }
  }
}
