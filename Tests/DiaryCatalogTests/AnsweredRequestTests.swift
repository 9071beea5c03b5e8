import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Requests that are carried out once, however often they come.
@Suite struct AnsweredRequestTests {
  private func key(_ text: String, isLasting: Bool = true) -> RequestKey {
    RequestKey(
      digest: Data(repeating: UInt8(text.utf8.reduce(0, &+)), count: 32),
      request: Data(repeating: 7, count: 32), isLasting: isLasting)
  }

  private func context(_ text: String, isLasting: Bool = true) -> CommitContext {
    CommitContext(origin: "POST", request: key(text, isLasting: isLasting))
  }

  private func addPlant(_ name: String, _ catalog: Catalog) throws {
    _ = try catalog.change(.plantAdd, now: now) {
      try $0.plants.add(PlantDetails(name: name), now: $1)
    }
  }

  @Test func `a request is carried out once, also when its change is undone`() throws {
    let catalog = try CatalogFixture().catalog
    try addPlant("Fern", Catalog(catalog, in: context("k")))
    _ = try catalog.undo(nil) { _ in }
    #expect(throws: AnsweredRequestTable.Repeated.self) {
      try addPlant("Fern", Catalog(catalog, in: context("k")))
    }
    #expect(try catalog.read { try $0.plants.all() }.isEmpty)
    try addPlant("Fern", Catalog(catalog, in: context("other")))
  }

  @Test func `a request that was refused was not carried out`() throws {
    let catalog = try CatalogFixture().catalog
    try addPlant("Fern", catalog)
    let request = Catalog(catalog, in: context("k"))
    #expect(throws: CatalogError.self) { try addPlant("fern", request) }
    #expect(try catalog.read { try $0.answeredRequests.request(key("k")) } == nil)
  }

  @Test func `the condition is checked in the first transaction alone, and its change is known`()
    throws
  {
    let catalog = try CatalogFixture().catalog
    let request = Catalog(catalog, in: context("k"))
    #expect(request.context.change == nil)
    try addPlant("Fern", request)
    let first = try #require(request.context.change)
    try addPlant("Basil", request)
    #expect(request.context.change == first + 1)
  }

  @Test
  func
    `the words of an answer are forgotten after a day, and with them a key that may occur twice`()
    throws
  {
    let folder = try TemporaryFolder()
    let time = Mutex(now)
    let catalog = try Catalog(
      path: folder.file("catalog.sqlite"),
      access: .readWrite(lock: FileLock(FilePath(folder.file("lock"))))
    ) { time.withLock { $0 } }
    try addPlant("Fern", Catalog(catalog, in: context("lasting")))
    try addPlant("Moss", Catalog(catalog, in: context("weak", isLasting: false)))
    try catalog.write { try $0.answeredRequests.answer(key("lasting"), Data("words".utf8)) }
    func answered(_ text: String) throws -> AnsweredRequestTable.Repeated? {
      try catalog.read { try $0.answeredRequests.request(key(text)) }
    }
    #expect(try answered("lasting")?.answer == Data("words".utf8) && answered("weak") != nil)
    time.withLock { $0 = $0.advanced(byMilliseconds: 86_400_001) }
    try addPlant("Basil", Catalog(catalog, in: context("new")))
    #expect(try answered("weak") == nil)
    let kept = try #require(try answered("lasting"))
    #expect(kept.answer == nil && kept.commit == 1)
    try catalog.write { try $0.answeredRequests.answer(key("new"), Data("words".utf8)) }
    _ = try catalog.change(.plantDelete, now: now) { tables, now in
      try tables.plants.delete(tables.plants.named("Basil").id, now: now)
    }
    try catalog.purge(deletedBefore: Timestamp(milliseconds: now.milliseconds + 86_400_002))
    #expect(try answered("new").map { $0.answer == nil } == true)
  }
}
