import DiaryModel
import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

@Suite struct SnapshotTests {
  private static let start = Timestamp(milliseconds: 1_767_225_600_000)  // 2026-01-01
  private static let hour: Int64 = 3_600_000

  private func snapshot(_ number: Int, hours: Double, byteCount: Int = 100) -> CatalogSnapshot {
    CatalogSnapshot(
      path: "/\(number)",
      takenAt: Timestamp(
        milliseconds: Self.start.milliseconds + Int64(hours * Double(Self.hour))),
      generation: number, byteCount: byteCount)
  }

  /// Takes one after the other and rotates after each, as a library does.
  private func kept(
    after hours: [Double], storeByteCount: Int = 1_000_000
  ) -> [CatalogSnapshot] {
    var all: [CatalogSnapshot] = []
    for (number, time) in hours.enumerated() {
      let new = snapshot(number, hours: time)
      all.append(new)
      let gone = SnapshotRotation.surplus(
        of: all, storeByteCount: storeByteCount, now: new.takenAt)
      #expect(!gone.contains(new))
      #expect(all.count - gone.count >= min(2, all.count))
      all.removeAll { gone.contains($0) }
    }
    return all
  }

  @Test func `one an hour, then one a day, then one in thirty days`() {
    let year = kept(after: stride(from: 0, to: 365 * 24, by: 0.25).map { $0 })
    let newest = year[year.count - 1].takenAt.milliseconds
    let ages = year.map { (newest - $0.takenAt.milliseconds) / Self.hour }
    #expect((24...26).contains(ages.filter { $0 < 24 }.count))
    #expect((28...31).contains(ages.filter { (24..<720).contains($0) }.count))
    #expect((11...13).contains(ages.filter { $0 >= 720 }.count))
  }

  @Test func `two stay whatever they take, and one of them is not of today`() {
    #expect(kept(after: [0, 1, 2, 3], storeByteCount: 0).map(\.generation) == [2, 3])
    let days = kept(after: stride(from: 0, to: 24 * 9.5, by: 1).map { $0 }, storeByteCount: 0)
    #expect(days.count == 2)
    let numbers = days.map { Int($0.takenAt.milliseconds / (24 * Self.hour)) }
    #expect(numbers[0] == numbers[1] - 1)
  }

  @Test func `all together take a twentieth of the store, the oldest go first`() {
    // Room for ten of a hundred bytes each.
    let all = kept(after: stride(from: 0, to: 24 * 40, by: 6).map { $0 }, storeByteCount: 20_000)
    #expect(all.count == 10)
    #expect(all.map(\.generation) == all.map(\.generation).sorted())
    #expect(all[0].takenAt > Self.start)
    // A store that shrinks takes snapshots with it.
    let gone = SnapshotRotation.surplus(
      of: all, storeByteCount: 8000, now: all[all.count - 1].takenAt)
    // Three of the last day and the last one of the day before.
    let left = all.filter { !gone.contains($0) }
    #expect(left.map(\.generation) == [155, 157, 158, 159])
  }

  @Test func `a clock that was set back takes nothing out of order`() {
    let all = [snapshot(1, hours: 100), snapshot(2, hours: 101), snapshot(3, hours: 2)]
    let gone = SnapshotRotation.surplus(of: all, storeByteCount: 0, now: all[2].takenAt)
    #expect(gone.map(\.generation) == [1])
  }

  @Test func `under a clock that is ahead for a moment nothing looks old`() {
    let days: [Double] = [0, 24, 48]
    let hours = days + [87_600, 72, 96]
    #expect(kept(after: hours).map(\.generation) == Array(hours.indices))
  }

  @Test func `a name tells time and generation`() throws {
    let time = Timestamp(milliseconds: 1_795_229_160_000)
    let name = CatalogSnapshot.name(takenAt: time, generation: 123)
    #expect(name == "2026-11-21T024600Z-000123.sqlite")
    let folder = try TemporaryFolder()
    for other in [".unfinished.sqlite", "2026-11-21T024600Z-000124.sqlite-wal", "x.sqlite", name] {
      try folder.write(Data("x".utf8), to: "library/snapshots/" + other)
    }
    let found = folder.files(below: "library/snapshots").compactMap {
      CatalogSnapshot(FilePath(folder.file("library/snapshots/" + $0)))
    }
    #expect(found.map(\.generation) == [123])
    #expect(found.first?.takenAt == time)
  }

