import Foundation
import Leaflog
import Testing

// The library as a program of somebody else finds it: by its public functions only.

/// A library that goes by itself, with a zone and a present that no machine changes.
func garden() throws -> Library {
  try Library.temporary(
    Library.Settings(timeZone: .gmt),
    clock: WallClock { Timestamp(milliseconds: 1_750_000_000_000) })
}

/// The paths of four photos of a basil, in the checkout that the library comes from.
let photos: [String] = {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../Fixtures/Photos/basil").standardizedFileURL.path
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.filter { $0.hasSuffix(".jpg") }.sorted().map { folder + "/" + $0 }
}()

/// Lets one side wait for the other: tasks without a thread, bodies of the library's calls on theirs.
struct Signal: Sendable {
  private let stream = AsyncStream<Void>.makeStream()
  private let semaphore = DispatchSemaphore(value: 0)

  func send() {
    stream.continuation.finish()
    semaphore.signal()
  }

  func received() async { for await _ in stream.stream {} }
  func wait() { semaphore.wait() }
}

enum Diary {
  @TaskLocal static var name = "nobody's"
}

/// Calls, changes and snapshots of a library.
@Suite struct CallTests {
  @Test(arguments: ["read", "write", "work"])
  func `cancelling a task reaches the body of its call, as its task-local values do`(
    call: String
  ) async throws {
    let library = try garden()
    let (begun, cancelled) = (Signal(), Signal())
    let body: @Sendable (Library) throws -> (Bool, String) = { _ in
      begun.send()
      cancelled.wait()
      return (Task.isCancelled, Diary.name)
    }
    let task = Diary.$name.withValue("Ada's") {
      Task {
        switch call {
        case "read": try await library.read(body)
        case "write": try await library.write(body)
        default: try await library.work { try body($0) }
        }
      }
    }
    await begun.received()
    task.cancel()
    cancelled.send()
    let (isCancelled, name) = try await task.value
    #expect(isCancelled && name == "Ada's")
    try library.close()
  }

  @Test func `a call that waits for its turn ends at once when it is cancelled`() async throws {
    let library = try garden()
    let (begun, end) = (Signal(), Signal())
    let first = Task {
      try await library.write { _ in
        begun.send()
        end.wait()
      }
    }
    await begun.received()
    let second = Task {
      try await library.write { try $0.plants.add(PlantDetails(name: "Basil")) }
    }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    end.send()
    try await first.value
    #expect(try library.plants.all().isEmpty)
    try library.close()
  }

  @Test func `an export ends within a photo, and its summary says so`() async throws {
    try #require(photos.count == 4)
    let library = try garden()
    _ = try await Importer(library).run(ImportRequest(paths: photos)) { _ in }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("diary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (count, isInterrupted) = try await Task {
      try await library.work { library in
        var count = 0
        let request = ExportRequest(.matching(TimelineQuery(kinds: [.photo])), to: folder.path)
        let summary = try PhotoExporter(library).run(request) { _ in
          count += 1
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return (count, summary.isInterrupted)
      }
    }.value
    #expect(count == 1 && isInterrupted)
    try library.close()
  }

  @Test func `several calls are one change, or none; a snapshot is one state`() throws {
    let library = try garden()
    try library.change("spring") { library in
      let plant = try library.plants.add(PlantDetails(name: "Basil"))
      _ = try library.plants.edit(plant.id) { $0.location = "sill" }
      _ = try library.diary.setMood(.happy, on: library.today)
    }
    let changes = try library.history.page(limit: 10).changes
    #expect(changes.map(\.origin) == ["spring"])
    struct Rain: Error {}
    #expect(throws: Rain.self) {
      try library.change("autumn") { library in
        _ = try library.plants.add(PlantDetails(name: "Fern"))
        throw Rain()
      }
    }
    #expect(try library.plants.all().map(\.name) == ["Basil"])
    let other = try Library.open(at: library.path)
    let counts = try library.snapshot { library in
      let before = try library.plants.all().count
      _ = try other.plants.add(PlantDetails(name: "Mint"))
      let error = #expect(throws: LeaflogError.self) {
        try library.plants.add(PlantDetails(name: "Rue"))
      }
      #expect(error?.code == .invalidRequest)
      return [before, try library.plants.all().count]
    }
    #expect(counts == [1, 1])
    try other.history.undo()
    try library.history.undo()
    #expect(try library.plants.all().isEmpty)
    try other.close()
    try library.close()
  }

  @Test func `a write in the closure of an edit is refused`() throws {
    let library = try garden()
    let plant = try library.plants.add(PlantDetails(name: "Basil"))
    let error = #expect(throws: LeaflogError.self) {
      try library.plants.edit(plant.id) { _ in
        _ = try library.plants.add(PlantDetails(name: "Fern"))
      }
    }
    #expect(error?.code == .invalidRequest)
    #expect(try library.plants.all().map(\.name) == ["Basil"])
    try library.close()
  }

  @Test func `no number ends the process or hangs it`() throws {
    let library = try garden()
    let insights = try library.insights.compute(today: library.today)
    for width in [Double.nan, .infinity, -.infinity, 1e300, -1, 0] {
      #expect(throws: LeaflogError.self) { try insights.svg(.symptoms, width: width) }
    }
    #expect(PixelSize(width: .max, height: .max).pixelCount == .max)
    for number in [Int.min, .max] { _ = try? library.diary.today(LocalDay(dayNumber: number)) }
    for limit in [-5, 0, .min] {
      #expect(throws: LeaflogError.self) { try library.history.page(limit: limit) }
      #expect(throws: LeaflogError.self) { try library.timeline.page(limit: limit) }
    }
    try library.close()
  }

  @Test func `a commit names its entries, and no value is told twice`() async throws {
    let library = try garden()
    var commits = try library.history.commits().makeAsyncIterator()
    var counts = try library.values { try $0.plants.all().count }.makeAsyncIterator()
    #expect(try await counts.next() == 0)
    let entry = try library.diary.addSymptom(Symptom(name: "ache", severity: Severity(2)))
    #expect(
      try await commits.next()?.entries?.map { "\($0.id) \($0.fate)" } == ["\(entry.id) added"])
    try library.diary.delete([entry.id], of: .symptom)
    #expect(try await commits.next()?.entries?.map(\.fate) == [.deleted])
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    #expect(try await counts.next() == 1)
    try library.close()
  }
}

