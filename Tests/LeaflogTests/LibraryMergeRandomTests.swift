import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Bringing over whatever two copies may have done.
@Suite struct LibraryMergeRandomTests {
  @Test(arguments: 1...10)
  func `nothing that either copy did is lost`(seed: UInt64) async throws {
    let copies = try await DivergedCopies("Photos/basil", LibraryMergeTests.fill)
    let (here, there) = (copies.here, copies.there)
    let common = try Set(there.all().map(\.id))
    var random = SplitMix64(state: seed)
    for library in [there, here] {
      for photos in ["monstera", "tomato"] where random.below(2) == 0 {
        _ = try await Importer(library).run(
          ImportRequest(paths: [Fixtures.path("Photos/" + photos)])
        ) { _ in }
      }
      for _ in 0..<25 {
        copies.clock.pass(seconds: 60)
        // What is not possible is refused.
        do { try RandomChange(library).make(&random) } catch is LeaflogError {}
      }
    }
    let (own, theirs) = (try here.all(), try there.all())
    let kept = Set(theirs.map(\.id))
    let before = try copies.undoable()
    try copies.bringOver()

    let after = try here.all()
    let ids = Set(after.map(\.id))
    for entry in own where !ids.contains(entry.id) {
      #expect(common.contains(entry.id) && !kept.contains(entry.id), "\(entry)")
    }
    for entry in theirs where !ids.contains(entry.id) {
      let isDeletedHere = try copies.inTrash(here).contains { $0.id == entry.id }
      let isFound = after.contains { Self.isSame($0, entry) }
      #expect(isDeletedHere || isFound, "\(entry)")
    }
    let plants = try Set(here.plants.all().map(\.id))
    #expect(after.allSatisfy { $0.plant.map { plants.contains($0.id) } ?? true })
    let activities = try Set(here.activities.all().map(\.id))
    for case .completion(let completion) in after.map(\.content) {
      #expect(activities.contains(completion.activity.id))
    }
    if before != (try copies.undoable()) {
      _ = try here.history.undo(.bringOver)
      #expect(try copies.undoable() == before)
    }
  }

  /// Whether an entry is the same under another id: of the same day, or with the same quote.
  private static func isSame(_ entry: Entry, _ other: Entry) -> Bool {
    switch (entry.content, other.content) {
    case (.mood, .mood), (.dailyLog, .dailyLog): entry.time.localDay == other.time.localDay
    case (.completion(let own), .completion(let theirs)):
      entry.time.localDay == other.time.localDay && own.activity.name == theirs.activity.name
    case (.quote(let own), .quote(let theirs)): own.text == theirs.text
    default: false
    }
  }
}

/// A change of a library, by chance.
struct RandomChange {
  private let library: Library

  init(_ library: Library) { self.library = library }

  private static let names = ["basil", "mint", "sage", "thyme", "rosemary"]

  func make(_ random: inout SplitMix64) throws {
    let name = Self.names[random.below(Self.names.count)]
    let day = LocalDay("2026-03-0\(1 + random.below(5))")!
    let entries = try library.all()
    let trash = try library.timeline.page(TimelineQuery(deleted: true), limit: 1000).elements
    let entry = entries[random.below(entries.count)]
    switch random.below(20) {
    case 0: _ = try library.diary.addSymptom(Symptom(name: name, severity: Severity(2)))
    case 1: try edit(entry, name, &random)
    case 2: try edit(entry, name, &random)
    case 3: _ = try library.diary.delete([entry.id], of: entry.kind)
    case 4 where !trash.isEmpty:
      let entry = trash[random.below(trash.count)]
      _ = try library.diary.restore([entry.id], of: entry.kind, confirmed: [.anyOverlap])
    case 5:
      _ = try library.diary.setMood(Mood.allCases[random.below(5)], on: day, notes: name)
    case 6: _ = try library.diary.setDailyLog(on: day) { $0.stress = 1 + day.dayNumber % 5 }
    case 7: _ = try library.plants.add(PlantDetails(name: name, location: "\(day)"))
    case 8: _ = try library.plants.rename(plant(&random), to: name)
    case 9: _ = try library.plants.edit(plant(&random)) { $0.notes = name }
    case 10: _ = try library.plants.delete(plant(&random))
    case 11: _ = try library.plants.merge(plant(&random), into: plant(&random))
    case 12:
      _ = try library.activities.add(
        ActivityDetails(name: name, startFrom: day), doneOn: [day])
    case 13: _ = try library.activities.edit(activity(&random)) { $0.name = name }
    case 14: _ = try library.activities.delete(activity(&random))
    case 15: _ = try library.activities.complete(activity(&random), on: [day])
    case 16:
      _ = try library.activities.reorder(activity(&random), to: .number(1))
    case 17:
      _ = try library.quotes.favourite(library.quotes.add(name, author: nil).quote)
    case 18: _ = try library.diary.renameTag("pain", to: name)
    default: _ = try library.history.undo()
    }
  }

  private func edit(_ entry: Entry, _ text: String, _ random: inout SplitMix64) throws {
    switch entry.kind {
    case .photo where random.below(2) == 0:
      _ = try library.photos.move(.photos([entry.id]), to: plant(&random))
    case .photo:
      _ = try library.photos.edit(
        entry.id, notes: text, time: RecordedTime("2024-05-0\(1 + random.below(9))T12:00"))
    case .symptom: _ = try library.diary.editSymptom(entry, notes: text) { $0.name = text }
    case .episode:
      _ = try library.diary.editEpisode(entry, confirmed: [.anyOverlap]) { $0.testResult = text }
    default: _ = try library.diary.addTags([text], to: [entry.id])
    }
  }

  private func plant(_ random: inout SplitMix64) throws -> PlantID {
    let plants = try library.plants.all()
    guard !plants.isEmpty else { throw LeaflogError(.notFound, "There is no plant.") }
    return plants[random.below(plants.count)].id
  }

  private func activity(_ random: inout SplitMix64) throws -> ActivityID {
    let activities = try library.activities.all()
    guard !activities.isEmpty else { throw LeaflogError(.notFound, "There is no activity.") }
    return activities[random.below(activities.count)].id
  }
}
