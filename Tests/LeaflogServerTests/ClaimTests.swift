import BlobStorage
import DiaryModel
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// Photos of which only their sender says which file they were made from.
@Suite struct ClaimTests {
  /// A library with tokens, and a file of which one of them has sent another picture.
  private struct Claimed {
    let server: RunningServer
    let owner: String
    let camera: String
    let other: String
    let photo: EntryID
    let notes = "what the owner wrote"

    static let file = "Photos/basil/20250524T120006+0100.jpg"
    static let picture = "Photos/basil/20250510T120006+0100.jpg"

    var library: Library { server.library }

    static func digest(of path: String) throws -> String {
      try Fixtures.data(path).withUnsafeBytes { BlobID(hashing: $0) }.hex
    }

    static func run(_ body: (Claimed) async throws -> Void) async throws {
      try await AccessFixture.run { fixture in
        let library = fixture.server.library
        func token(_ name: String, _ extent: AccessScope.Extent) throws -> String {
          let grant = AccessGrant(AccessScope(extent))
          return "Authorization: Bearer \(try library.tokens.add(name, grant: grant).secret)"
        }
        let camera = try token("camera", .prepare)
        var form = try PreparedForm(of: picture, claiming: digest(of: file))
        form.fields["plant"] = "Basil"
        let answer = try await form.send(to: fixture.server, [camera])
        #expect(answer.status == 201)
        let claimed = Claimed(
          server: fixture.server, owner: fixture.bearer, camera: camera,
          other: try token("other", .prepare),
          photo: EntryID(stored: try #require(try answer.json["photo"] as? String)))
        _ = try library.photos.edit(claimed.photo, notes: claimed.notes)
        try await body(claimed)
      }
    }

    /// The status of the question whether the file is known.
    func isKnown(to token: String, _ file: String = Self.file) async throws -> Int {
      try await server.answer("GET", "/api/v1/sources/\(Self.digest(of: file))", [token]).status
    }

    func send(_ file: String, _ token: String) async throws -> [String: Any] {
      let name = try #require(file.split(separator: "/").last)
        .replacing("+", with: "%2B").replacing(" ", with: "%20")
      return try await server.answer(
        "POST", "/api/v1/photos?name=\(name)", [token, "Content-Type: application/octet-stream"],
        body: Array(Fixtures.data(file))
      ).json
    }

    /// Checks that the photo is that of the file, under its id, with the owner's words.
    func expectFile() throws {
      let found = try library.photos.find(photo.description)
      #expect(found.entry.notes == notes && found.entry.plant?.name == "Basil")
      #expect(found.entry.deletedAt == nil)
      #expect(found.entry.time.recorded.iso8601.hasPrefix("2025-05-24T12:00:06"))
      let exact = try #require(found.renditions.first { $0.role == .original })
      let path = library.photos.path(of: exact)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Fixtures.data(Self.file))
    }
  }

  @Test func `only its sender is told that the file is known`() async throws {
    try await Claimed.run { claimed in
      #expect(try await claimed.isKnown(to: claimed.camera) == 204)
      #expect(try await claimed.isKnown(to: claimed.other) == 404)
      #expect(try await claimed.isKnown(to: claimed.owner) == 404)
      // Nor is a file that the sender has used as a picture.
      #expect(try await claimed.isKnown(to: claimed.owner, Claimed.picture) == 404)
      let path = "/api/v1/sources/\(try Claimed.digest(of: Claimed.file))/send"
      #expect(try await claimed.server.answer("POST", path, [claimed.owner]).status == 404)
    }
  }

  @Test func `a second sender is told that it waits, and the first stays`() async throws {
    try await Claimed.run { claimed in
      let before = try claimed.library.photos.find(claimed.photo.description)
      let form = try PreparedForm(of: Claimed.file)
      let second = try await form.send(to: claimed.server, [claimed.other]).json
      #expect(second["outcome"] as? String == "skipped")
      #expect(second["reason"] as? String == "claimedBefore")
      let again = try PreparedForm(of: Claimed.picture, claiming: form.digest)
      let first = try await again.send(to: claimed.server, [claimed.camera]).json
      #expect(first["outcome"] as? String == "duplicate")
      let after = try claimed.library.photos.find(claimed.photo.description)
      #expect(after.renditions == before.renditions && after.entry == before.entry)
    }
  }

