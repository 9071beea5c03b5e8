import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import LeaflogServer
import Synchronization
import TestSupport
import Testing

/// The service of a library whose object store gets changes some time after they are reported.
@Suite struct JournalSendingTests {
  /// Serves a library of such a store.
  ///
  /// - Parameter isSent: called with the key of each object of the journal that the store gets.
  private func serve(
    isSent: @escaping @Sendable (String) -> Void = { _ in },
    _ body: (Library, HTTPExchange) async throws -> Void
  ) async throws {
    let store = try ObjectServer { request, _ in
      if request.method == "PUT", request.key.contains("/journal/") { isSent(request.key) }
      return .obey
    }
    let folder = try TemporaryFolder()
    var settings = ObjectStoreSettings(url: "s3://bucket/diary", endpoint: store.endpoint)
    settings.journal = .async
    let keys = ObjectStoreKeys(environment: [
      "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
    ])
    let library = try Library.create(
      at: folder.file("library"), .init(timeZone: .gmt, store: settings), keys: keys)
    let ports = AsyncStream<Int>.makeStream()
    var options = ServerOptions()
    options.port = 0
    let task = Task { [options] in
      defer { ports.continuation.finish() }
      try await LeaflogServer(library, options).run(
        logger: RunningServer.silence, stopsAtSignals: false
      ) { ports.continuation.yield($0) }
    }
    let port = try #require(await ports.stream.first { _ in true })
    try library.store.sendJournal()
    try await body(library, HTTPExchange(port: port, from: "127.0.0.1"))
    task.cancel()
    _ = await task.result
    try library.close()
  }

  @Test func `the store gets what a service changed while it runs`()
    async throws
  {
    let frames = AsyncStream<Void>.makeStream()
    let isMade = Mutex(false)
    try await serve { _ in
      if isMade.withLock({ $0 }) { frames.continuation.yield() }
    } _: { library, service in
      isMade.withLock { $0 = true }
      let answer = try await service.answer(
        "POST", "/api/v1/plants", ["Content-Type: application/json"],
        body: Array(#"{"name":"fig"}"#.utf8))
      #expect(answer.status == 201)
      // It is sent although nobody changes anything else.
      _ = await frames.stream.first { _ in true }
      try library.store.sendJournal()
      #expect(try library.store.statistics().unsentCommitCount == 0)
    }
  }

  @Test func `who asks for it has a photo's change sent at once, by POST alone`() async throws {
    try await serve { library, service in
      let photo = try Array(Fixtures.data("Photos/basil/20250510T120006+0100.jpg"))
      let digest = photo.withUnsafeBytes { BlobID(hashing: $0) }.hex
      let path = "/api/v1/sources/\(digest)"
      #expect(try await service.answer("POST", path + "/send").status == 404)
      let taken = try await service.answer(
        "POST", "/api/v1/photos?name=a.jpg", ["Content-Type: image/jpeg"], body: photo)
      #expect(taken.status == 201)
      #expect(try await service.answer("GET", path + "?sent=true").status == 400)
      let sent = try await service.answer("POST", path + "/send")
      #expect(
        try sent.status == 200 && sent.json["id"] as? String == taken.json["photo"] as? String)
      #expect(try library.store.statistics().unsentCommitCount == 0)
    }
  }
}
