import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Bringing the changes of one copy over, where both copies changed different things.
@Suite struct LibraryMergeTests {
  static let day = LocalDay("2026-03-01")!
  static let nextDay = LocalDay("2026-03-02")!

  static func fill(_ library: Library) throws {
    _ = try library.diary.addSymptom(
      Symptom(name: "headache", severity: Severity(3), medications: ["ibuprofen"]),
      at: RecordedTime("2026-03-01T09:30"), notes: "a note", tags: ["pain", "work"],
      confirmed: [.late])
    _ = try library.diary.setDailyLog(on: day) {
      $0.sleepHours = 7
      $0.stress = 2
    }
    _ = try library.diary.setMood(.happy, on: day)
    _ = try library.diary.addEpisode(Episode(endDay: nextDay, type: .cold), from: day)
    let basil = try library.plants.find(matching: "basil")
    let water = try library.activities.add(
      ActivityDetails(name: "Water", startFrom: day), plant: basil.id, doneOn: [day])
    _ = try library.activities.add(ActivityDetails(name: "Read", startFrom: day))
    _ = try library.activities.add(ActivityDetails(name: "Run", startFrom: day))
    _ = try library.activities.complete(water.id, on: [nextDay])
    _ = try library.plants.add(PlantDetails(name: "mint", location: "sill"))
    _ = try library.quotes.add("Grow.", author: "Me")
  }

  private func copies() async throws -> DivergedCopies {
    try await DivergedCopies("Photos/basil", Self.fill)
  }