/// Ids, errors and enumerations, and Swift's own types in calls.
@Suite struct NameTests {
  /// Whether an id is the same after it was kept as a text and as JSON.
  private func isKept<ID: Codable & LosslessStringConvertible & Equatable>(_ id: ID) throws -> Bool
  {
    let json = try JSONDecoder().decode([ID].self, from: JSONEncoder().encode([id]))
    return ID(id.description) == id && json == [id]
  }

  @Test func `ids can be kept, and find the same thing later`() throws {
    let library = try garden()
    let plant = try library.plants.add(PlantDetails(name: "Basil"))
    let activity = try library.activities.add(
      ActivityDetails(name: "water", startFrom: library.today), plant: plant.id)
    let factor = try library.factors.add(
      FactorDetails(name: "coffee", kind: .number, range: 0...10))
    let mood = try library.diary.setMood(.happy, on: library.today)
    let token = try library.tokens.add("phone").token
    let quote = try library.quotes.ofDay(library.today)
    #expect(try isKept(plant.id) && isKept(activity.id) && isKept(factor.id))
    #expect(try isKept(mood.id) && isKept(token.id) && isKept(quote.id))
    #expect(try library.plants.find(plant.id) == library.plants.find(matching: "basil"))
    #expect(try library.activities.find(activity.id).details.name == "water")
    #expect(try library.quotes.find(quote.id) == quote)
    #expect(try library.diary.entry(mood.id) == library.diary.entry(matching: "\(mood.id)"))
    try library.close()
  }

  @Test func `errors have a sentence and a remedy, and codes say what it is`() throws {
    let library = try garden()
    let error = #expect(throws: LeaflogError.self) { try library.plants.find(matching: "fern") }
    #expect((error as (any Error)?)?.localizedDescription == "No plant is called “fern”.")
    #expect(error?.recoverySuggestion == "Look up the names of the plants.")
    let invalid = #expect(throws: InvalidValue.self) { try Severity(99) }
    #expect((invalid as (any Error)?)?.localizedDescription == invalid?.errorDescription)
    let below = #expect(throws: LeaflogError.self) {
      try Library.create(at: library.path + "/catalog.sqlite/garden")
    }
    #expect(below?.code == .failed)
    let again = #expect(throws: LeaflogError.self) { try Library.create(at: library.path) }
    #expect(again?.code == .libraryExists)
    try library.close()
  }

  /// Cases may come: without `@unknown default`, this does not compile in Swift 6.
  private func isPicture(_ kind: EntryKind) -> Bool {
    switch kind {
    case .photo: true
    case .symptom, .dailyLog, .episode, .mood, .quote, .completion: false
    @unknown default: false
    }
  }

  /// No case comes: all are named.
  private func days(of unit: BucketUnit) -> ClosedRange<Int> {
    switch unit {
    case .day: 1...1
    case .week: 7...7
    case .month: 28...31
    case .year: 365...366
    }
  }

  @Test func `a switch has a default where cases may come, and none where they do not`() {
    #expect(isPicture(.photo) && !isPicture(.mood))
    #expect(BucketUnit.allCases.map { days(of: $0).lowerBound } == [1, 7, 28, 365])
  }

  @Test func `addresses, dates, bytes and open files are Swift's`() async throws {
    try #require(photos.count == 4)
    let library = try garden()
    let folder = URL(fileURLWithPath: library.path)
    #expect(Library.exists(at: folder))
    try Library.open(at: folder, for: .reading).close()
    let moment = library.clock.now
    #expect(Timestamp(Date(moment)) == moment && Timestamp(.distantPast) != nil)
    let photo = URL(fileURLWithPath: photos[0])
    var request = ImportRequest()
    request.plant = .named("Basil")
    let outcome = try await Importer(library).run(
      Data(contentsOf: photo), named: photo.lastPathComponent, request)
    guard case .added(let added) = outcome.result else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try library.photos.find(added.id).entry.plant?.name == "Basil")
    let (one, other) = (folder.appendingPathComponent("1"), folder.appendingPathComponent("2"))
    _ = try DiaryExporter(library).writeJSON(into: .file(one.path))
    #expect(FileManager.default.createFile(atPath: other.path, contents: nil))
    let handle = try FileHandle(forWritingTo: other)
    _ = try DiaryExporter(library).writeJSON(into: .handle(handle))
    try handle.close()
    #expect(try Data(contentsOf: one) == Data(contentsOf: other))
    try library.close()
    #expect(!Library.exists(at: folder))
  }

  @Test func `snapshots are taken by themselves`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("diary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library.create(at: folder, Library.Settings(timeZone: .gmt))
    _ = try library.plants.add(PlantDetails(name: "Basil"))
    try library.close()
    let again = try Library.open(at: folder, for: .reading)
    #expect(try again.store.snapshots().count == 1)
    try again.close()
  }
}
