import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Journal
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A journal in memory.
private final class FrameList: FrameLog {
  private let kept = Mutex<[Frame]>([])

  var frames: [Frame] { kept.withLock { $0 } }
  func last() -> Frame? { kept.withLock { $0.last } }
  func append(_ frame: Frame, isKnown: (Head) throws -> Bool) throws {
    kept.withLock { $0.append(frame) }
  }
  func read(_ lineage: UUID, after commit: Int, _ body: ([Frame]) throws -> Void) throws {
    try body(frames.filter { !$0.isStart && $0.lineage == lineage && $0.commit > commit })
  }
  func begin(_ start: Frame, keepsAll: Bool) throws { kept.withLock { $0.append(start) } }
}

/// Keeps no catalog.
private struct NoKeeper: CatalogKeeper {
  func keep(_ catalog: Catalog) throws {}
}

/// Frames lead another catalog to the same tables.
@Suite struct FrameTests {
  private let folder: TemporaryFolder
  private let journal = FrameList()
  private let catalog: Catalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try Catalog(
      path: folder.file("catalog.sqlite"),
      access: .readWrite(
        lock: FileLock(FilePath(folder.file("lock"))),
        journal: Catalog.JournalAccess(journal, keeper: NoKeeper())))
  }

  private func replica() throws -> Catalog {
    try Catalog(
      path: folder.file("replica.sqlite"),
      access: .replaying(lock: FileLock(FilePath(folder.file("replica-lock")))))
  }

  private func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let replica = try replica()
    let known = try replica.generation()
    try replica.apply(journal.frames.filter { !$0.isStart && $0.commit > known })
    #expect(
      try dump(folder.file("replica.sqlite")) == dump(folder.file("catalog.sqlite")),
      sourceLocation: sourceLocation)
    #expect(
      try replica.history(before: nil, limit: 1000) == catalog.history(before: nil, limit: 1000),
      sourceLocation: sourceLocation)
    try replica.close()
  }

  /// One of everything that can be done, at random.
  private struct Doer {
    let catalog: Catalog
    var random: SplitMix64
    var photoCount = 0
    var dayCount = 0

    private func some<Value>(_ values: [Value], _ random: inout SplitMix64) -> Value? {
      values.isEmpty ? nil : values[random.below(values.count)]
    }

    private mutating func entry(deleted: Bool = false, kinds: Set<EntryKind> = []) throws -> Entry?
    {
      let query = TimelineQuery(kinds: kinds, deleted: deleted)
      return some(try catalog.page(query, at: .start, limit: 40).elements, &random)
    }

    private mutating func edit(
      _ kind: ChangeKind, _ entry: Entry?, _ body: (inout EntryEdit) -> Void
    ) throws {
      guard let entry else { return }
      var edit = EntryEdit(entry.id)
      body(&edit)
      _ = try catalog.apply([edit], as: kind, now: now)
    }

    private mutating func time() throws -> EntryTime {
      EntryTime(.instant(Timestamp(milliseconds: Int64(random.below(1 << 30)) * 1000)), in: .gmt)
    }

    mutating func change() throws {
      let number = random.below(100)
      let plant = some(try catalog.plants(), &random)
      let activity = some(try catalog.activities(), &random)
      switch random.below(18) {
      case 0:
        photoCount += 1
        try catalog.add([madePhoto(photoCount, plant: number < 50 ? "fern" : "basil \(number)")])
      case 1: try edit(.photoEdit, entry(kinds: [.photo])) { $0.notes = "note \(number)" }
      case 2: try edit(.tagAdd, entry()) { $0.tags = { _ in ["tag \(number % 7)", "x"] } }
      case 3:
        let moved = try time()
        try edit(.photoRedate, entry(kinds: [.photo])) { $0.time = (moved, .manual) }
      case 4: try edit(.photoMove, entry(kinds: [.photo])) { $0.plant = .some(plant?.id) }
      case 5: try edit(.photoDelete, entry()) { $0.isDeleted = true }
      case 6: try edit(.photoRestore, entry(deleted: true)) { $0.isDeleted = false }
      case 7: _ = try catalog.addPlant(PlantDetails(name: "plant \(number)"), now: now)
      case 8:
        guard let plant else { return }
        _ = try catalog.editPlant(plant.id, now: now) { $0.notes = "n \(number)" }
      case 9:
        guard let plant else { return }
        _ = try catalog.deletePlant(plant.id, now: now)
      case 10:
        let symptom = Symptom(
          name: "ache \(number % 5)", severity: try Severity(3), medications: ["tea", "\(number)"])
        _ = try catalog.add(
          [EntryDraft(time: time(), tags: ["a"], content: .symptom(symptom))], as: .symptomAdd,
          now: now)
      case 11:
        let later = Symptom(name: "cough", severity: try Severity(Double(1 + number % 5)))
        try edit(.symptomEdit, entry(kinds: [.symptom])) { $0.content = { _ in .symptom(later) } }
      case 12:
        dayCount += 1
        let day = day("2020-01-01").advanced(by: dayCount)
        _ = try catalog.add(
          [EntryDraft(time: EntryTime(.day(day), in: .gmt), content: .mood(.happy))], as: .moodSet,
          now: now)
      case 13:
        _ = try catalog.addActivity(
          ActivityDetails(name: "do \(number)", startFrom: day("2020-01-01")), plant: plant?.id,
          now: now)
      case 14:
        guard let activity else { return }
        dayCount += 1
        let time = EntryTime(.day(day("2020-01-01").advanced(by: dayCount)), in: .gmt)
        _ = try catalog.complete(
          activity.id, at: [time], source: "command", notes: nil, isRepetitionConflict: false,
          now: now)
      case 15:
        guard let activity else { return }
        _ = try catalog.editActivity(activity.id, now: now) { $0.name = "did \(number)" }
      case 16:
        guard let activity else { return }
        _ = try catalog.deleteActivity(activity.id, now: now)
      default:
        let quote = Quote(
          id: QuoteID(stored: "q\(number)"), text: "Grow \(number).", author: nil, source: nil,
          origin: .own)
        _ = try catalog.change(.quoteAdd, now: now) { try $0.quotes.add(quote, now: $1) }
        _ = try catalog.change(.quoteFavourite, now: now) {
          try $0.favourites.add(quote, at: time(), now: $1)
        }
      }
    }

    mutating func undoOrRedo() throws {
      let changes = try catalog.history(before: nil, limit: 30).changes
      guard let change = some(changes, &random) else { return }
      if change.isUndone {
        _ = try catalog.redo(change.id) { _ in }
      } else {
        _ = try catalog.undo(change.id) { _ in }
      }
    }
  }

  /// One that no run has had, or that of a run that failed.
  private static func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["LEAFLOG_SEED"].flatMap(UInt64.init)
      ?? .random(in: 0...UInt64(UInt32.max))
  }

  /// Refusals are what they are; whatever happened, happened whole.
  private func allowingRefusal(_ body: () throws -> Void) throws {
    do { try body() } catch let error as CatalogError {
      let known: [CatalogError.Code] = [.conflict, .nameTaken, .invalid, .notFound]
      guard known.contains(error.code) else { throw error }
    }
  }

  @Test func `a completion has the words of its activity, whatever was renamed, undone and redone`()
    throws
  {
    let days = [EntryTime(.day(day("2026-03-01")), in: .gmt)]
    let activity = try catalog.addActivity(
      ActivityDetails(name: "water", startFrom: day("2026-01-01")), plant: nil, now: now
    ).id
    let entry = try catalog.complete(
      activity, at: days, source: "bulk", notes: nil, isRepetitionConflict: true, now: now)[0].id
    func found(_ text: String) throws -> Int {
      try catalog.search(SearchText(text), at: .start, limit: 5).elements.count
    }
    let done = try #require(try catalog.history(before: nil, limit: 1).changes.first?.id)
    _ = try catalog.undo(done) { _ in }
    _ = try catalog.editActivity(activity, now: now) { $0.name = "mist" }
    _ = try catalog.redo(done) { _ in }
    #expect(try found("mist") == 1 && found("water") == 0)
    _ = try catalog.deleteActivity(activity, now: now)
    _ = try catalog.apply([EntryEdit(entry, isDeleted: false)], as: .photoRestore, now: now)
    #expect(try found("mist") == 1)
    try expectSame()
    _ = try catalog.undo(done) { _ in }
    #expect(try found("mist") == 0)
    try expectSame()
  }

  @Test func `a thousand changes, undone and redone in any order, are the same from the journal`()
    throws
  {
    let seed = Self.seed()
    var doer = Doer(catalog: catalog, random: SplitMix64(state: seed))
    var (undone, refused) = (0, 0)
    for step in 0..<1000 {
      if step % 3 == 2 {
        let before = try step % 50 == 2 ? dump(folder.file("catalog.sqlite")) : []
        do {
          try doer.undoOrRedo()
          undone += 1
        } catch let error as CatalogError {
          #expect([.conflict, .nameTaken].contains(error.code), "\(error), seed \(seed)")
          refused += 1
          if !before.isEmpty {
            #expect(try dump(folder.file("catalog.sqlite")) == before, "seed \(seed)")
          }
        }
      } else {
        try allowingRefusal { try doer.change() }
      }
    }
    #expect(undone > 20, "seed \(seed), refused \(refused)")
    do { try expectSame() } catch { Issue.record("\(error), seed \(seed)") }
    #expect(
      try catalog.read { try $0.inconsistencies() }.filter { !$0.contains("rendition") } == [],
      "seed \(seed)")
  }

  @Test func `undoing everything, the last first, leaves nothing, and redoing it leaves all`()
    throws
  {
    let seed = Self.seed()
    var doer = Doer(catalog: catalog, random: SplitMix64(state: seed))
    let path = folder.file("catalog.sqlite")
    try catalog.write { try $0.settings.set([.policy: "exact"]) }
    var states = [try dump(path)]
    while states.count < 60 {
      let before = try catalog.history(before: nil, limit: 1).changes.first?.id
      try allowingRefusal { try doer.change() }
      // One thing that is done may be two changes.
      let after = try catalog.history(before: nil, limit: 1).changes.first?.id
      if after != before { states.append(try dump(path)) }
    }
    let blobs = states.map { $0.filter { !$0.hasPrefix("blob:") } }
    let count = try catalog.history(before: nil, limit: 1000).changes.count
    for _ in 0..<count { _ = try catalog.undo(nil) { _ in } }
    #expect(try dump(path).filter { !$0.hasPrefix("blob:") } == blobs[0], "seed \(seed)")
    for _ in 0..<count { _ = try catalog.redo(nil) { _ in } }
    #expect(try dump(path) == states.last, "seed \(seed)")
    try expectSame()
  }

  @Test func `a frame is read as it was written, and damage is found`() throws {
    try catalog.add([madePhoto(1)])
    let frame = try #require(journal.frames.last)
    let data = frame.bytes
    #expect(Frame(data) == frame)
    #expect(Frame.last(data + data) == frame)
    var random = SplitMix64(state: 7)
    for _ in 0..<200 {
      var damaged = data
      damaged[random.below(data.count)] ^= 1 << UInt8(random.below(8))
      #expect(Frame(damaged) == nil)
      var found: [Int] = []
      Frame.read(data + damaged + data) {
        if case .frame(let frame) = $0 { found.append(frame.commit) }
      }
      #expect(found == [frame.commit, frame.commit])
    }
    for count in [0, 1, 83, data.count - 1] { #expect(Frame.last(data.prefix(count)) == nil) }
  }

  @Test func `a frame of another catalog, or not the next one, is not applied`() throws {
    try catalog.add([madePhoto(1)])
    try catalog.add([madePhoto(2)])
    let frames = journal.frames.filter { !$0.isStart }
    let replica = try replica()
    #expect(throws: CatalogError.self) { try replica.apply([frames[1]]) }
    try replica.apply([frames[0]])
    #expect(throws: CatalogError.self) { try replica.apply([frames[0]]) }
    try catalog.beginLineage(after: nil)
    try catalog.add([madePhoto(3)])
    let other = try #require(journal.frames.last)
    #expect(throws: CatalogError.self) { try replica.apply([frames[1], other]) }
    #expect(try replica.generation() == 1)
  }
}
