import DiaryCatalog
import DiaryModel
import TestSupport
import Testing

/// Blobs are read in the order in which they need it, a batch at a time.
@Suite struct VerificationOrderTests {
  /// The blobs of a run, in batches; those for which `isGood` says so are noted as verified.
  private func run(
    _ catalog: Catalog, now: Timestamp, isGood: (BlobID) -> Bool = { _ in true }
  ) throws -> [BlobID] {
    let time = try catalog.read { try $0.blobs.verificationTime(now: now) }
    var (read, last): ([BlobID], VerificationPlace?) = ([], nil)
    while true {
      let batch = try catalog.read { try $0.blobs.toVerify(after: last, start: time, limit: 3) }
      guard let end = batch.last else { return read }
      last = end.place
      let ids = batch.map(\.blob.id)
      read += ids
      try catalog.write { try $0.blobs.setVerified(ids.filter(isGood), at: time) }
    }
  }

  @Test func `each blob comes once, also when the clock stands still or was set back`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add((0..<10).map { madePhoto($0) })
    let first = try run(fixture.catalog, now: now)
    #expect(first.count == 20 && Set(first).count == 20)
    for time in [now, now, now.advanced(byMilliseconds: -86_400_000)] {
      #expect(try run(fixture.catalog, now: time) == first)
    }
  }

  @Test func `blobs that were never right come first`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add((0..<4).map { madePhoto($0) })
    let all = try run(fixture.catalog, now: now)
    let bad = Set(all.prefix(2))
    try fixture.catalog.add([madePhoto(4)])
    let new = try run(fixture.catalog, now: now) { !bad.contains($0) }.prefix(2)
    #expect(Set(new).isDisjoint(with: all))
    #expect(try run(fixture.catalog, now: now).prefix(2).elementsEqual(all.prefix(2)))
  }
}
