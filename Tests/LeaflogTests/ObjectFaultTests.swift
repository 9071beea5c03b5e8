import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Whole libraries in an object store that fails by chance. `LEAFLOG_LONG_TESTS` tries 200 seeds.
@Suite(.serialized) struct ObjectFaultTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  /// A library in a store with weather.
  private struct Fixture {
    let weather: Weather
    let base: ObjectLibraryFixture
    var library: Library { base.library }

    init(seed: UInt64) throws {
      let weather = Weather(seed: seed)
      self.weather = weather
      let server = try ObjectServer { request, _ in weather.reaction(to: request) }
      base = try ObjectLibraryFixture(server, policy: Weather.policy)
    }

    /// Nil when the store was too bad for it; any other failure is an issue.
    func tried<Value>(_ body: () throws -> Value) -> Value? {
      do { return try body() } catch {
        let code = (error as? LeaflogError)?.code
        #expect(code == .unreachable, "seed \(weather.seed): \(error)")
        return nil
      }
    }

    /// Of the photos that were reported as added.
    func importInStorm() async -> Set<EntryID> {
      let outcomes = Outcomes()
      do {
        _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos")])) {
          outcomes.add($0)
        }
      } catch {
        let code = (error as? LeaflogError)?.code
        #expect(code == .unreachable, "seed \(weather.seed): \(error)")
      }
      return Set(
        outcomes.list.compactMap { if case .added(let photo) = $0.result { photo.id } else { nil } }
      )
    }

    func entries() throws -> [Entry] {
      try library.timeline.page(TimelineQuery(), limit: 100).elements
    }
  }

  @Test(arguments: 1...(isLong ? 200 : 8))
  func `a reported commit is there, whatever the store did`(seed: UInt64) async throws {
    let fixture = try Fixture(seed: seed)
    let (base, weather) = (fixture.base, fixture.weather)
    weather.set(.storm)
    var added = await fixture.importInStorm()
    added.formUnion(await fixture.importInStorm())
    let present = try fixture.entries()
    #expect(added.isSubset(of: present.map(\.id)), "seed \(seed)")
    var noted: [EntryID: String] = [:]
    for (number, entry) in present.enumerated() {
      let edited = fixture.tried {
        try fixture.library.photos.edit(entry.id, notes: "note \(number)")
      }
      if edited != nil { noted[entry.id] = "note \(number)" }
    }
    // Of what can be read nothing is called damaged.
    let damage = fixture.tried { try base.damage(isFull: true) }
    #expect(damage ?? [] == [], "seed \(seed)")
    weather.set(.calm)
    let again = try await base.importPhotos().summary
    #expect(again.failed == 0, "seed \(seed)")
    let entries = try fixture.entries()
    #expect(entries.count == 13, "seed \(seed)")
    for entry in entries {
      if let note = noted[entry.id] { #expect(entry.notes == note, "seed \(seed)") }
    }
    #expect(try base.damage(isFull: true).isEmpty, "seed \(seed)")
  }

  @Test(arguments: 1...(isLong ? 200 : 4))
  func `replicas, backups and other machines get all rows, or an error`(seed: UInt64) async throws {
    let fixture = try Fixture(seed: seed)
    let (base, weather) = (fixture.base, fixture.weather)
    _ = try await base.importPhotos([Fixtures.path("Photos/basil")])
    var replica = try LibraryReplica.create(
      base.settings, at: base.folder.file("replica"), keys: base.keys
    ).replica
    _ = try await base.importPhotos()
    weather.set(.storm)
    let place = base.folder.file("backup")
    for number in 0..<4 {
      _ = fixture.tried { try fixture.library.plants.add(PlantDetails(name: "Plant \(number)")) }
      if number == 2 { _ = fixture.tried { try fixture.library.store.takeSnapshot() } }
      if fixture.tried({ try replica.update() }) == nil {
        try replica.close()
        replica = try LibraryReplica(at: base.folder.file("replica"), keys: base.keys)
      }
      let backup = fixture.tried {
        try Backup(fixture.library).run(BackupRequest(path: place)) {
          Issue.record("seed \(seed): \($0.message)")
        }
      }
      if backup != nil {
        let path = base.folder.file("restored \(number)")
        _ = try Restore(Library.open(at: place, for: .reading), to: path).run { _ in }
        #expect(try base.rows("restored \(number)") == base.rows(), "seed \(seed)")
      }
    }
    weather.set(.calm)
    _ = try fixture.library.plants.add(PlantDetails(name: "Last"))
    _ = try replica.update()
    #expect(try base.rows("replica") == base.rows(), "seed \(seed)")
    weather.set(.storm)
    let name = try #require((0..<40).map { "attached \($0)" }.first { attach($0, fixture) })
    weather.set(.calm)
    #expect(try base.rows(name) == base.rows(), "seed \(seed)")
    let attached = try Library.open(at: base.folder.file(name), keys: base.keys)
    _ = try attached.plants.add(PlantDetails(name: "After"))
    #expect(try base.damage(in: attached, isFull: true).isEmpty, "seed \(seed)")
    _ = try base.attach("third")
    #expect(try base.rows("third") == base.rows(name), "seed \(seed)")
  }

  private func attach(_ name: String, _ fixture: Fixture) -> Bool {
    let report = fixture.tried {
      try LibraryAttachment(fixture.base.settings, keys: fixture.base.keys)
        .run(at: fixture.base.folder.file(name))
    }
    #expect(report?.losses ?? [] == [], "seed \(fixture.weather.seed)")
    return report != nil
  }

  @Test func `an import whose store is gone ends without asking for every photo`() async throws {
    let isDown = Mutex(false)
    let server = try ObjectServer { _, _ in
      isDown.withLock { $0 } ? .refuse(status: 503, code: "SlowDown") : .obey
    }
    let fixture = try ObjectLibraryFixture(server, policy: Weather.policy)
    let photo = try Data(
      contentsOf: URL(fileURLWithPath: Fixtures.path("Photos/monstera/IMG_0001.jpg")))
    let photos = try (0..<60).map { number in
      let path = fixture.folder.file("\(number).jpg")
      try (photo + Data("\(number)".utf8)).write(to: URL(fileURLWithPath: path))
      return path
    }
    isDown.withLock { $0 = true }
    let start = server.requests.count
    #expect(try await fixture.importPhotos(photos).summary.failed == 60)
    // Five batches at most, with four objects each on their way, which are tried five times.
    #expect(server.requests.count - start <= 100)
  }

  @Test func `a marker that is written late takes no commits from its owner`() throws {
    let isLate = Mutex(false)
    let server = try ObjectServer { request, _ in
      let isNext = isLate.withLock { isLate in
        defer { if request.method == "PUT" { isLate = false } }
        return isLate && request.method == "PUT"
      }
      return isNext ? .obeyLate(after: 1_000_000) : .obey
    }
    let fixture = try ObjectLibraryFixture(server, policy: Weather.policy)
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    isLate.withLock { $0 = true }
    let attached = try fixture.attach("attached")
    _ = try attached.plants.add(PlantDetails(name: "Basil"))
    server.catchUp()
    _ = try fixture.attach("third")
    #expect(try fixture.rows("third") == fixture.rows("attached"))
  }

  @Test(arguments: ["journal", "catalog"])
  func `another machine gets all commits through a network that changes a byte`(
    folder: String
  ) async throws {
    let isBad = Mutex(false)
    let server = try ObjectServer { request, _ in
      guard request.method == "GET", request.key.contains("/\(folder)/") else { return .obey }
      return isBad.withLock { isBad in
        defer { isBad = false }
        return isBad ? .damage : .obey
      }
    }
    let fixture = try ObjectLibraryFixture(server, policy: Weather.policy)
    _ = try fixture.library.plants.add(PlantDetails(name: "Fern"))
    try fixture.library.store.takeSnapshot()
    _ = try fixture.library.plants.add(PlantDetails(name: "Basil"))
    isBad.withLock { $0 = true }
    let replica = try LibraryReplica.create(
      fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
    ).replica
    #expect(try fixture.rows("replica") == fixture.rows())
    try replica.close()
    isBad.withLock { $0 = true }
    _ = try fixture.attach("attached")
    #expect(try fixture.rows("attached") == fixture.rows())
  }

  @Test(arguments: 1...(isLong ? 200 : 4))
  func `deleting through a bad store takes nothing that is needed`(seed: UInt64) async throws {
    let fixture = try Fixture(seed: seed)
    let (base, weather) = (fixture.base, fixture.weather)
    _ = try await base.importPhotos()
    try fixture.library.plants.delete(fixture.library.plants.find(matching: "basil").id)
    weather.set(.storm)
    for hours in [0.1, 25, 50, 75] {
      _ = fixture.tried { try Pruner(fixture.library).run(PruneRequest(), now: .inHours(hours)) }
    }
    _ = await fixture.importInStorm()
    weather.set(.calm)
    var request = ImportRequest(paths: [Fixtures.path("Photos")])
    request.readmission = .all
    #expect(try await Importer(fixture.library).run(request) { _ in }.failed == 0, "seed \(seed)")
    #expect(try fixture.entries().count == 13, "seed \(seed)")
    #expect(try base.damage(isFull: true).isEmpty, "seed \(seed)")
    // By now all that came late has come.
    #expect(try base.damage(isFull: true).isEmpty, "seed \(seed)")
  }
}