  @Test func `the file itself replaces the claim, and keeps notes and plant`() async throws {
    try await Claimed.run { claimed in
      let answer = try await claimed.send(Claimed.file, claimed.owner)
      #expect(answer["outcome"] as? String == "updated")
      #expect(answer["photo"] as? String == claimed.photo.description)
      #expect(answer["warnings"] as? [String] == ["claimReplaced"])
      try claimed.expectFile()
      #expect(try await claimed.isKnown(to: claimed.other) == 204)
      var request = VerifyRequest()
      request.isFull = true
      #expect(try Verifier(claimed.library).run(request) { _ in }.damageCount == 0)
      let change = try #require(
        try claimed.library.history.page(limit: 1).changes.first?.things.first)
      let field = try #require(change.fields.first { $0.name == "claimedBy" })
      #expect(field.oldText == "camera" && field.newText == nil)
    }
  }

  @Test func `a file from a folder replaces the claim, and again after undo`() async throws {
    try await Claimed.run { claimed in
      let request = ImportRequest(paths: [Fixtures.path("Photos/basil")])
      let summary = try await Importer(claimed.library).run(request) { _ in }
      // The file that was used as the picture is added, too.
      #expect(summary.updated == 1 && summary.added == 3)
      try claimed.expectFile()
      try claimed.library.history.undo()
      #expect(try await claimed.isKnown(to: claimed.owner) == 404)
      let again = try await Importer(claimed.library).run(request) { _ in }
      #expect(again.updated == 1)
      try claimed.expectFile()
    }
  }

  @Test func `a token with the diary may prepare it, and an edited date stays`() async throws {
    try await Claimed.run { claimed in
      let time = try #require(RecordedTime("2025-01-02T03:04"))
      _ = try claimed.library.photos.edit(claimed.photo, time: time)
      let answer = try await PreparedForm(of: Claimed.file).send(
        to: claimed.server, [claimed.owner]
      ).json
      #expect(answer["outcome"] as? String == "updated")
      let photo = try claimed.library.photos.find(claimed.photo.description)
      #expect(photo.entry.time.recorded == time && photo.entry.photo?.captureSource == .manual)
      #expect(try await claimed.isKnown(to: claimed.other) == 204)
    }
  }

  @Test func `a claim in the trash keeps nothing out`() async throws {
    try await Claimed.run { claimed in
      _ = try claimed.library.photos.delete(.photos([claimed.photo]))
      let request = ImportRequest(paths: [Fixtures.path("Photos/basil")])
      _ = try await Importer(claimed.library).run(request) { _ in }
      try claimed.expectFile()
    }
  }

  @Test func `after a theft, a new token of the same name sends what the thief has claimed`()
    async throws
  {
    try await Claimed.run { claimed in
      let tokens = claimed.library.tokens
      let former = try tokens.revoke("camera")
      _ = try claimed.library.photos.deleteSent(by: former.id)
      let grant = AccessGrant(AccessScope(.prepare))
      let camera = "Authorization: Bearer \(try tokens.add("camera", grant: grant).secret)"
      #expect(try await claimed.isKnown(to: camera) == 404)
      let sent = try await PreparedForm(of: Claimed.file).send(to: claimed.server, [camera]).json
      #expect(sent["outcome"] as? String == "updated")
      #expect(try await claimed.isKnown(to: camera) == 204)
      #expect(try await claimed.isKnown(to: claimed.owner) == 404)
      // What the owner deletes of the new one's stays deleted.
      _ = try claimed.library.photos.delete(.photos([claimed.photo]))
      let again = try await PreparedForm(of: Claimed.file).send(to: claimed.server, [camera]).json
      #expect(again["outcome"] as? String == "skipped" && again["reason"] as? String == "inTrash")
    }
  }

  @Test func `a photo that the owner has deleted does not come back by another sender`()
    async throws
  {
    try await Claimed.run { claimed in
      _ = try claimed.library.photos.delete(.photos([claimed.photo]))
      let form = try PreparedForm(of: Claimed.file)
      for token in [claimed.other, claimed.camera] {
        let sent = try await form.send(to: claimed.server, [token]).json
        #expect(sent["outcome"] as? String == "skipped" && sent["reason"] as? String == "inTrash")
      }
      #expect(try claimed.library.timeline.page(limit: 10).elements.isEmpty)
    }
  }

