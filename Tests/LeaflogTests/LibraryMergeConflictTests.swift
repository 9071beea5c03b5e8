import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Bringing changes over where both copies changed the same: this one keeps its values, and the other's can be found.
@Suite struct LibraryMergeConflictTests {
  private static let day = LibraryMergeTests.day
  private static let nextDay = LibraryMergeTests.nextDay

  private func copies() async throws -> DivergedCopies {
    try await DivergedCopies("Photos/basil", LibraryMergeTests.fill)
  }

  @Test func `a field that both changed stays, and the other value is in the notes`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let symptom = try here.first(.symptom)
    for (library, severity, note) in [(here, 4.0, "mine"), (there, 5.0, "theirs,\nof two lines")] {
      _ = try library.diary.editSymptom(symptom, notes: note) {
        $0.severity = try Severity(severity)
      }
      _ = try library.diary.setMood(severity == 4 ? .calm : .tired, on: Self.day)
      _ = try library.photos.edit(
        library.first(.photo).id, time: RecordedTime("2024-05-0\(Int(severity))T12:00"))
      _ = try library.plants.edit(library.plants.find(matching: "mint").id) { $0.location = note }
      _ = try library.activities.edit(library.activities.find(matching: "Water").id) {
        $0.everyDays = Int(severity)
      }
      try library.settings.set(.reportName, to: "Ada \(Int(severity))")
    }
    let before = try copies.undoable()
    let survey = try copies.bringOver()
    #expect(
      survey.disagreements == [
        "bothChanged activity interval in days", "bothChanged mood mood", "bothChanged photo time",
        "bothChanged plant location", "bothChanged setting value", "bothChanged symptom notes",
        "bothChanged symptom severity",
      ])
    let merged = try here.entry(symptom.id)
    #expect(
      merged.notes
        == "mine\nOther copy: severity 5 of 5\nOther copy: notes “theirs,\nof two lines”")
    var severity: Double?
    if case .symptom(let content) = merged.content { severity = content.severity.value }
    #expect(severity == 4)
    #expect(try here.diary.mood(on: Self.day)?.notes == "Other copy: mood tired")
    #expect(try here.first(.photo).notes == "Other copy: time 2024-05-05T12:00:00")
    #expect(
      try here.activities.find(matching: "Water").details.notes == "Other copy: interval in days 5")
    #expect(
      survey.conflicts.first { $0.thing == .setting }.map { [$0.theirs, $0.present] }
        == ["Ada 5", "Ada 4"])
    _ = try here.history.undo(.bringOver)
    #expect(try copies.undoable() == before)
  }

  @Test func `a thing that was changed there and deleted here stays in the trash, as it is there`()
    async throws
  {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let photo = try here.first(.photo)
    let symptom = try here.first(.symptom)
    _ = try there.photos.edit(photo.id, notes: "changed")
    _ = try there.diary.editSymptom(symptom, notes: "changed")
    try here.photos.delete(.photos([photo.id]))
    _ = try here.diary.delete([symptom.id], of: .symptom)
    _ = try here.plants.delete(here.plants.find(matching: "mint").id)
    _ = try there.plants.edit(there.plants.find(matching: "mint").id) { $0.location = "changed" }
    let survey = try copies.bringOver()
    #expect(
      survey.disagreements == ["deletedHere photo ", "deletedHere plant ", "deletedHere symptom "])
    for id in [photo.id, symptom.id] {
      let entry = try here.entry(id)
      #expect(entry.notes == "changed" && entry.deletedAt != nil)
    }
    #expect(
      try here.plants.find(matching: "mint", among: .deletedFirst).details.location == "changed")
  }

  @Test func `a photo that was changed there and pruned here comes into the trash`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let photo = try here.first(.photo)
    let symptom = try here.first(.symptom)
    try here.photos.delete(.photos([photo.id]))
    _ = try here.diary.delete([symptom.id], of: .symptom)
    copies.clock.pass(days: 40)
    var request = PruneRequest()
    request.olderThan = .seconds(30 * 86_400)
    for _ in 0..<3 {
      let pruner = Pruner(here)
      _ = try pruner.run(pruner.plan(request))
      copies.clock.pass(days: 2)
    }
    #expect(try copies.inTrash(here) == [])
    _ = try there.photos.edit(photo.id, notes: "changed")
    _ = try there.diary.editSymptom(symptom, notes: "changed")
    let survey = try copies.bringOver()
    #expect(survey.disagreements == ["deletedHere photo ", "deletedHere symptom "])
    #expect(try Set(copies.inTrash(here).map(\.notes)) == ["changed"])
    #expect(try here.photos.restore(.photos([photo.id])).changed.count == 1)
  }

  @Test func `a thing that was deleted there and changed here stays`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let photo = try here.first(.photo)
    try there.photos.delete(.photos([photo.id]))
    _ = try here.photos.edit(photo.id, notes: "mine")
    _ = try there.plants.delete(there.plants.find(matching: "basil").id)
    _ = try there.activities.delete(there.activities.find(matching: "Read").id)
    _ = try here.activities.complete(here.activities.find(matching: "Read").id, on: [Self.day])
    let survey = try copies.bringOver()
    #expect(
      survey.disagreements
        == ["deletedThere activity ", "deletedThere photo ", "deletedThere plant "])
    #expect(try here.entry(photo.id).notes == "mine\nOther copy: deleted")
    #expect(try here.plants.find(matching: "basil").details.notes == "Other copy: deleted")
    #expect(try here.plants.find(matching: "basil").photoCount == 1)
    #expect(try here.activities.find(matching: "Read").completionCount == 1)
  }

  @Test func `a new entry there restores the plant and the activity that it belongs to`()
    async throws
  {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try await Importer(there).run(
      ImportRequest(paths: [Fixtures.path("Photos/tomato")])
    ) { _ in }
    let tomato = try there.all().filter { $0.plant?.name == "tomato" }.map(\.id)
    _ = try there.photos.move(.photos(tomato), to: there.plants.find(matching: "mint").id)
    _ = try there.activities.complete(there.activities.find(matching: "Read").id, on: [Self.day])
    _ = try here.plants.delete(here.plants.find(matching: "mint").id)
    _ = try here.activities.delete(here.activities.find(matching: "Read").id)
    let survey = try copies.bringOver()
    #expect(survey.disagreements == ["stillUsed activity ", "stillUsed plant "])
    #expect(try here.plants.find(matching: "mint").photoCount == 4)
    #expect(try here.activities.find(matching: "Read").completionCount == 1)
  }

  @Test func `a day or a name that is taken here stays, and the other is in the notes`()
    async throws
  {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try there.plants.rename(there.plants.find(matching: "mint").id, to: "sage")
    _ = try here.plants.add(PlantDetails(name: "Sage"))
    _ = try there.activities.edit(there.activities.find(matching: "Read").id) { $0.name = "Write" }
    _ = try here.activities.add(ActivityDetails(name: "write", startFrom: Self.day))
    // The one of the day was deleted and written anew there, and changed here.
    _ = try there.diary.delete([there.first(.mood).id], of: .mood)
    _ = try there.diary.setMood(.tired, on: Self.day, notes: "anew")
    _ = try here.diary.setMood(.calm, on: Self.day)
    // Both wrote one for another day.
    _ = try there.diary.setMood(.sick, on: Self.nextDay)
    _ = try here.diary.setMood(.angry, on: Self.nextDay)
    let survey = try copies.bringOver()
    #expect(
      survey.disagreements == [
        "bothChanged activity name", "bothChanged mood mood", "bothChanged mood mood",
        "bothChanged plant name",
      ])
    #expect(try here.plants.find(matching: "mint").details.notes == "Other copy: name sage")
    #expect(try here.activities.find(matching: "Read").details.notes == "Other copy: name Write")
    let mood = try #require(try here.diary.mood(on: Self.day))
    #expect(mood.content == .mood(.calm) && mood.notes == "anew\nOther copy: mood tired")
    #expect(try here.diary.mood(on: Self.nextDay)?.notes == "Other copy: mood sick")
  }

  @Test func `an end that does not fit the other copy's start is in the notes`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let episode = try here.first(.episode)
    _ = try there.diary.editEpisode(episode) { $0.endDay = Self.day }
    _ = try here.diary.editEpisode(episode, from: Self.nextDay)
    let survey = try copies.bringOver()
    #expect(survey.disagreements == ["bothChanged episode last day"])
    #expect(try here.first(.episode).notes == "Other copy: last day 2026-03-01")
  }

  @Test func `an order that both changed stays, and is listed`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    let order = try here.activities.all().map(\.id)
    _ = try here.activities.reorder([order[1], order[0], order[2]])
    _ = try there.activities.reorder([order[2], order[0], order[1]])
    let survey = try copies.bringOver()
    #expect(
      survey.conflicts.map { [$0.theirs, $0.present] } == [
        ["Run, Water, Read", "Read, Water, Run"]
      ])
    #expect(try here.activities.all().map(\.name) == ["Read", "Water", "Run"])
  }

  @Test func `a photo whose file is damaged there is left out, and told`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try await Importer(there).run(
      ImportRequest(paths: [Fixtures.path("Photos/tomato")])
    ) { _ in }
    let photo = try #require(try there.all().first { $0.plant?.name == "tomato" })
    let rendition = try #require(
      try there.photos.find(photo.id).renditions.first { $0.role == .original })
    let path = there.photos.path(of: rendition)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    var damage: [String] = []
    let since = copies.base.folder.file("common")
    func bring() throws -> LibraryMergeSummary {
      try LibraryMerge(
        from: OpenBackup(.folder(there.path)), into: here, since: OpenBackup(.folder(since))
      ).run { _ in
      } report: {
        damage.append($0.message)
      }
    }
    let first = try bring()
    #expect(first.damageCount == 1 && damage.count == 1)
    #expect(first.survey.count(.photo) == [3, 0, 0])
    #expect(try here.all().filter { $0.plant?.name == "tomato" }.count == 3)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try bring().survey.count(.photo) == [1, 0, 0])
    #expect(try here.entry(photo.id).plant?.name == "tomato")
  }

  @Test(arguments: [false, true])
  func `a file that was replaced there is replaced here, unless it was here as well`(
    isReplacedHere: Bool
  ) async throws {
    func jpeg(_ tag: String?) throws -> Data {
      var builder = TIFFBuilder()
      builder.exif = [(0x9003, .ascii("2021:06:01 10:00:00"))]
      let file = EmbeddedMetadata.jpeg(Array(try Fixtures.data("Colour/srgb.jpg")), exif: builder)
      guard let tag else { return Data(file) }
      let resources = EmbeddedMetadata.resources(
        iptc: EmbeddedMetadata.iptc([(UInt8(0x19), tag)]))
      return Data(
        EmbeddedMetadata.jpeg(file, marker: 0xED, Array("Photoshop 3.0\0".utf8) + resources))
    }
    let folder = try TemporaryFolder()
    func replace(by tag: String?, in library: Library) async throws {
      try folder.write(jpeg(tag), to: "photos/fern/a.jpg")
      var request = ImportRequest(paths: [folder.file("photos")])
      request.updatesPhotos = true
      _ = try await Importer(library).run(request) { _ in }
    }
    try folder.write(jpeg(nil), to: "photos/fern/a.jpg")
    let copies = try await DivergedCopies(folder.file("photos"))
    let (here, there) = (copies.here, copies.there)
    let photo = try here.first(.photo)
    try await replace(by: "aphids", in: there)
    if isReplacedHere { try await replace(by: "mould", in: here) }
    let file = try there.entry(photo.id).photo?.sourceDigest
    let survey = try copies.bringOver()
    if isReplacedHere {
      #expect(survey.disagreements == ["bothChanged photo file"])
      #expect(try copies.inTrash(here).map(\.photo?.sourceDigest) == [file])
    } else {
      #expect(survey.conflicts == [])
      #expect(try here.entry(photo.id).photo?.sourceDigest == file)
    }
    #expect(try here.entry(photo.id).tags == (isReplacedHere ? ["mould", "aphids"] : ["aphids"]))
  }
}
