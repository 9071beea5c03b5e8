import DiaryModel
import Foundation
import Leaflog
import TestSupport

/// A library with one of everything, of which each writing call changes something.
struct ChangedLibrary {
  let fixture: LibraryFixture
  let photos: [EntryID]
  let fern: Plant
  let moss: Plant
  let water: Activity
  let feed: Activity
  let coffee: Factor
  let tea: Factor
  let quote: Quote
  /// An episode that has not ended.
  let current: Entry
  /// An entry of each kind on the timeline, and one in the trash.
  private(set) var entries: [EntryKind: Entry] = [:]
  private(set) var deleted: [EntryKind: EntryID] = [:]

  static let day = "2025-01-02".day

  init() async throws {
    fixture = try LibraryFixture()
    let library = fixture.library
    for number in 1...3 {
      try fixture.folder.copy(
        "Photos/monstera/IMG_000\(number).jpg", to: "photos/ivy/\(number).jpg")
    }
    _ = try await fixture.run()
    photos = try fixture.entries().map(\.id)
    try library.photos.setFavourite(true, for: .photos([photos[1]]))
    fern = try library.plants.add(PlantDetails(name: "fern"))
    moss = try library.plants.add(PlantDetails(name: "moss"))
    try library.plants.delete(moss.id)
    let day = Self.day
    water = try library.activities.add(ActivityDetails(name: "water", startFrom: day))
    feed = try library.activities.add(ActivityDetails(name: "feed", startFrom: day))
    coffee = try library.factors.add(FactorDetails(name: "coffee", kind: .number, range: 0...9))
    tea = try library.factors.add(FactorDetails(name: "tea", kind: .number, range: 0...9))
    quote = try library.quotes.add("Grow", author: nil, source: nil).quote
    for isDeleted in [true, false] {
      let day = isDeleted ? day.advanced(by: 1) : day
      for entry in try Self.makeEntries(library, on: day, quote, water) {
        if isDeleted {
          try library.diary.delete([entry.id], of: entry.kind)
          deleted[entry.kind] = entry.id
        } else {
          entries[entry.kind] = entry
        }
      }
    }
    current = try library.diary.addEpisode(
      Episode(type: .cough), from: "2025-01-08".day, confirmed: [.late])
    deleted[.photo] = photos[2]
    try library.photos.delete(.photos([photos[2]]))
    _ = try library.diary.addTags(["green", "yellow"], to: [entries[.mood]!.id])
  }

  private static func makeEntries(
    _ library: Library, on day: LocalDay, _ quote: Quote, _ activity: Activity
  ) throws -> [Entry] {
    [
      try library.diary.addSymptom(
        Symptom(name: "ache", severity: Severity(1)), at: .day(day), confirmed: [.late]),
      try library.diary.setDailyLog(on: day) { $0.stress = 1 },
      try library.diary.addEpisode(
        Episode(endDay: day, type: .cold), from: day, confirmed: [.late, .future, .anyOverlap]),
      try library.diary.setMood(.happy, on: day),
      try library.quotes.favourite(day == Self.day ? quote : library.quotes.find(matching: "b12"))
        .entry,
      try library.activities.complete(activity.id, on: [day]).changed[0],
    ]
  }

  func entry(_ kind: EntryKind) -> Entry { entries[kind]! }

  /// All rows, without the history.
  func dump() throws -> CatalogDump {
    try CatalogDump(path: fixture.library.path + "/catalog.sqlite")
  }
}

/// A call that makes a change, at least one for each kind of change.
struct WritingCall: Sendable {
  let kind: ChangeKind
  let body: @Sendable (Library, ChangedLibrary) throws -> Any

  var name: String { kind.rawValue }

  init(_ kind: ChangeKind, _ body: @escaping @Sendable (Library, ChangedLibrary) throws -> Any) {
    (self.kind, self.body) = (kind, body)
  }

  func run(_ library: Library, _ things: ChangedLibrary) throws { _ = try body(library, things) }