  @Test func `additions of one copy are added, and undone together`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try await Importer(there).run(ImportRequest(paths: [Fixtures.path("Photos/tomato")])) { _ in
    }
    let deleted = try #require(
      try there.all().first { $0.plant?.name == "tomato" })
    try there.photos.delete(.photos([deleted.id]))
    let tomato = try there.plants.find(matching: "tomato")
    _ = try there.plants.edit(tomato.id) { $0.location = "balcony" }
    _ = try there.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)), notes: "arm")
    _ = try there.diary.setMood(.sad, on: Self.nextDay, tags: ["rain"])
    _ = try there.diary.setDailyLog(on: Self.nextDay) { $0.stress = 5 }
    let prune = try there.activities.add(
      ActivityDetails(name: "Prune", startFrom: Self.day), plant: tomato.id, doneOn: [Self.day])
    _ = try there.activities.complete(there.activities.find(matching: "Read").id, on: [Self.day])
    let quote = try there.quotes.add("Wait.", author: "You")
    _ = try there.quotes.favourite(quote.quote)
    // Here, rows of the same numbers are something else.
    _ = try await Importer(here).run(
      ImportRequest(paths: [Fixtures.path("Photos/monstera")])
    ) { _ in }
    _ = try here.diary.addSymptom(Symptom(name: "cough", severity: Severity(4)))
    let before = try copies.undoable()
    let own = Set(try here.all().map(\.id))

    let survey = try copies.bringOver()
    #expect(survey.conflicts == [] && survey.hasCommonState)
    #expect(survey.count(.photo) == [4, 0, 0] && survey.count(.plant) == [1, 0, 0])
    #expect(survey.count(.symptom) == [1, 0, 0] && survey.count(.completion) == [2, 0, 0])
    let ids = Set(try here.all().map(\.id))
    #expect(ids == own.union(try there.all().map(\.id)))
    #expect(try copies.inTrash(here).map(\.id) == [deleted.id])
    for entry in try there.all() {
      let brought = try here.entry(entry.id)
      #expect(brought.time == entry.time && brought.notes == entry.notes)
      #expect(brought.tags == entry.tags && brought.content == entry.content)
      #expect(brought.plant == entry.plant)
    }
    #expect(try here.plants.find(matching: "tomato").details.location == "balcony")
    #expect(try here.activities.find(matching: "Prune").id == prune.id)
    let change = try here.history.undo(.bringOver)
    #expect(change.counts.contains { $0.thing == .photo && $0.added == 4 })
    #expect(try copies.undoable() == before)
  }

  @Test func `fields that one copy changed are changed, and the other fields stay`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let photos = try there.all().filter { $0.kind == .photo }
    _ = try there.photos.edit(
      photos[0].id, notes: "first leaf", tags: ["leaf"], time: RecordedTime("2024-05-06T07:08"))
    _ = try there.photos.setFavourite(true, for: .photos([photos[1].id]))
    _ = try there.photos.move(.photos([photos[2].id]), to: there.plants.find(matching: "mint").id)
    let symptom = try there.first(.symptom)
    _ = try there.diary.editSymptom(symptom, tags: ["pain", "home"]) { $0.name = "migraine" }
    _ = try there.diary.setDailyLog(on: Self.day) { $0.sleepHours = 5 }
    _ = try there.diary.setMood(.tired, on: Self.day)
    _ = try there.diary.editEpisode(there.first(.episode)) { $0.symptoms = [.cough] }
    _ = try there.plants.rename(there.plants.find(matching: "basil").id, to: "Thai basil")
    _ = try there.activities.edit(there.activities.find(matching: "Water").id) { $0.everyDays = 3 }
    let order = try there.activities.all().map(\.id)
    _ = try there.activities.reorder([order[2], order[0], order[1]])
    try there.settings.set(.reportName, to: "Ada")
    // Other fields of the same things.
    _ = try here.photos.setFavourite(true, for: .photos([photos[0].id]))
    _ = try here.photos.edit(photos[1].id, notes: "mine")
    _ = try here.diary.editSymptom(symptom, tags: ["pain", "work", "noon"]) {
      $0.severity = try Severity(5)
    }
    _ = try here.diary.setDailyLog(on: Self.day, notes: "late") { $0.stress = 4 }
    _ = try here.plants.edit(here.plants.find(matching: "basil").id) { $0.location = "kitchen" }
    _ = try here.activities.edit(here.activities.find(matching: "Water").id) { $0.weeklyGoal = 2 }

    let survey = try copies.bringOver()
    #expect(survey.conflicts == [])
    #expect(survey.count(.photo) == [0, 3, 0])
    let first = try here.entry(photos[0].id)
    #expect(first.notes == "first leaf" && first.tags == ["leaf"])
    #expect(first.photo?.isFavourite == true && first.photo?.captureSource == .manual)
    #expect(first.time.recorded == RecordedTime("2024-05-06T07:08"))
    #expect(try here.entry(photos[1].id).photo?.isFavourite == true)
    #expect(try here.entry(photos[1].id).notes == "mine")
    #expect(try here.entry(photos[2].id).plant?.name == "mint")
    let merged = try here.entry(symptom.id)
    #expect(merged.tags == ["pain", "noon", "home"])
    #expect(
      merged.content
        == .symptom(
          Symptom(name: "migraine", severity: try Severity(5), medications: ["ibuprofen"])))
    let log = try #require(try here.diary.dailyLog(on: Self.day))
    var fields = DailyLog()
    (fields.sleepHours, fields.stress) = (5, 4)
    #expect(log.content == .dailyLog(fields) && log.notes == "late")
    #expect(try here.diary.mood(on: Self.day)?.content == .mood(.tired))
    let basil = try here.plants.find(matching: "Thai basil")
    #expect(basil.details.location == "kitchen")
    let water = try here.activities.find(matching: "Water")
    #expect(water.details.everyDays == 3 && water.details.weeklyGoal == 2)
    #expect(try here.activities.all().map(\.name) == ["Run", "Water", "Read"])
    #expect(try here.settings.value(of: .reportName) == "Ada")
  }

  @Test func `deletions of one copy go to the trash, with everything that belongs to them`()
    async throws
  {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let photo = try there.first(.photo)
    try there.photos.delete(.photos([photo.id]))
    copies.clock.pass(hours: 1)
    let basil = try there.plants.find(matching: "basil")
    _ = try there.plants.delete(basil.id)
    _ = try there.diary.delete([there.first(.symptom).id], of: .symptom)
    _ = try there.diary.delete([there.first(.mood).id], of: .mood)
    _ = try there.activities.delete(there.activities.find(matching: "Run").id)
    let before = try copies.undoable()

    let survey = try copies.bringOver()
    #expect(survey.conflicts == [])
    #expect(survey.count(.photo) == [0, 0, 4] && survey.count(.plant) == [0, 0, 1])
    #expect(survey.count(.activity) == [0, 0, 2] && survey.count(.completion) == [0, 0, 2])
    #expect(try Set(copies.inTrash(here).map(\.id)) == Set(copies.inTrash(there).map(\.id)))
    #expect(try here.plants.all().map(\.name) == ["mint"])
    #expect(try here.activities.all().map(\.name) == ["Read"])
    _ = try here.plants.restore(basil.id)
    // As in the other copy, the photo that was deleted by itself stays in the trash.
    #expect(try here.all().filter { $0.kind == .photo }.count == 3)
    #expect(try here.activities.all().map(\.name) == ["Water", "Read"])
    _ = try here.history.undo(.plantRestore)
    _ = try here.history.undo(.bringOver)
    #expect(try copies.undoable() == before)
  }

  @Test func `things that one copy restored from the trash are restored`() async throws {
    let copies = try await DivergedCopies { library in
      try Self.fill(library)
      try library.photos.delete(.photos([library.first(.photo).id]))
      _ = try library.diary.delete([library.first(.mood).id], of: .mood)
      _ = try library.activities.delete(library.activities.find(matching: "Water").id)
      _ = try library.plants.delete(library.plants.find(matching: "mint").id)
    }
    let (here, there) = (copies.here, copies.there)
    let trash = try copies.inTrash(there)
    try there.photos.restore(.photos(trash.filter { $0.kind == .photo }.map(\.id)))
    _ = try there.diary.restore(trash.filter { $0.kind == .mood }.map(\.id), of: .mood)
    _ = try there.diary.restore(trash.filter { $0.kind == .completion }.map(\.id), of: .completion)
    _ = try there.plants.restore(there.plants.find(matching: "mint", among: .deletedFirst).id)
    #expect(try copies.bringOver().conflicts == [])
    #expect(try copies.inTrash(here) == [])
    #expect(try here.plants.all().map(\.name) == ["basil", "mint"])
    #expect(try here.activities.find(matching: "Water").completionCount == 2)
  }

  @Test func `a plant that one copy merged into another is merged`() async throws {
    let copies = try await copies()
    let there = copies.there
    let (basil, mint) = (
      try there.plants.find(matching: "basil"), try there.plants.find(matching: "mint")
    )
    _ = try there.plants.merge(basil.id, into: mint.id)
    #expect(try copies.bringOver().conflicts == [])
    #expect(try copies.here.plants.all().map(\.name) == ["mint"])
    #expect(try copies.here.plants.find(matching: "mint").photoCount == 4)
    #expect(try copies.here.activities.find(matching: "Water").plant?.id == mint.id)
  }

  @Test func `names that one copy exchanged in a chain are exchanged`() async throws {
    let copies = try await copies()
    let there = copies.there
    _ = try there.plants.rename(there.plants.find(matching: "basil").id, to: "old basil")
    _ = try there.plants.rename(there.plants.find(matching: "mint").id, to: "basil")
    _ = try there.plants.add(PlantDetails(name: "mint"))
    #expect(try copies.bringOver().conflicts == [])
    #expect(
      try copies.here.plants.all().map { [$0.name, $0.id.description] }
        == there.plants.all().map { [$0.name, $0.id.description] })
  }

  @Test func `both copies may have added the same under other ids`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    for library in [here, there] {
      _ = try await Importer(library).run(
        ImportRequest(paths: [Fixtures.path("Photos/tomato")])
      ) { _ in }
      _ = try library.diary.setMood(.calm, on: Self.nextDay)
      _ = try library.activities.complete(
        library.activities.find(matching: "Read").id, on: [Self.nextDay])
      _ = try library.activities.add(ActivityDetails(name: "Swim", startFrom: Self.day))
      let quote = try library.quotes.add("Wait.", author: "You").quote
      _ = try library.quotes.favourite(quote)
    }
    _ = try there.activities.complete(there.activities.find(matching: "swim").id, on: [Self.day])
    _ = try there.diary.setDailyLog(on: Self.nextDay) { $0.stress = 1 }
    _ = try here.diary.setDailyLog(on: Self.nextDay) { $0.sleepHours = 8 }
    let survey = try copies.bringOver()
    #expect(survey.conflicts == [])
    #expect(survey.counts.map(\.thing) == [.dailyLog, .completion])
    #expect(try here.activities.find(matching: "Swim").completionCount == 1)
    #expect(try here.diary.entries(of: .mood).count == 2)
    #expect(try here.diary.entries(of: .quote).count == 1)
    var log = DailyLog()
    (log.stress, log.sleepHours) = (1, 8)
    #expect(try here.diary.dailyLog(on: Self.nextDay)?.content == .dailyLog(log))
  }

  @Test func `without a common state, what is lacking is added, and nothing else is changed`()
    async throws
  {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try await Importer(there).run(ImportRequest(paths: [Fixtures.path("Photos/tomato")])) { _ in
    }
    _ = try there.diary.delete([there.first(.symptom).id], of: .symptom)
    _ = try there.diary.setMood(.tired, on: Self.day)
    _ = try there.diary.setMood(.calm, on: Self.nextDay)
    _ = try there.plants.rename(there.plants.find(matching: "mint").id, to: "peppermint")
    _ = try here.diary.addSymptom(Symptom(name: "cough", severity: Severity(4)))
    let before = try copies.undoable()
    let survey = try copies.bringOver(isCommonKnown: false)
    #expect(!survey.hasCommonState)
    #expect(survey.count(.photo) == [4, 0, 0] && survey.count(.mood) == [1, 0, 0])
    #expect(
      survey.disagreements
        == ["differs mood mood", "differs plant name", "differs symptom deleted"])
    #expect(try before.subtracting(copies.undoable()) == [])
    #expect(try here.diary.entries(of: .symptom).count == 2)
  }

  @Test func `only copies of one library are compared, and since a state of both`() async throws {
    let copies = try await copies()
    let other = try LibraryFixture()
    func refusal(_ copy: String, _ since: String? = nil) -> LeaflogError? {
      #expect(throws: LeaflogError.self) {
        try LibraryMerge(
          from: OpenBackup(.folder(copy)), into: copies.here,
          since: since.map { try OpenBackup(.folder($0)) })
      }
    }
    #expect(refusal(other.library.path)?.code == .invalidRequest)
    #expect(refusal(copies.here.path)?.code == .invalidRequest)
    _ = try copies.there.diary.setMood(.calm, on: Self.nextDay)
    let ahead = copies.base.folder.file("ahead")
    _ = try Backup(copies.there).run(BackupRequest(path: ahead)) { _ in }
    #expect(refusal(copies.there.path, ahead)?.code == .invalidRequest)
  }
}
