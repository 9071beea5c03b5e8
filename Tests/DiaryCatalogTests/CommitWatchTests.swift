import BlobStorage
import DiaryCatalog
import DiaryModel
import SystemPackage
import TestSupport
import Testing

@Suite struct CommitWatchTests {
  @Test func `the mark changes with each commit, by whichever connection, and with nothing else`()
    throws
  {
    let fixture = try CatalogFixture()
    let watch = try CommitWatch(fixture.catalog)
    let path = fixture.folder.file("catalog.sqlite")
    let other = try Catalog(
      path: path, access: .readWrite(lock: FileLock(FilePath(fixture.folder.file("lock")))))
    var marks: Set<CommitMark> = [try #require(watch.mark)]
    for number in 1...20 {
      let catalog = number.isMultiple(of: 2) ? fixture.catalog : other
      try catalog.add([madePhoto(number)])
      let mark = try #require(watch.mark)
      #expect(marks.insert(mark).inserted)
      _ = try other.read { try $0.totals.entries() }
      if number.isMultiple(of: 5) {
        #expect(try fixture.run("PRAGMA wal_checkpoint(PASSIVE)") == nil)
      }
      #expect(watch.mark == mark)
    }
  }

  @Test func `without a write-ahead log commits are counted`() throws {
    let fixture = try CatalogFixture()
    try fixture.catalog.add([madePhoto(1)])
    let generation = try fixture.catalog.generation()
    try fixture.catalog.close()
    let path = fixture.folder.file("catalog.sqlite")
    #expect(try WriteAheadLog(ofCatalogAt: path).fold())
    let reader = try Catalog(path: path, access: .readOnly)
    #expect(try CommitWatch(reader).mark == .generation(generation))
  }
}
