import Foundation
import Leaflog
import TestSupport
import Testing

// These functions stand in the library's guide as they are here; a test compares.
func latestPhotos(of name: String, in library: Library) throws -> [Entry] {
  let plant = try library.plants.find(matching: name)
  let query = TimelineQuery(plant: plant.id, kinds: [.photo])
  return try library.timeline.page(query, limit: 10).elements
}

func water(_ name: String, in library: Library) throws {
  let plant = try library.plants.find(matching: name)
  let details = ActivityDetails(
    name: "water the \(plant.name)", startFrom: library.today, everyDays: 7)
  let watering = try library.activities.add(details, plant: plant.id)
  _ = try library.activities.complete(watering.id, notes: "with fertiliser")
}

func repot(_ name: String, into pot: String, in library: Library) throws {
  try library.change("repotted \(name)") { library in
    let plant = try library.plants.find(matching: name)
    _ = try library.plants.edit(plant.id) { $0.location = pot }
    _ = try library.diary.setMood(.happy, on: library.today)
  }
}

func summary(of library: Library) throws -> (plants: [Plant], newest: [Entry]) {
  try library.snapshot { library in
    (try library.plants.all(), try library.timeline.page(limit: 50).elements)
  }
}

func undoLatest(in library: Library) throws -> String {
  let change = try library.history.undo()
  let counts = change.counts.map { "\($0.thing): \($0.added + $0.changed + $0.deleted)" }
  return "Undid \(change.kind), " + counts.joined(separator: ", ")
}

func plantOrNew(_ name: String, in library: Library) throws(LeaflogError) -> Plant {
  do throws(LeaflogError) {
    return try library.plants.find(matching: name)
  } catch {
    guard error.code == .notFound else { throw error }
    return try library.plants.add(PlantDetails(name: name))
  }
}

func printPlants(of library: Library) async throws {
  for try await names in try library.values(of: { try $0.plants.all().map(\.name) }) {
    print(names.joined(separator: ", "))
  }
}

func logHeadache(in library: Library) async throws -> Entry {
  try await library.write { library in
    try library.diary.addSymptom(Symptom(name: "headache", severity: Severity(2)))
  }
}

func exportFavourites(of library: Library, to folder: String) async throws -> [String] {
  try await library.work { library in
    let request = ExportRequest(.matching(TimelineQuery(isFavourite: true)), to: folder)
    var paths: [String] = []
    let summary = try PhotoExporter(library).run(request) { paths += [$0.path].compactMap { $0 } }
    if summary.isInterrupted { print("Cancelled after \(paths.count) photos.") }
    return paths
  }
}

@Suite struct LibraryGuideTests {
  @Test func `the guide's functions do as it says`() async throws {
    let fixture = try LibraryFixture()
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let library = fixture.library
    #expect(try latestPhotos(of: "basil", in: library).count == 4)
    try water("basil", in: library)
    #expect(try library.activities.find(matching: "water the basil").lastDone == library.today)
    #expect(try undoLatest(in: library) == "Undid activityDone, completion: 1")
    #expect(try library.activities.find(matching: "water the basil").lastDone == nil)
    try repot("basil", into: "the blue pot", in: library)
    #expect(try summary(of: library).plants.map(\.details.location) == ["the blue pot"])
    #expect(try undoLatest(in: library) == "Undid plantEdit, mood: 1, plant: 1")
    #expect(try summary(of: library).plants.map(\.details.location) == [nil])
    let fern = try plantOrNew("fern", in: library)
    #expect(try plantOrNew("FERN", in: library) == fern)
    let headache = try await logHeadache(in: library)
    #expect(try library.timeline.page(limit: 1).elements == [headache])
    let photo = try #require(try latestPhotos(of: "basil", in: library).first)
    try library.photos.setFavourite(true, for: .photos([photo.id]))
    let exported = try await exportFavourites(of: library, to: fixture.folder.file("out"))
    #expect(exported == ["basil/2025-05-31_120006.jpg"])
    let observer = Task { try await printPlants(of: library) }
    try library.close()
    try await observer.value
  }

  @Test func `things are encoded in the JSON that the command prints`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let (_, outcomes) = try await fixture.run([Fixtures.path("Photos/basil")])
    let plant = try library.plants.find(matching: "basil")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func encoded(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    for entry in try library.timeline.page(limit: 10).elements {
      #expect(try encoded(entry) == JSON.line(entry))
    }
    #expect(try encoded(outcomes.list[0]) == JSON.line(OutcomeDocument(outcomes.list[0])))
    let history = try library.history.page(limit: 10)
    #expect(try encoded(history) == JSON.line(history))
    let values = try JSONSerialization.jsonObject(with: encoder.encode(plant)) as? [String: Any]
    #expect(values?["name"] as? String == "basil" && values?["photoCount"] as? Int == 4)
  }

  @Test(arguments: [
    ("LibraryGuide", 8), ("ChangesAndSnapshots", 3), ("ImportingFromSwift", 5),
    ("ObservingALibrary", 2), ("CancellingWork", 2), ("TestingPrograms", 4),
  ])
  func `the code of an article is code that is compiled`(article: String, count: Int) throws {
    let folder = (#filePath as NSString).deletingLastPathComponent
    let sources = try [
      "LibraryGuideTests.swift", "ArticleTests.swift",
      "../DependentPackage/Sources/diary/main.swift",
      "../DependentPackage/Sources/diary/title.swift",
    ].map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    let page = try String(
      contentsOfFile: Fixtures.checkout + "/Sources/Leaflog/Leaflog.docc/\(article).md",
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count == count)
    // The lines of a package have a test of their own.
    for block in blocks where !block.contains(".package(") {
      #expect(sources.contains { $0.contains(block) }, "\(block)")
    }
  }
}