  private func imported() async throws -> LibraryFixture {
    let fixture = try LibraryFixture()
    try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/fern/a.jpg")
    _ = try await fixture.run()
    return fixture
  }

  @Test func `a snapshot is a catalog of its own, without a log`() async throws {
    let fixture = try await imported()
    let snapshot = try fixture.library.store.takeSnapshot()
    #expect(try fixture.library.store.snapshots() == [snapshot])
    #expect(
      fixture.folder.files(below: "library/snapshots")
        == [(snapshot.path as NSString).lastPathComponent])
    try FileManager.default.removeItem(atPath: fixture.library.path + "/catalog.sqlite-wal")
    try fixture.folder.write(
      Data(contentsOf: URL(fileURLWithPath: snapshot.path)), to: "library/catalog.sqlite")
    let again = try Library.open(at: fixture.library.path, for: .reading)
    #expect(try again.timeline.page().elements.count == 1)
  }

  @Test func `one is taken when something changed and the newest is old, or the work was long`()
    async throws
  {
    let fixture = try await imported()
    let library = fixture.library
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    func later(_ seconds: Int64) -> Timestamp {
      Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    }
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .zero, now: now) != nil)
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .seconds(9999), now: later(9999)) == nil)
    _ = try library.plants.add(PlantDetails(name: "moss"))
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .zero, now: later(30)) == nil)
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .seconds(30), now: later(30)) != nil)
    _ = try library.plants.add(PlantDetails(name: "ivy"))
    #expect(library.store.takeSnapshotIfDue(afterWorkOf: .zero, now: later(200)) != nil)
    #expect(try library.store.snapshots().count >= 2)
  }

  @Test func `a library that is open for reading takes none`() async throws {
    let fixture = try await imported()
    let reading = try Library.open(at: fixture.library.path, for: .reading)
    #expect(reading.store.takeSnapshotIfDue(afterWorkOf: .seconds(9999)) == nil)
    let error = #expect(throws: LeaflogError.self) { try reading.store.takeSnapshot() }
    #expect(error?.code == .readOnly)
    #expect(fixture.folder.files(below: "library/snapshots").isEmpty)
  }

  @Test func `another library's catalog in place of the own one is not continued, and repaired`()
    async throws
  {
    let fixture = try await imported()
    for name in ["a", "b", "c"] {
      _ = try fixture.library.plants.add(PlantDetails(name: name))
      _ = try fixture.library.store.takeSnapshot()
    }
    let before = try fixture.library.store.snapshots()
    try fixture.library.close()
    let other = try LibraryFixture()
    try other.library.close()
    let catalog = fixture.library.path + "/catalog.sqlite"
    try FileManager.default.removeItem(atPath: catalog)
    try FileManager.default.copyItem(
      atPath: other.library.path + "/catalog.sqlite", toPath: catalog)
    let empty = try Library.open(at: fixture.library.path)
    let error = #expect(throws: LeaflogError.self) {
      _ = try empty.plants.add(PlantDetails(name: "new"))
    }
    #expect(error?.code == .damaged && error?.remedy == .repair)
    #expect(try empty.store.snapshots() == before)
    try empty.close()
    // Nothing is lost: a repair takes the newest state that can be proved.
    #expect(CatalogRescue.isNeeded(at: fixture.library.path))
    try Repairer.run(at: fixture.library.path, from: nil) { _ in }
    let repaired = try Library.open(at: fixture.library.path)
    #expect(try repaired.plants.all().map(\.name).sorted() == ["a", "b", "c", "fern"])
  }

  @Test func `a damaged catalog, or a place that cannot be written, costs the work nothing`()
    async throws
  {
    let fixture = try await imported()
    try fixture.folder.write(Data("in the way".utf8), to: "library/snapshots")
    #expect(fixture.library.store.takeSnapshotIfDue(afterWorkOf: .zero) == nil)
    #expect(throws: LeaflogError.self) { try fixture.library.store.takeSnapshot() }
    #expect(try fixture.entries().count == 1)
  }
}