  @Test func `a sender that may not restore leaves the deleted plant of its photo deleted`()
    async throws
  {
    try await Claimed.run { claimed in
      let basil = try claimed.library.plants.reference("Basil").id
      _ = try claimed.library.plants.delete(basil)
      _ = try await claimed.send(Claimed.file, claimed.other)
      let photo = try claimed.library.photos.find(claimed.photo.description).entry
      #expect(photo.deletedAt == nil && photo.plant == nil)
      #expect(try claimed.library.plants.references().isEmpty)
    }
  }

  @Test func `a picture that was looked at is made anew once the file has come`() async throws {
    try await Claimed.run { claimed in
      func preview() async throws -> [UInt8] {
        let path = "/api/v1/photos/\(claimed.photo)/preview"
        return try await claimed.server.answer("GET", path, [claimed.owner]).body
      }
      let before = try await preview()
      _ = try await claimed.send(Claimed.file, claimed.owner)
      #expect(try await preview() != before)
    }
  }

  @Test func `a file with other metadata comes although its digest and its picture are taken`()
    async throws
  {
    try await AccessFixture.run { fixture in
      let library = fixture.server.library
      let folder = try TemporaryFolder()
      let data = try Fixtures.data(Claimed.file)
      // A comment (ITU-T T.81, B.2.4.5) makes another file of the same picture.
      let other = data.prefix(2) + Data([0xFF, 0xFE, 0, 4, 65, 66]) + data.dropFirst(2)
      try folder.write(data, to: "a.jpg")
      _ = try await Importer(library).run(ImportRequest(paths: [folder.path])) { _ in }
      let secret = try library.tokens.add(
        "camera", grant: AccessGrant(AccessScope(.prepare))
      ).secret
      let digest = other.withUnsafeBytes { BlobID(hashing: $0) }.hex
      let sent = try await PreparedForm(claiming: digest).send(
        to: fixture.server, ["Authorization: Bearer \(secret)"])
      #expect(sent.status == 201)
      try folder.write(other, to: "b.jpg")
      for isUpdate in [true, false] {
        var request = ImportRequest(paths: [folder.path])
        request.isUpdate = isUpdate
        let summary = try await Importer(library).run(request) { _ in }
        #expect(summary.failed == 0 && summary.updated == (isUpdate ? 1 : 0))
      }
    }
  }