  /// In an order in which all can be done one after the other.
  static let all = photos + plants + diary + others + removals + restorations

  private static let photos = [
    WritingCall(.photoEdit) { try $0.photos.edit($1.photos[0], notes: "a new leaf") },
    WritingCall(.photoMove) { try $0.photos.move(.photos([$1.photos[0]]), to: $1.fern.id) },
    WritingCall(.photoRedate) {
      try $0.photos.redate(.photos([$1.photos[0]]), .shift(.seconds(3600)))
    },
    WritingCall(.photoFavourite) { try $0.photos.setFavourite(true, for: .photos([$1.photos[0]])) },
    WritingCall(.photoUnfavourite) {
      try $0.photos.setFavourite(false, for: .photos([$1.photos[1]]))
    },
  ]

  private static let plants = [
    WritingCall(.plantAdd) { library, _ in try library.plants.add(PlantDetails(name: "palm")) },
    WritingCall(.plantEdit) { try $0.plants.edit($1.fern.id) { $0.location = "balcony" } },
    WritingCall(.plantRename) { try $0.plants.rename($1.fern.id, to: "fern of the balcony") },
  ]

  private static let diary = [
    WritingCall(.tagAdd) { try $0.diary.addTags(["blue"], to: [$1.entry(.mood).id]) },
    WritingCall(.tagRemove) {
      try $0.diary.removeTags(["blue", "green"], from: [$1.entry(.mood).id])
    },
    WritingCall(.tagRename) { library, _ in try library.diary.renameTag("yellow", to: "gold") },
    WritingCall(.symptomAdd) { library, _ in
      try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
    },
    WritingCall(.symptomEdit) { try $0.diary.editSymptom($1.entry(.symptom), notes: "better") },
    WritingCall(.logSet) { library, _ in
      try library.diary.setDailyLog(on: ChangedLibrary.day) { $0.stress = 2 }
    },
    WritingCall(.episodeStart) { library, _ in
      try library.diary.addEpisode(
        Episode(type: .cold), from: "2025-01-20".day,
        confirmed: [.late, .future, .anyOverlap], as: .episodeStart)
    },
    WritingCall(.episodeAdd) { library, _ in
      try library.diary.addEpisode(
        Episode(endDay: "2025-01-12".day, type: .cold), from: "2025-01-11".day,
        confirmed: [.late, .future, .anyOverlap])
    },
    WritingCall(.episodeEnd) { try $0.diary.endEpisode($1.current, on: "2025-01-09".day) },
    WritingCall(.episodeEdit) { try $0.diary.editEpisode($1.entry(.episode), notes: "mild") },
    WritingCall(.moodSet) { library, _ in
      try library.diary.setMood(.calm, on: ChangedLibrary.day)
    },
  ]

  private static let others = [
    WritingCall(.quoteAdd) { library, _ in try library.quotes.add("Grow more") },
    WritingCall(.quoteFavourite) { library, _ in
      try library.quotes.favourite(library.quotes.find(matching: "b13"))
    },
    WritingCall(.activityAdd) { library, _ in
      try library.activities.add(ActivityDetails(name: "prune", startFrom: ChangedLibrary.day))
    },
    WritingCall(.activityEdit) { try $0.activities.edit($1.water.id) { $0.notes = "rain" } },
    WritingCall(.activityReorder) {
      try $0.activities.reorder($1.feed.id, to: .before($1.water.id))
    },
    WritingCall(.activityDone) { try $0.activities.complete($1.feed.id) },
    WritingCall(.completionEdit) { try $0.activities.edit($1.entry(.completion), notes: "a lot") },
    WritingCall(.factorAdd) { library, _ in
      try library.factors.add(FactorDetails(name: "steps", kind: .number, range: 0...9))
    },
    WritingCall(.factorEdit) { try $0.factors.edit($1.coffee.id) { $0.unit = "cups" } },
    WritingCall(.factorReorder) { try $0.factors.reorder($1.tea.id, to: .before($1.coffee.id)) },
  ]

