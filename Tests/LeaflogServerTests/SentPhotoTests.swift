import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Photos that come by a token which may do nothing but send.
@Suite struct SentPhotoTests {
  /// A library with an owner, a phone, and two cameras that only send.
  private struct Sending {
    let server: RunningServer
    let owner: String
    let phone: String
    let camera: String
    let other: String

    static let path = "Photos/tomato/DSC_0102.jpg"
    static let day = "2025-06-10"

    var library: Library { server.library }
    var entries: [Entry] { get throws { try library.timeline.page(limit: 10).elements } }

    static func run(_ body: (Sending) async throws -> Void) async throws {
      try await AccessFixture.run { fixture in
        let library = fixture.server.library
        func token(_ name: String, _ extent: AccessScope.Extent) throws -> String {
          let grant = AccessGrant(AccessScope(extent))
          return "Authorization: Bearer \(try library.tokens.add(name, grant: grant).secret)"
        }
        try await body(
          Sending(
            server: fixture.server, owner: fixture.bearer, phone: try token("photos", .photos),
            camera: try token("camera", .send), other: try token("other", .send)))
      }
    }

    /// The picture of the file, without its date and everything else beside the picture.
    static func bare() throws -> Data {
      let data = try Fixtures.data(path)
      var bare = data.prefix(2)
      var place = 2
      // Segments of a JPEG (ITU-T T.81, B.1.1.4); those of applications begin with FF E0 to FF EF.
      while data[place + 1] != 0xDA {
        let end = place + 2 + Int(data[place + 2]) << 8 + Int(data[place + 3])
        if !(0xE0...0xEF).contains(data[place + 1]) { bare += data[place..<end] }
        place = end
      }
      return bare + data[place...]
    }

    func send(_ data: Data, _ token: String) async throws -> [String: Any] {
      try await server.answer(
        "POST", "/api/v1/photos?name=a.jpg", [token, "Content-Type: application/octet-stream"],
        body: Array(data)
      ).json
    }

    func sendFile(_ token: String) async throws -> [String: Any] {
      try await send(Fixtures.data(Self.path), token)
    }

    func importFolder() async throws -> ImportSummary {
      try await Importer(library).run(ImportRequest(paths: [Fixtures.path(Self.path)])) { _ in }
    }

    /// Checks that the owner's file is there with its date and its metadata.
    func expectFile(besides count: Int) throws {
      let entries = try entries
      #expect(entries.count == 1 + count)
      let dated = entries.filter { $0.time.recorded.iso8601.hasPrefix(Self.day) }
      #expect(dated.count == 1)
    }

    /// A copy of the library.
    func copy(to folder: TemporaryFolder, _ name: String) throws -> String {
      try FileManager.default.copyItem(atPath: library.path, toPath: folder.file(name))
      return folder.file(name)
    }
  }