  @Test func `the file fills the fields that the claim has left out`() async throws {
    try await Claimed.run { claimed in
      let file = "Photos/tomato/DSC_0101.jpg"
      let form = try PreparedForm(
        of: Claimed.picture, claiming: Claimed.digest(of: file))
      let id = try await form.send(to: claimed.server, [claimed.camera]).json["photo"]
      let request = ImportRequest(paths: [Fixtures.path(file)])
      _ = try await Importer(claimed.library).run(request) { _ in }
      let photo = try claimed.library.photos.find(try #require(id as? String))
      #expect(photo.entry.notes == "first flower" && photo.entry.plant?.name == "tomato")
    }
  }

  @Test
  func `a photo that came from elsewhere, too, is not put into the trash with its first sender's`()
    async throws
  {
    try await Claimed.run { claimed in
      let file = "Photos/tomato/DSC_0102.jpg"
      _ = try await claimed.send(file, claimed.other)
      _ = try await Importer(claimed.library).run(ImportRequest(paths: [Fixtures.path(file)])) {
        _ in
      }
      let other = try claimed.library.tokens.find("other")
      #expect(try claimed.library.photos.deleteSent(by: other.id).changed.isEmpty)
    }
  }

  @Test(arguments: ["as it is", "with its notes removed here", "deleted there"])
  func `the file that another copy of the library has got replaces the claim`(
    _ state: String
  ) async throws {
    try await Claimed.run { claimed in
      let folder = try TemporaryFolder()
      for name in ["there", "common"] {
        try FileManager.default.copyItem(atPath: claimed.library.path, toPath: folder.file(name))
      }
      let there = try Library.open(at: folder.file("there"))
      let request = ImportRequest(paths: [Fixtures.path(Claimed.file)])
      #expect(try await Importer(there).run(request) { _ in }.updated == 1)
      if state == "with its notes removed here" {
        _ = try claimed.library.photos.edit(claimed.photo, notes: "")
      } else if state == "deleted there" {
        _ = try there.photos.delete(.photos([claimed.photo]))
      }
      let bringing = try ForkMerge(
        of: OpenBackup(.folder(there.path)), to: claimed.library,
        since: OpenBackup(.folder(folder.file("common"))))
      let summary = try bringing.run()
      #expect(summary.damageCount == 0 && summary.survey.conflicts.isEmpty)
      let counts = summary.survey.counts.filter { $0.thing == .photo }
      #expect(counts.map { $0.added + $0.changed + $0.deleted } == [1])
      let found = try claimed.library.photos.find(claimed.photo.description).entry
      #expect((found.deletedAt != nil) == (state == "deleted there"))
      #expect((found.notes == nil) == (state == "with its notes removed here"))
      if state == "as it is" { try claimed.expectFile() }
      #expect(try await claimed.isKnown(to: claimed.other) == 204)
      try there.close()
    }
  }

  @Test func `a picture that is claimed keeps no file out`() async throws {
    try await Claimed.run { claimed in
      var form = try PreparedForm(
        of: Claimed.picture, claiming: String(repeating: "ab", count: 32))
      let file = "Photos/tomato/DSC_0102.jpg"
      let bytes = SharedBytes(copying: try Fixtures.data(file))
      let picture = try #require(PictureData.ranges(of: bytes, .jpeg))
      form.fields["pictureSha256"] = BlobID(hashing: picture, of: bytes).hex
      #expect(try await form.send(to: claimed.server, [claimed.camera]).status == 201)
      let answer = try await claimed.send(file, claimed.owner)
      #expect(answer["outcome"] as? String == "added")
    }
  }

  @Test func `the photos that a token has sent go to the trash when it is revoked so`() async throws
  {
    try await Claimed.run { claimed in
      _ = try await claimed.send("Photos/tomato/DSC_0102.jpg", claimed.owner)
      let id = try claimed.library.tokens.find("camera").id
      let answer = try await claimed.server.answer(
        "DELETE", "/api/v1/tokens/\(id)?undo=true", [claimed.owner])
      #expect(answer.status == 204)
      let change = try #require(answer.headers["leaflog-change"].flatMap { Int64($0) })
      let photos = try claimed.library.timeline.page(limit: 10).elements
      #expect(photos.count == 1 && photos[0].id != claimed.photo)
      #expect(try await claimed.isKnown(to: claimed.camera) == 401)
      try claimed.library.history.undo(change)
      #expect(try claimed.library.timeline.page(limit: 10).elements.count == 2)
    }
  }

  @Test func `a photo whose token is revoked while it is sent is not recorded`() async throws {
    try await Claimed.run { claimed in
      let bytes = Array(try Fixtures.data("Photos/tomato/DSC_0102.jpg"))
      let connection = try RawConnection(port: claimed.server.port)
      await connection.send(
        "POST /api/v1/photos?name=a.jpg HTTP/1.1\r\nHost: localhost\r\n\(claimed.other)\r\n"
          + "Content-Type: application/octet-stream\r\nContent-Length: \(bytes.count)\r\n"
          + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
      // It is let in by now.
      #expect(try await connection.receive(until: "\r\n\r\n").contains(" 100 "))
      let token = try claimed.library.tokens.revoke("other")
      _ = try claimed.library.photos.deleteSent(by: token.id)
      await connection.send(bytes)
      #expect(try await !connection.receive().contains(" 201 "))
      #expect(try claimed.library.timeline.page(limit: 10).elements.map(\.id) == [claimed.photo])
    }
  }

  @Test func `the page of devices revokes a token with what it has sent`() async throws {
    try await Claimed.run { claimed in
      let page = try await claimed.server.answer("GET", "/me/devices", [claimed.owner])
      // Only for the token that has sent something.
      let boxes = String(decoding: page.body, as: UTF8.self).matches(of: /name="undo"/)
      #expect(boxes.count == 1)
      let id = try claimed.library.tokens.find("camera").id
      let answer = try await claimed.server.answer(
        "POST", "/me/devices/\(id)/revoke",
        [claimed.owner, "Content-Type: application/x-www-form-urlencoded"],
        body: Array("undo=true".utf8))
      #expect(answer.status == 303)
      #expect(try claimed.library.timeline.page(limit: 10).elements.isEmpty)
    }
  }
}