  private static let removals = [
    WritingCall(.photoDelete) { try $0.photos.delete(.photos([$1.photos[0]])) },
    WritingCall(.plantDelete) { try $0.plants.delete($1.fern.id) },
    WritingCall(.symptomDelete) { try $0.diary.delete([$1.entry(.symptom).id], of: .symptom) },
    WritingCall(.logDelete) { try $0.diary.delete([$1.entry(.dailyLog).id], of: .dailyLog) },
    WritingCall(.episodeDelete) { try $0.diary.delete([$1.entry(.episode).id], of: .episode) },
    WritingCall(.moodDelete) { try $0.diary.delete([$1.entry(.mood).id], of: .mood) },
    WritingCall(.quoteUnfavourite) { try $0.quotes.unfavourite($1.quote.id) },
    WritingCall(.quoteDelete) { try $0.quotes.delete($1.quote) },
    WritingCall(.activityNotDone) {
      try $0.activities.uncomplete($1.water, on: ChangedLibrary.day)
    },
    WritingCall(.activityDelete) { try $0.activities.delete($1.feed.id) },
    WritingCall(.factorDelete) { try $0.factors.delete($1.tea.id) },
  ]

  private static let restorations =
    [
      WritingCall(.plantRestore) { try $0.plants.restore($1.moss.id) as Any }
    ]
    + EntryKind.allCases.filter { ![.quote, .completion].contains($0) }.map { kind in
      WritingCall(kind.restoration) { library, things in
        try library.diary.restore(
          [things.deleted[kind]!], of: kind, confirmed: [.late, .future, .anyOverlap])
      }
    }
}

/// Calls that no change has room for.
struct CommitOfItsOwn: Sendable {
  let name: String
  let run: @Sendable (Library, ChangedLibrary) throws -> Any

  private init(_ name: String, _ run: @escaping @Sendable (Library, ChangedLibrary) throws -> Any) {
    (self.name, self.run) = (name, run)
  }

  static let all = [
    CommitOfItsOwn("a setting") { library, _ in try library.settings.set(.reportName, to: "Jo") },
    CommitOfItsOwn("settings") { library, _ in try library.settings.set([.reportName: "Jo"]) },
    CommitOfItsOwn("a setting that is no change") { library, _ in
      try library.settings.set(.disclaimer, to: "acknowledged")
    },
    CommitOfItsOwn("a setting of the machine") { library, _ in
      try library.settings.set(.serviceFolders, to: "/tmp")
    },
    CommitOfItsOwn("undo") { library, _ in try library.history.undo() },
    CommitOfItsOwn("redo") { library, _ in try library.history.redo() },
    CommitOfItsOwn("commits") { library, _ in try library.history.commits(after: 0) },
    CommitOfItsOwn("blockers") { library, _ in
      try library.history.page(limit: 1, findsBlockers: true)
    },
    CommitOfItsOwn("values") { library, _ in try library.values(of: { try $0.plants.all() }) },
    CommitOfItsOwn("a token") { library, _ in try library.tokens.add("phone") },
    CommitOfItsOwn("reset") { library, _ in
      try library.store.reset(.diary, confirmedBy: library.name)
    },
    CommitOfItsOwn("a snapshot of the catalog") { library, _ in try library.store.takeSnapshot() },
    CommitOfItsOwn("verify") { library, _ in try Verifier(library).run(VerifyRequest()) { _ in } },
    CommitOfItsOwn("a diary file") { library, _ in
      try DiaryImporter(library).read([], named: "diary.json")
    },
    CommitOfItsOwn("backup") { library, things in
      try Backup(library).run(BackupRequest(path: things.fixture.folder.file("backup"))) { _ in }
    },
    CommitOfItsOwn("prune") { library, _ in
      let pruner = Pruner(library)
      return try pruner.run(pruner.plan(PruneRequest()))
    },
    CommitOfItsOwn("close") { library, _ in try library.close() },
  ]
}
