import Foundation
import Leaflog
import TestSupport
import Testing

/// Photos that are sent over HTTP.
@Suite struct UploadTests {
  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private static let photo = Fixtures.path("Photos/monstera/IMG_0001.jpg")

  private static let jpeg = ["Content-Type: image/jpeg"]

  @Test func `a photo that is sent is on the timeline, and a second time is known`() async throws {
    try await RunningServer.run { server in
      let bytes = try Self.bytes(Self.photo)
      let path = "/api/v1/photos?name=a.jpg&plant=Gro%C3%9Fe%20Monstera&notes=new"
      let answer = try await server.answer("POST", path, Self.jpeg, body: bytes)
      #expect(try answer.status == 201 && answer.json["outcome"] as? String == "added")
      let entry = try server.library.diary.entry(
        matching: try #require(answer.json["photo"] as? String))
      #expect(entry.plant?.name == "Große Monstera" && entry.notes == "new")
      let photo = try server.library.photos.find(matching: "\(entry.id)")
      #expect(photo.originalName == "a.jpg" && photo.sourcePaths.isEmpty)
      let again = try await server.answer("POST", path, Self.jpeg, body: bytes)
      #expect(try again.status == 200 && again.json["outcome"] as? String == "duplicate")
      #expect(again.headers["leaflog-change"] == nil)
      let digest = try #require(entry.photo).sourceDigest.hex
      #expect(try await server.answer("HEAD", "/api/v1/sources/\(digest)").status == 200)
      let unknown = String(repeating: "0", count: 64)
      #expect(try await server.answer("HEAD", "/api/v1/sources/\(unknown)").status == 404)
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `the same photo at once from many is added once`() async throws {
    try await RunningServer.run { server in
      let bytes = try Self.bytes(Self.photo)
      let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await server.answer("POST", "/api/v1/photos?name=a.jpg", Self.jpeg, body: bytes)
              .json["outcome"] as? String
          }
        }
        return try await group.reduce(into: [String?]()) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == "added" } == 1 && outcomes.count { $0 == "duplicate" } == 7)
    }
  }

  @Test func `photos of one batch are one change`() async throws {
    try await RunningServer.run { server in
      let names = ["IMG_0001", "IMG_0002", "IMG_0003"]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask {
            let bytes = try Self.bytes(Fixtures.path("Photos/monstera/\(name).jpg"))
            _ = try await server.answer(
              "POST", "/api/v1/photos?name=\(name).jpg&batch=evening", Self.jpeg, body: bytes)
          }
        }
        try await group.waitForAll()
      }
      let change = try server.library.history.page(limit: 1).changes[0]
      #expect(change.kind == .importPhotos)
      #expect(change.counts.first { $0.thing == .photo }?.added == 3)
      _ = try server.library.history.undo(change.id)
      #expect(try server.library.timeline.page(limit: 10).elements.count == 4)
    }
  }

  @Test func `a form has files and the fields before them`() async throws {
    try await RunningServer.run { server in
      var form = Array(
        ("--X\r\nContent-Disposition: form-data; name=\"plant\"\r\n\r\nFern\r\n--X\r\n"
          + "Content-Disposition: form-data; name=\"f\"; filename=\"<img onerror>.svg\"\r\n\r\n"
          + "<svg onload=alert(1)/>\r\n--X\r\n"
          + "Content-Disposition: form-data; name=\"f\"; filename=\"b.jpg\"\r\n\r\n").utf8)
      form += try Self.bytes(Self.photo) + Array("\r\n--X--\r\n".utf8)
      let type = ["Content-Type: multipart/form-data; boundary=X"]
      let answer = try await server.answer("POST", "/api/v1/photos", type, body: form)
      let items = try #require(answer.json["items"] as? [[String: Any]])
      #expect(items.map { $0["outcome"] as? String } == ["skipped", "added"])
      #expect(items[1]["plant"] as? String == "Fern")
      // One that ends in the middle of a file leaves nothing of it behind.
      let cut = try await server.answer("POST", "/api/v1/photos", type, body: form.dropLast(5000))
      #expect(cut.status == 400)
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  /// A form of fields, and of files whose names have a dot.
  private static func form(_ parts: [(name: String, value: String)]) throws -> [UInt8] {
    var form: [UInt8] = []
    for part in parts {
      let isFile = part.value.hasSuffix(".jpg")
      form += Array(
        ("--X\r\nContent-Disposition: form-data; name=\"\(part.name)\""
          + (isFile ? "; filename=\"\(part.value)\"" : "") + "\r\n\r\n").utf8)
      form +=
        isFile ? try bytes(Fixtures.path("Photos/monstera/\(part.value)")) : Array(part.value.utf8)
      form += Array("\r\n".utf8)
    }
    return form + Array("--X--\r\n".utf8)
  }

  private static let multipart = ["Content-Type: multipart/form-data; boundary=X"]

  @Test func `fields behind a file are that file's, too`() async throws {
    try await RunningServer.run { server in
      func send(_ parts: [(name: String, value: String)]) async throws -> (Int, [String?]) {
        let answer = try await server.answer(
          "POST", "/api/v1/photos", Self.multipart, body: Self.form(parts))
        let items = try answer.json["items"] as? [[String: Any]]
        return (answer.status, (items ?? []).map { $0["plant"] as? String })
      }
      let file = (1...5).map { (name: "file", value: "IMG_000\($0).jpg") }
      #expect(
        try await send([file[0], ("plant", "Fern"), ("occurredAt", "2025-05-01")]) == (
          201, ["Fern"]
        ))
      let photo = try #require(
        try server.library.timeline.page(limit: 10).elements.first { $0.plant?.name == "Fern" })
      #expect(photo.time.localDay == LocalDay("2025-05-01"))
      #expect(try await send([file[0], ("plant", "Ivy")]).0 == 200)
      #expect(try await send([file[1], ("plant", "Fern"), file[2]]) == (200, ["Fern", "Fern"]))
      // Nothing is imported of a form that is not understood, wherever its fault is.
      let count = try server.library.timeline.page(limit: 100).elements.count
      #expect(try await send([file[3], ("bogus", "1")]).0 == 400)
      #expect(try await send([file[3], ("occurredAt", "2025-13-01")]).0 == 400)
      #expect(try await send([file[3], ("plant", "A"), ("plant", "B"), file[4]]).0 == 400)
      #expect(try server.library.timeline.page(limit: 100).elements.count == count)
      #expect(
        try await send([("plant", "A"), file[3], ("plant", "B"), file[4]]) == (200, ["A", "B"]))
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `one file has one status in a form, and a picture has a name`() async throws {
    try await RunningServer.run { server in
      func send(_ head: String, _ bytes: [UInt8]) async throws -> Answer {
        let start = "--X\r\nContent-Disposition: form-data; name=\"file\"\(head)\r\n\r\n"
        return try await server.answer(
          "POST", "/api/v1/photos", Self.multipart,
          body: Array(start.utf8) + bytes + Array("\r\n--X--\r\n".utf8))
      }
      let photo = try Self.bytes(Self.photo)
      let added = try await send("; filename=\"a.jpg\"", photo)
      #expect(added.status == 201)
      let place = try #require(added.headers["location"])
      #expect(try await server.answer(place).status == 200)
      #expect(try await send("; filename=\"a.jpg\"", photo).status == 200)
      #expect(try await send("; filename=\"b.jpg\"", Array(photo[..<900])).status == 422)
      let nameless = try await send("\r\ncontent-type:  Image/JPEG", photo)
      #expect(nameless.status == 400)
      #expect(String(decoding: nameless.body, as: UTF8.self).contains("filename"))
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `a plant is named, or meant by its whole id`() async throws {
    try await RunningServer.run { server in
      let basil = try #require(try server.library.plants.all().first)
      for (number, plant, name) in [
        (1, "\(basil.id)", "basil"), (2, String("\(basil.id)".prefix(2)), nil), (3, "Fern", "Fern"),
      ] {
        let bytes = try Self.bytes(Fixtures.path("Photos/monstera/IMG_000\(number).jpg"))
        let answer = try await server.answer(
          "POST", "/api/v1/photos?name=a.jpg&plant=\(plant)", Self.jpeg, body: bytes)
        #expect(try answer.json["plant"] as? String == name ?? plant)
      }
    }
  }

  @Test func `a note with a character that would end it in the catalog is refused`() async throws {
    try await RunningServer.run { server in
      let bytes = try Self.bytes(Self.photo)
      let refused = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg&notes=before%00after", Self.jpeg, body: bytes)
      #expect(refused.status == 400)
    }
  }

  /// Programs and unsent photos of earlier versions say `note` and `at`.
  @Test func `the former names of fields are read, and both names at once are refused`()
    async throws
  {
    try await RunningServer.run(importing: []) { server in
      let photos = try (1...3).map {
        try Self.bytes(Fixtures.path("Photos/monstera/IMG_000\($0).jpg"))
      }
      let query = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg&note=one&at=2025-05-01", Self.jpeg, body: photos[0])
      let form = try await server.answer(
        "POST", "/api/v1/photos", Self.multipart,
        body: Self.form([("note", "one"), ("at", "2025-05-01"), ("file", "IMG_0002.jpg")]))
      let begun = try await server.write(
        "POST", "uploads",
        #"{"name":"c.jpg","byteCount":\#(photos[2].count),"note":"one","at":"2025-05-01"}"#)
      let sent = try await server.answer(
        "PUT", try #require(begun.headers["location"]),
        ["Content-Range: bytes 0-\(photos[2].count - 1)/\(photos[2].count)"], body: photos[2])
      #expect([query, form, begun, sent].allSatisfy { $0.status == 201 })
      let entries = try server.library.timeline.page(limit: 10).elements
      #expect(entries.count == 3)
      for entry in entries {
        #expect(entry.notes == "one" && entry.time.localDay == LocalDay("2025-05-01"))
      }

      let both = try await server.write(
        "POST", "uploads", #"{"name":"c.jpg","byteCount":9,"note":"one","notes":"two"}"#)
      let text = String(decoding: both.body, as: UTF8.self)
      #expect(both.status == 400 && text.contains("former name"), "\(text)")
      let inQuery = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg&note=one&notes=two", Self.jpeg, body: photos[0])
      #expect(inQuery.status == 400)
    }
  }

  @Test func `an upload goes on where it was cut off`() async throws {
    try await RunningServer.run { server in
      let bytes = try Self.bytes(Self.photo)
      let begun = try await server.write(
        "POST", "uploads", #"{"name":"a.jpg","byteCount":\#(bytes.count),"plant":"Fern"}"#)
      let place = try #require(begun.headers["location"])
      #expect(begun.status == 201 && begun.headers["upload-offset"] == "0")
      func send(_ range: Range<Int>) async throws -> Answer {
        try await server.answer(
          "PUT", place,
          ["Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"],
          body: Array(bytes[range]))
      }
      let longer = try await server.answer(
        "PUT", place, ["Content-Range: bytes 0-999/\(bytes.count)"], body: Array(bytes[..<1001]))
      #expect(longer.status == 400)
      #expect(try await send(0..<1000).headers["upload-offset"] == "1000")
      let wrong = try await send(500..<2000)
      #expect(wrong.status == 409 && wrong.headers["upload-offset"] == "1000")
      // A piece that is cut off in the middle counts as far as it came.
      let half =
        "PUT \(place) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000\r\n"
        + "Content-Range: bytes 1000-3999/\(bytes.count)\r\nConnection: close\r\n\r\n"
      _ = try? await server.send(Array(half.utf8) + bytes[1000..<1700], ends: true)
      let offset = try await server.offset(of: place)
      #expect((1000...1700).contains(offset))
      var last = try await send(offset..<bytes.count)
      // The piece that was cut off may still be at it.
      while last.status == 503 { last = try await send(offset..<bytes.count) }
      #expect(try last.status == 201 && last.json["plant"] as? String == "Fern")
      #expect(try await server.answer(place).status == 404)
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `bytes that are not those that were said are refused`() async throws {
    try await RunningServer.run { server in
      let bytes = try Self.bytes(Self.photo)
      let zeros = String(repeating: "0", count: 64)
      let wrong = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg&sha256=\(zeros)", Self.jpeg, body: bytes)
      #expect(wrong.status == 422)
      try server.library.settings.set(.importMaxFileSize, to: "50 KB")
      let large = try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg", Self.jpeg, body: bytes)
      #expect(large.status == 413)
      let begun = try await server.write("POST", "uploads", #"{"name":"a","byteCount":60000}"#)
      #expect(begun.status == 413)
      for body in ["{}", #"{"name":"a"}"#, #"{"name":"a","byteCount":-1}"#] {
        #expect(try await server.write("POST", "uploads", body).status == 400)
      }
      #expect(try await server.answer("/api/v1/uploads/..%2F..%2Fleaflog.json").status == 404)
      #expect(try server.uploadsLeft.isEmpty)
      #expect(try server.library.timeline.page(limit: 10).elements.count == 4)
    }
  }
}

extension RunningServer {
  /// The files in the library's folder of uploads.
  var uploadsLeft: [String] {
    get throws {
      let folder = library.path + "/uploads"
      guard FileManager.default.fileExists(atPath: folder) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    }
  }

  /// How many bytes of an upload have come, once nobody writes it.
  func offset(of place: String) async throws -> Int {
    Int(try await answer(place).headers["upload-offset"] ?? "") ?? -1
  }
}
