import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Photos that are prepared on one machine and recorded by a service on another.
@Suite(.serialized) struct RemoteImportTests {
  private func library(
    of server: RunningServer, token: String? = nil
  ) async throws -> RemoteLibrary {
    // Its request waits, on a thread of its own: those of Swift's tasks may all be needed for the answer.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try RemoteLibrary("http://127.0.0.1:\(server.port)", token: token) })
      }
    }
  }

  private func importAll(
    _ paths: [String], to server: RunningServer, token: String? = nil,
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) async throws -> ImportSummary {
    let remote = try await library(of: server, token: token)
    var request = ImportRequest(paths: paths)
    change(&request)
    return try await Importer(remote).run(request) { _ in }
  }

  /// All that is told of each photo, but the plants' ids and the times of writing.
  private func photos(in library: Library) throws -> [String] {
    try library.timeline.page(limit: 1000).elements.map { entry in
      let photo = try library.photos.find(entry.id)
      return
        "\(entry.id) \(entry.time) \(entry.plant?.name ?? "-") \(entry.notes ?? "-") "
        + "\(entry.photo.map { "\($0)" } ?? "-") \(photo.renditions)"
    }
  }

  @Test func `photos come out as if they had been imported there`() async throws {
    let paths = [Fixtures.path("Photos"), Fixtures.path("Formats")]
      .filter(FileManager.default.fileExists)
    let folder = try TemporaryFolder()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let local = try Library.create(
      at: folder.file("local"), .init(policy: .exact, timeZone: zone))
    let wanted = try await Importer(local).run(ImportRequest(paths: paths)) { _ in }
    try await RunningServer.run(importing: []) { server in
      let summary = try await importAll(paths, to: server)
      #expect(summary.added == wanted.added && summary.duplicate == wanted.duplicate)
      #expect(summary.failed == wanted.failed && summary.skipped == wanted.skipped)
      #expect(try photos(in: server.library) == photos(in: local))
      // All of it is one change, which is undone as one.
      #expect(try server.library.history.page(before: nil, limit: 10).changes.count == 1)
      let again = try await importAll(paths, to: server)
      #expect(again.added == 0 && again.duplicate == wanted.added + wanted.duplicate)
      #expect(try server.uploadsLeft.isEmpty)
    }
    try local.close()
  }

  @Test func `a photo in memory is recorded as its file would be`() async throws {
    let path = Fixtures.path("Photos/basil/20250510T120006+0100.jpg")
    let folder = try TemporaryFolder()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let local = try Library.create(
      at: folder.file("local"), .init(policy: .exact, timeZone: zone))
    var request = ImportRequest(paths: [path])
    request.plant = .named("basil")
    _ = try await Importer(local).run(request) { _ in }
    request.paths = []
    try await RunningServer.run(importing: []) { server in
      let importer = Importer(try await library(of: server))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let name = (path as NSString).lastPathComponent
      let outcome = try await importer.run(bytes, named: name, request)
      guard case .added(let photo) = outcome.result else {
        Issue.record("\(outcome)")
        return
      }
      #expect(try photos(in: server.library) == photos(in: local))
      #expect(try await importer.run(bytes, named: name).result == .duplicate(photo.id))
    }
    try local.close()
  }

  @Test func `folders with the former name of a plant are found behind a service, too`()
    async throws
  {
    try await RunningServer.run { server in
      let (library, folder) = (server.library, try TemporaryFolder())
      let basil = try library.plants.rename(
        library.plants.find(matching: "basil").id, to: "100CANON")
      _ = try library.plants.rename(basil.id, to: "Basil & thyme + ü")
      let photo = try Fixtures.data("Orientation/1.jpg")
      for (number, name) in ["basil", "100canon", "fern"].enumerated() {
        _ = try folder.write(photo + [UInt8(number)], to: "in/\(name)/a.jpg")
      }
      #expect(try await importAll([folder.file("in")], to: server).added == 3)
      let plants = try library.plants.all()
      #expect(plants.map(\.name) == ["Basil & thyme + ü", "fern"])
      #expect(plants[1].photoCount == 1)
      func found(_ folder: String) async throws -> [[String: Any]]? {
        let answer = try await server.answer("/api/v1/plants?folder=\(folder)")
        return try answer.json["items"] as? [[String: Any]]
      }
      let items = try #require(try await found("100CANON"))
      #expect(items.map { $0["name"] as? String } == ["Basil & thyme + ü"])
      #expect(items.first?["aliases"] as? [String] == ["100CANON", "basil"])
      #expect(try await found("oak")?.isEmpty == true)
    }
  }

  /// A token that only sends.
  private func camera(of server: RunningServer) throws -> String {
    try server.library.tokens.add("camera", grant: AccessGrant(AccessScope(.send))).secret
  }

  @Test func `a token that only sends sends the files, as if they had been imported there`()
    async throws
  {
    let paths = [Fixtures.path("Photos"), Fixtures.path("Formats")]
    let folder = try TemporaryFolder()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let local = try Library.create(
      at: folder.file("local"), .init(policy: .exact, timeZone: zone))
    let wanted = try await Importer(local).run(ImportRequest(paths: paths)) { _ in }
    try await RunningServer.run(importing: []) { server in
      let token = try camera(of: server)
      let summary = try await importAll(paths, to: server, token: token)
      #expect(summary.added == wanted.added && summary.duplicate == wanted.duplicate)
      #expect(summary.failed == wanted.failed && summary.skipped == wanted.skipped)
      #expect(summary.sourceByteCount == wanted.sourceByteCount)
      #expect(summary.storedByteCount == wanted.storedByteCount)
      func facts(_ library: Library) throws -> Set<String> {
        let entries = try library.timeline.page(limit: 1000).elements
        return Set(
          entries.map { "\($0.id) \($0.time) \($0.plant?.name ?? "-") \($0.notes ?? "-")" })
      }
      let difference = try facts(server.library).symmetricDifference(facts(local))
      #expect(difference.isEmpty, "\(difference)")
      let changes = try server.library.history.page(limit: 10).changes
      #expect(changes.filter { $0.kind == .importPhotos }.count == 1)
      let again = try await importAll(paths, to: server, token: token)
      #expect(again.added == 0 && again.duplicate == wanted.added + wanted.duplicate)
      #expect(try server.uploadsLeft.isEmpty)
    }
    try local.close()
  }

  @Test func `the date and the caption of a sidecar go along with a file, and keywords do not`()
    async throws
  {
    try await RunningServer.run(importing: []) { server in
      let folder = try TemporaryFolder()
      _ = try folder.write(Fixtures.data("Orientation/1.jpg"), to: "fern/a b+ü.jpg")
      let xmp = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
          xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          photoshop:DateCreated="2024-05-06T07:08:09+02:00"><dc:description><rdf:Alt><rdf:li
          xml:lang="x-default">new &amp; green</rdf:li></rdf:Alt></dc:description><dc:subject>
          <rdf:Bag><rdf:li>leaf</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF>
        </x:xmpmeta>
        """
      _ = try folder.write(Data(xmp.utf8), to: "fern/a b+ü.xmp")
      let token = try camera(of: server)
      #expect(try await importAll([folder.path], to: server, token: token).added == 1)
      let entry = try #require(try server.library.timeline.page(limit: 10).elements.first)
      #expect(entry.time.recorded.iso8601 == "2024-05-06T07:08:09+02:00")
      #expect(entry.notes == "new & green" && entry.tags.isEmpty && entry.plant?.name == "fern")
      #expect(try server.library.photos.find(entry.id).originalName == "a b+ü.jpg")
    }
  }

  @Test func `a large file is sent in pieces`() async throws {
    try await RunningServer.run(importing: []) { server in
      let folder = try TemporaryFolder()
      // Bytes after the end of the picture are kept.
      let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
      let large = photo + Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
      let path = try folder.write(large, to: "a.jpg")
      let token = try camera(of: server)
      #expect(try await importAll([path], to: server, token: token).added == 1)
      let entry = try #require(try server.library.timeline.page(limit: 10).elements.first)
      #expect(entry.photo?.sourceByteCount == large.count)
      #expect(try server.uploadsLeft.isEmpty)
    }
  }

  @Test func `with a token that only sends, nothing is moved, and the service chooses the policy`()
    async throws
  {
    try await RunningServer.run(importing: []) { server in
      let folder = try TemporaryFolder()
      let path = try folder.write(Fixtures.data("Orientation/1.jpg"), to: "a.jpg")
      let token = try camera(of: server)
      let changes: [(inout ImportRequest) -> Void] = [
        { $0.movesFiles = true }, { $0.policy = .exact },
      ]
      for change in changes {
        let error = await #expect(throws: LeaflogError.self) {
          _ = try await importAll([path], to: server, token: token, change)
        }
        #expect(error?.code == .refused)
      }
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a file that the service cannot import is reported with its reason`() async throws {
    try await RunningServer.run(importing: []) { server in
      let folder = try TemporaryFolder()
      let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
      // The segments before the picture are whole, and the picture is missing.
      let path = try folder.write(photo.prefix(700), to: "a.jpg")
      let remote = try await library(of: server, token: camera(of: server))
      let outcomes = Mutex<[FileOutcome]>([])
      _ = try await Importer(remote).run(ImportRequest(paths: [path])) { outcome in
        outcomes.withLock { $0.append(outcome) }
      }
      let local = Mutex<[FileOutcome]>([])
      _ = try await Importer(server.library).run(ImportRequest(paths: [path])) { outcome in
        local.withLock { $0.append(outcome) }
      }
      #expect(outcomes.withLock { $0.map(\.result) } == local.withLock { $0.map(\.result) })
    }
  }

  @Test func `each import is a change of its own, as each step of a watch is`() async throws {
    try await RunningServer.run(importing: []) { server in
      let importer = Importer(try await library(of: server))
      for plant in ["basil", "tomato"] {
        let request = ImportRequest(paths: [Fixtures.path("Photos/\(plant)")])
        #expect(try await importer.run(request) { _ in }.added > 1)
      }
      #expect(try server.library.history.page(before: nil, limit: 10).changes.count == 2)
    }
  }

  @Test func `a photo in the trash stays there, unless it is to come back`() async throws {
    try await RunningServer.run { server in
      let library = server.library
      let ids = try library.timeline.page(limit: 10).elements.map(\.id)
      _ = try library.diary.delete(ids, of: .photo)
      let path = Fixtures.path("Photos/basil")
      let first = try await importAll([path], to: server)
      #expect(first.restored == 0 && first.added == 0)
      #expect(try library.timeline.page(limit: 10).elements.isEmpty)
      let second = try await importAll([path], to: server) { $0.readmission = .all }
      #expect(second.restored == ids.count)
      #expect(try library.timeline.page(limit: 10).elements.count == ids.count)
    }
  }

  @Test func `a dry run sends nothing, and nobody answering is told`() async throws {
    try await RunningServer.run(importing: []) { server in
      let summary = try await importAll([Fixtures.path("Photos/basil")], to: server) {
        $0.isDryRun = true
      }
      #expect(summary.added == 4)
      #expect(try server.library.timeline.page(limit: 10).elements.isEmpty)
    }
    let error = #expect(throws: LeaflogError.self) {
      _ = try RemoteLibrary("ftp://example.org", token: nil)
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `files are removed once the service has their exact bytes`() async throws {
    try await RunningServer.run(importing: []) { server in
      let library = server.library
      let folder = try TemporaryFolder()
      let photos = try FileManager.default.contentsOfDirectory(
        atPath: Fixtures.path("Photos/basil")
      )
      .filter { $0.hasSuffix(".jpg") }
      func copy(_ names: [String]) throws {
        for name in names {
          _ = try folder.write(Fixtures.data("Photos/basil/\(name)"), to: "basil/\(name)")
        }
      }
      func left() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("basil")).count
      }
      // One is known as a compressed copy alone.
      try copy([photos[0]])
      let compact = try await importAll([folder.path], to: server) { $0.policy = .compact }
      #expect(try compact.added == 1 && left() == 1)
      try copy(photos)
      let first = try await importAll([folder.path], to: server) {
        ($0.policy, $0.movesFiles) = (.exact, true)
      }
      #expect(first.added == photos.count - 1 && first.duplicate == 1)
      #expect(try left() == 1)
      // Those that are known by now are compared with what the service has.
      try copy(photos)
      let second = try await importAll([folder.path], to: server) {
        ($0.policy, $0.movesFiles) = (.exact, true)
      }
      #expect(second.duplicate == photos.count)
      #expect(try left() == 1)
      // A damaged blob is no reason to remove its file.
      try copy(photos)
      let entries = try library.timeline.page(limit: 10).elements
      let original = try #require(
        try entries.compactMap { entry in
          try library.photos.find(entry.id).renditions
            .first { $0.role == .original }
        }.first)
      let path = library.photos.path(of: original)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try FileManager.default.removeItem(atPath: path)
      try bytes.write(to: URL(fileURLWithPath: path))
      _ = try await importAll([folder.path], to: server) {
        ($0.policy, $0.movesFiles) = (.exact, true)
      }
      #expect(try left() == 2)
    }
  }

  @Test func `a given time is the service's library's`() async throws {
    try await RunningServer.run(importing: []) { server in
      let time = try #require(RecordedTime("2025-04-03T10:15"))
      let summary = try await importAll([Fixtures.path("Photos/basil")], to: server) {
        $0.time = time
      }
      #expect(summary.added == 4)
      let entries = try server.library.timeline.page(limit: 10).elements
      #expect(entries.allSatisfy { $0.time.recorded == time })
    }
  }

  @Test func `a service that is gone is not asked for each photo`() async throws {
    let server = try ObjectServer { request, number in
      number == 0 ? .obey : .refuse(status: 403, code: "AccessDenied")
    }
    // Behind what it takes for the bucket.
    server.set(
      Data(
        #"{"timeZone":"UTC","dayEnd":0,"policy":"exact","maxFileByteCount":512000000,"takesPrepared":true}"#
          .utf8),
      for: "v1/sending")
    let folder = try TemporaryFolder()
    let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    for number in 0..<40 {
      _ = try folder.write(photo + Data(count: number), to: "\(number).jpg")
    }
    let remote = try RemoteLibrary(server.endpoint, token: nil)
    let summary = try await Importer(remote).run(ImportRequest(paths: [folder.path])) { _ in }
    #expect(summary.failed == 40 && server.requests.count < 20)
  }

  @Test func `a file that is no photo is refused, and leaves nothing`() async throws {
    let changes: [(String, (inout PreparedForm) -> Void)] = [
      ("no file", { $0.files = [] }),
      ("other bytes", { $0.files[0][5000] ^= 1 }),
      ("no picture", { $0.files[0] = Array("<script>".utf8) }),
      ("a file too many", { $0.files.append([1, 2, 3]) }),
      ("many files", { $0.files += Array(repeating: [1], count: 10) }),
      ("no renditions", { $0.fields["renditions"] = [String]() }),
      ("no time", { $0.fields["time"] = nil }),
      ("time", { $0.fields["time"] = ["instant": Int64.max, "offset": 0, "basis": "wall"] }),
      ("offset", { $0.fields["time"] = ["instant": 0, "offset": Int.max, "basis": "wall"] }),
      ("basis", { $0.fields["time"] = ["instant": 0, "offset": 0, "basis": "x"] }),
      ("source", { $0.fields["captureSource"] = "x" }),
      ("warnings", { $0.fields["warnings"] = ["x"] }),
      ("width", { $0.fields["width"] = Int.max }),
      ("height", { $0.fields["height"] = -1 }),
      ("bytes", { $0.fields["byteCount"] = 0 }),
      ("placeholder", { $0.fields["placeholder"] = String(repeating: "A", count: 4000) }),
    ]
    try await RunningServer.run(importing: []) { server in
      for (name, change) in changes {
        var form = try PreparedForm()
        change(&form)
        let status = try await form.send(to: server).status
        #expect((400..<500).contains(status), "\(name): \(status)")
        #expect(try server.library.timeline.page(limit: 10).elements.isEmpty, "\(name)")
        #expect(try server.uploadsLeft.isEmpty, "\(name)")
      }
      #expect(try await PreparedForm().send(to: server).status == 201)
      #expect(try await PreparedForm().send(to: server).status == 200)
      #expect(try server.library.timeline.page(limit: 10).elements.count == 1)
    }
  }
}
