import DiaryCatalog
import DiaryModel
import Foundation
import TestSupport
import Testing

/// Requests that are carried out once, however often they come.
@Suite struct AnsweredRequestTests {
  private let fingerprint = Data(repeating: 7, count: 32)

  private func context(_ key: String, at time: Timestamp) -> CommitContext {
    CommitContext(origin: "POST") { [fingerprint] tables in
      try tables.answeredRequests.begin(key, fingerprint, now: time)
    }
  }

  private func addPlant(_ name: String, _ catalog: Catalog) throws {
    _ = try catalog.change(.plantAdd, now: now) {
      try $0.plants.add(PlantDetails(name: name), now: $1)
    }
  }

  @Test func `a request is carried out once, also when its change is undone`() throws {
    let catalog = try CatalogFixture().catalog
    try addPlant("Fern", Catalog(catalog, in: context("k", at: now)))
    _ = try catalog.undo(nil) { _ in }
    #expect(throws: AnsweredRequestTable.Repeated.self) {
      try addPlant("Fern", Catalog(catalog, in: context("k", at: now)))
    }
    #expect(try catalog.read { try $0.plants.all() }.isEmpty)
    try addPlant("Fern", Catalog(catalog, in: context("other", at: now)))
  }

  @Test func `a request that was refused was not carried out`() throws {
    let catalog = try CatalogFixture().catalog
    try addPlant("Fern", catalog)
    let request = Catalog(catalog, in: context("k", at: now))
    #expect(throws: CatalogError.self) { try addPlant("fern", request) }
    #expect(try catalog.read { try $0.answeredRequests.request("k") } == nil)
  }

  @Test func `the condition is checked in the first transaction alone, and its change is known`()
    throws
  {
    let catalog = try CatalogFixture().catalog
    let request = Catalog(catalog, in: context("k", at: now))
    #expect(request.context.change == nil)
    try addPlant("Fern", request)
    let first = try #require(request.context.change)
    try addPlant("Basil", request)
    #expect(request.context.change == first + 1)
  }

  @Test func `it is forgotten after a day, and with what is removed for good`() throws {
    let catalog = try CatalogFixture().catalog
    try addPlant("Fern", Catalog(catalog, in: context("old", at: now)))
    let day = Timestamp(milliseconds: now.milliseconds + 86_400_001)
    try addPlant("Basil", Catalog(catalog, in: context("new", at: day)))
    #expect(try catalog.read { try $0.answeredRequests.request("old") } == nil)
    try catalog.write { try $0.answeredRequests.answer("new", Data("words".utf8)) }
    #expect(try catalog.read { try $0.answeredRequests.request("new") }?.answer != nil)
    _ = try catalog.change(.plantDelete, now: now) { tables, now in
      try tables.plants.delete(tables.plants.named("Basil").id, now: now)
    }
    try catalog.purge(deletedBefore: day)
    #expect(try catalog.read { try $0.answeredRequests.request("new") } == nil)
  }
}
