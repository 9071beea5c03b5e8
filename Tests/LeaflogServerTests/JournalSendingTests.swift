import DiaryModel
import Foundation
import Leaflog
import LeaflogServer
import Synchronization
import TestSupport
import Testing

/// The service of a library whose object store gets changes some time after they are reported.
@Suite struct JournalSendingTests {
  @Test func `the store gets what a service changed while it runs`()
    async throws
  {
    let frames = AsyncStream<Void>.makeStream()
    let isMade = Mutex(false)
    let store = try ObjectServer { request, _ in
      if request.method == "PUT", request.key.contains("/journal/"), isMade.withLock({ $0 }) {
        frames.continuation.yield()
      }
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
    isMade.withLock { $0 = true }
    let answer = try await HTTPExchange(port: port, from: "127.0.0.1").answer(
      "POST", "/api/v1/plants", ["Content-Type: application/json"],
      body: Array(#"{"name":"fig"}"#.utf8))
    #expect(answer.status == 201)
    // It is sent although nobody changes anything else.
    _ = await frames.stream.first { _ in true }
    task.cancel()
    _ = await task.result
    #expect(try library.store.statistics().unsentCommitCount == 0)
    try library.close()
  }
}