  @Test func `a picture that was sent without its date does not keep the owner's upload out`()
    async throws
  {
    try await Sending.run { sending in
      #expect(
        try await sending.send(Sending.bare(), sending.camera)["outcome"] as? String == "added")
      let owners = try await sending.sendFile(sending.owner)
      #expect(owners["outcome"] as? String == "added")
      #expect(owners["warnings"] as? [String] == ["samePicture"])
      try sending.expectFile(besides: 1)
    }
  }

  @Test func `a picture that was sent without its date does not keep a folder out`() async throws {
    try await Sending.run { sending in
      _ = try await sending.send(Sending.bare(), sending.camera)
      // Even if the token is gone by then.
      try sending.library.tokens.revoke(matching: "camera")
      #expect(try await sending.importFolder().added == 1)
      try sending.expectFile(besides: 1)
    }
  }

  @Test(arguments: [true, false])
  func `a picture that was sent without its date does not keep out what another copy has`(
    isSentFirst: Bool
  ) async throws {
    try await Sending.run { sending in
      let folder = try TemporaryFolder()
      let common = try sending.copy(to: folder, "common")
      let there = try Library.open(at: sending.copy(to: folder, "there"))
      let request = ImportRequest(paths: [Fixtures.path(Sending.path)])
      #expect(try await Importer(there).run(request) { _ in }.added == 1)
      func merge() throws {
        let merge = try LibraryMerge(
          from: OpenBackup(.folder(there.path)), into: sending.library,
          since: OpenBackup(.folder(common)))
        #expect(try merge.run().survey.conflicts.isEmpty)
      }
      if !isSentFirst { try merge() }
      let sent = try await sending.send(Sending.bare(), sending.camera)
      #expect(sent["outcome"] as? String == (isSentFirst ? "added" : "duplicate"))
      if isSentFirst { try merge() }
      try sending.expectFile(besides: isSentFirst ? 1 : 0)
      try there.close()
    }
  }

  @Test func `a picture of the owner's is not added again without its date`() async throws {
    try await Sending.run { sending in
      #expect(try await sending.importFolder().added == 1)
      let sent = try await sending.send(Sending.bare(), sending.camera)
      #expect(sent["outcome"] as? String == "duplicate")
      try sending.expectFile(besides: 0)
    }
  }

  @Test func `two tokens that only send cannot make a picture count`() async throws {
    try await Sending.run { sending in
      for token in [sending.camera, sending.other, sending.camera] {
        _ = try await sending.send(Sending.bare(), token)
      }
      #expect(try await sending.importFolder().added == 1)
    }
  }

  @Test func `a photo in the trash does not count as the owner's because it is found again`()
    async throws
  {
    try await Sending.run { sending in
      _ = try await sending.send(Sending.bare(), sending.camera)
      let camera = try sending.library.tokens.revoke(matching: "camera")
      _ = try sending.library.photos.deleteSent(by: camera.id)
      let folder = try TemporaryFolder()
      let path = try folder.write(Sending.bare(), to: "card/a.jpg")
      let request = ImportRequest(paths: [folder.file("card")])
      #expect(try await Importer(sending.library).run(request) { _ in }.skipped == 1, "\(path)")
      #expect(try await sending.importFolder().added == 1)
    }
  }

  @Test func `a token that sends what another one has sent does not become its sender`()
    async throws
  {
    try await Sending.run { sending in
      _ = try await sending.sendFile(sending.camera)
      _ = try await sending.sendFile(sending.other)
      let other = try sending.library.tokens.find(matching: "other")
      #expect(try sending.library.photos.deleteSent(by: other.id).changed.isEmpty)
      let camera = try sending.library.tokens.find(matching: "camera")
      #expect(try sending.library.photos.hasSent(by: camera.id))
    }
  }

  @Test func `the same bytes are one photo, which counts as the owner's then`() async throws {
    try await Sending.run { sending in
      _ = try await sending.sendFile(sending.camera)
      #expect(try await sending.importFolder().duplicate == 1)
      let camera = try sending.library.tokens.find(matching: "camera")
      #expect(try sending.library.photos.deleteSent(by: camera.id).changed.isEmpty)
      let again = try await sending.send(Sending.bare(), sending.owner)
      #expect(again["outcome"] as? String == "duplicate")
    }
  }

  @Test func `the same bytes in another copy make a photo count as the owner's`() async throws {
    try await Sending.run { sending in
      let folder = try TemporaryFolder()
      let common = try sending.copy(to: folder, "common")
      let there = try Library.open(at: sending.copy(to: folder, "there"))
      let request = ImportRequest(paths: [Fixtures.path(Sending.path)])
      _ = try await Importer(there).run(request) { _ in }
      _ = try await sending.sendFile(sending.camera)
      _ = try LibraryMerge(
        from: OpenBackup(.folder(there.path)), into: sending.library,
        since: OpenBackup(.folder(common))
      ).run()
      let camera = try sending.library.tokens.find(matching: "camera")
      #expect(try !sending.library.photos.hasSent(by: camera.id))
      try there.close()
    }
  }

  @Test func `a picture from a phone that sees the photos is the same picture`() async throws {
    try await Sending.run { sending in
      _ = try await sending.send(Sending.bare(), sending.phone)
      #expect(try await sending.importFolder().duplicate == 1)
    }
  }

  @Test func `a photo that the owner has deleted does not come back by another sender`()
    async throws
  {
    try await Sending.run { sending in
      _ = try await sending.sendFile(sending.camera)
      _ = try sending.library.photos.delete(.photos(sending.entries.map(\.id)))
      for token in [sending.other, sending.camera] {
        let sent = try await sending.sendFile(token)
        #expect(sent["outcome"] as? String == "skipped" && sent["reason"] as? String == "inTrash")
      }
      #expect(try sending.entries.isEmpty)
    }
  }

  @Test func `only a token with the diary may record prepared photos`() async throws {
    try await Sending.run { sending in
      let form = try PreparedForm()
      for (token, status) in [(sending.camera, 403), (sending.phone, 403), (sending.owner, 201)] {
        let answer = try await form.send(to: sending.server, [token])
        #expect(answer.status == status)
      }
    }
  }

  @Test func `a token and a pairing with prepare, which earlier versions have written, only send`()
    async throws
  {
    try await Sending.run { sending in
      let tokens = sending.library.tokens
      let pairing = try tokens.beginPairing("tablet", grant: AccessGrant(AccessScope(.send)))
      let path = sending.library.path + "/access.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains(#""send""#))
      try text.replacing(#""send""#, with: #""prepare""#).replacing(
        /,"sha256":"[0-9a-f]+"}/, with: "}"
      )
      .write(toFile: path, atomically: true, encoding: .utf8)
      let camera = try tokens.find(matching: "camera")
      #expect(camera.scope == AccessScope(.send) && camera.grant.wasPrepare)
      let rules = try await sending.server.answer("/api/v1/sending", [sending.camera]).json
      #expect(rules["takesPrepared"] as? Bool == false && rules["wasPrepare"] as? Bool == true)
      let prepared = try await PreparedForm().send(to: sending.server, [sending.camera])
      #expect(prepared.status == 403)
      #expect(try await sending.sendFile(sending.camera)["outcome"] as? String == "added")
      let listed = try await sending.server.answer("/api/v1/tokens", [sending.owner]).json
      let items = try #require(listed["items"] as? [[String: Any]])
      #expect(items.first { $0["name"] as? String == "camera" }?["may"] as? String == "send")
      let tablet = try #require(try tokens.pair(pairing.secret)).token
      #expect(tablet.scope == AccessScope(.send))
      let owner = try await sending.server.answer("/api/v1/sending", [sending.owner]).json
      #expect(owner["takesPrepared"] as? Bool == true && owner["wasPrepare"] == nil)
    }
  }

  @Test func `the photos that a token has sent go to the trash when it is revoked so`() async throws
  {
    try await Sending.run { sending in
      _ = try await sending.sendFile(sending.camera)
      _ = try await sending.send(Fixtures.data("Photos/tomato/DSC_0101.jpg"), sending.owner)
      let id = try sending.library.tokens.find(matching: "camera").id
      let answer = try await sending.server.answer(
        "DELETE", "/api/v1/tokens/\(id)?undo=true", [sending.owner])
      #expect(answer.status == 204)
      let change = try #require(answer.headers["leaflog-change"].flatMap { Int64($0) })
      #expect(try sending.entries.count == 1)
      let known = try await sending.server.answer(
        "GET", "/api/v1/sources/\(String(repeating: "0", count: 64))", [sending.camera])
      #expect(known.status == 401)
      try sending.library.history.undo(change)
      #expect(try sending.entries.count == 2)
    }
  }

  @Test func `a photo whose token is revoked while it is sent is not recorded`() async throws {
    try await Sending.run { sending in
      let bytes = Array(try Fixtures.data(Sending.path))
      let connection = try RawConnection(port: sending.server.port)
      await connection.send(
        "POST /api/v1/photos?name=a.jpg HTTP/1.1\r\nHost: localhost\r\n\(sending.other)\r\n"
          + "Content-Type: application/octet-stream\r\nContent-Length: \(bytes.count)\r\n"
          + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
      // It is let in by now.
      #expect(try await connection.receive(until: "\r\n\r\n").contains(" 100 "))
      let token = try sending.library.tokens.revoke(matching: "other")
      _ = try sending.library.photos.deleteSent(by: token.id)
      await connection.send(bytes)
      #expect(try await !connection.receive().contains(" 201 "))
      #expect(try sending.entries.isEmpty)
    }
  }

  @Test func `the page of devices revokes a token with what it has sent`() async throws {
    try await Sending.run { sending in
      _ = try await sending.sendFile(sending.camera)
      let page = try await sending.server.answer("GET", "/me/devices", [sending.owner])
      // Only for the token that has sent something.
      let boxes = String(decoding: page.body, as: UTF8.self).matches(of: /name="undo"/)
      #expect(boxes.count == 1)
      let id = try sending.library.tokens.find(matching: "camera").id
      let answer = try await sending.server.answer(
        "POST", "/me/devices/\(id)/revoke",
        [sending.owner, "Content-Type: application/x-www-form-urlencoded"],
        body: Array("undo=true".utf8))
      #expect(answer.status == 303)
      #expect(try sending.entries.isEmpty)
    }
  }
}