/// Reactions by chance, of which a client finds out by its own means: no request is damaged on each of its tries.
private final class Weather: Sendable {
  enum Kind { case calm, storm }

  private struct State {
    var random: SplitMix64
    var kind = Kind.calm
    /// How many more requests meet a store that is down.
    var outage = 0
    /// A stall takes three seconds.
    var stallsLeft = 1
    /// Keys whose last answer was none, or none that was right.
    var disturbed: Set<String> = []
  }

  let seed: UInt64
  private let state: Mutex<State>

  /// Without pauses.
  static var policy: RetryPolicy {
    var policy = RetryPolicy()
    policy.sleep = { _ in }
    (policy.stall, policy.deadline) = (.seconds(3), .seconds(90))
    return policy
  }

  init(seed: UInt64) {
    self.seed = seed
    state = Mutex(State(random: SplitMix64(state: seed)))
  }

  func set(_ kind: Kind) { state.withLock { ($0.kind, $0.outage) = (kind, 0) } }

  func reaction(to request: ObjectServer.Request) -> ObjectServer.Reaction {
    state.withLock { state in
      guard state.kind == .storm else { return .obey }
      if state.outage == 0, state.random.below(40) == 0 {
        state.outage = 5 + state.random.below(30)
      }
      if state.outage > 0 {
        state.outage -= 1
        return .refuse(status: 503, code: "SlowDown", headers: ["Retry-After": "1"])
      }
      guard state.random.below(4) == 0 else {
        state.disturbed.remove(request.key)
        return .obey
      }
      let isFirst = state.disturbed.insert(request.key).inserted
      return fault(request, isFirst, &state)
    }
  }

  private func fault(
    _ request: ObjectServer.Request, _ isFirst: Bool, _ state: inout State
  ) -> ObjectServer.Reaction {
    switch state.random.below(8) {
    case 0: return .drop
    case 1: return .obeySilently
    case 2: return .refuse(status: 500, code: "InternalError")
    case 3 where request.method == "GET" && isFirst: return .cutShort
    case 4 where request.method == "GET" && isFirst: return .damage
    case 5 where request.method == "PUT": return .refuse(status: 400, code: "BadDigest")
    case 6 where state.stallsLeft > 0:
      state.stallsLeft -= 1
      return .stall
    case _ where request.method == "PUT" || request.method == "DELETE":
      return .obeyLate(after: 1 + state.random.below(30))
    default: return .refuse(status: 503, code: "SlowDown")
    }
  }
}
