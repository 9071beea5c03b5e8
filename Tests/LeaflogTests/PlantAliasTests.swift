import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// The names of folders whose plants were renamed or merged.
@Suite struct PlantAliasTests {
  /// A library with the plants of three folders, and a photo of each.
  private struct Folders {
    let fixture: LibraryFixture
    private(set) var count: UInt8 = 0

    init() async throws {
      fixture = try LibraryFixture(policy: .exact)
      for folder in ["basil", "aloe", "fern"] { _ = try await plant(of: folder) }
    }

    var library: Library { fixture.library }

    func named(_ name: String) throws -> PlantID { try library.plants.find(matching: name).id }

    /// The plant of a new photo in a folder.
    mutating func plant(of folder: String, in library: Library? = nil) async throws -> String? {
      count += 1
      let path = fixture.folder.file("new-\(count)/\(folder)/a.jpg")
      let photo = try Fixtures.data("Orientation/1.jpg") + [count]
      _ = try fixture.folder.write(photo, to: "new-\(count)/\(folder)/a.jpg")
      let outcomes = Outcomes()
      let library = library ?? fixture.library
      _ = try await Importer(library).run(
        ImportRequest(paths: [URL(filePath: path).deletingLastPathComponent().path])
      ) { outcomes.add($0) }
      let added = try #require(outcomes.list.first?.added)
      let plant = try library.entry(added.id).plant?.name
      #expect(added.plantName == plant)
      return plant
    }
  }

  @Test func `photos in the folder of a renamed plant stay its, through undo and redo`()
    async throws
  {
    var folders = try await Folders()
    _ = try folders.library.plants.rename(folders.named("basil"), to: "Basilikum")
    #expect(try folders.library.plants.find(matching: "Basilikum").details.aliases == ["basil"])
    #expect(try await folders.plant(of: "Basil") == "Basilikum")
    #expect(try folders.library.plants.all().count == 3)
    _ = try folders.library.plants.rename(folders.named("Basilikum"), to: "Thai")
    #expect(try await folders.plant(of: "basil") == "Thai")
    #expect(try await folders.plant(of: "Basilikum") == "Thai")
    // A plant that gets its former name back has it no more as an alias.
    _ = try folders.library.plants.rename(folders.named("Thai"), to: "basil")
    #expect(
      try folders.library.plants.find(matching: "basil").details.aliases == ["Basilikum", "Thai"])
    _ = try folders.library.history.undo()
    #expect(
      try folders.library.plants.find(matching: "Thai").details.aliases == ["basil", "Basilikum"])
    _ = try folders.library.history.redo()
    #expect(
      try folders.library.plants.find(matching: "basil").details.aliases == ["Basilikum", "Thai"])
    #expect(try await folders.plant(of: "Thai") == "basil")
  }

  @Test func `photos in the folder of a merged plant become those of the other`() async throws {
    var folders = try await Folders()
    let library = folders.library
    _ = try library.plants.rename(folders.named("aloe"), to: "Aloe vera")
    try library.plants.merge(folders.named("Aloe vera"), into: folders.named("basil"))
    #expect(try library.plants.find(matching: "basil").details.aliases == ["aloe", "Aloe vera"])
    for folder in ["aloe", "Aloe vera", "basil"] {
      #expect(try await folders.plant(of: folder) == "basil")
    }
    for _ in 0..<4 { _ = try library.history.undo() }
    #expect(try library.plants.find(matching: "basil").details.aliases == [])
    #expect(try library.plants.find(matching: "Aloe vera").details.aliases == ["aloe"])
    _ = try library.history.redo()
    #expect(try library.plants.find(matching: "basil").details.aliases == ["aloe", "Aloe vera"])
    // Out of the trash, the plant has its name again.
    try library.plants.restore(
      try library.plants.find(matching: "Aloe vera", among: .deletedFirst).id)
    #expect(try library.plants.find(matching: "basil").details.aliases == ["aloe"])
    #expect(try await folders.plant(of: "Aloe vera") == "Aloe vera")
  }

  @Test func `the aliases of a plant in the trash wait for it`() async throws {
    var folders = try await Folders()
    let library = folders.library
    let id = try folders.named("basil")
    _ = try library.plants.rename(id, to: "Basilikum")
    try library.plants.delete(id)
    #expect(try await folders.plant(of: "fern") == "fern")
    try library.plants.restore(id)
    #expect(try await folders.plant(of: "basil") == "Basilikum")
    try library.plants.delete(id)
    #expect(try await folders.plant(of: "basil") == "basil")
    // The new plant has taken the name.
    try library.plants.restore(id)
    #expect(try library.plants.find(matching: "Basilikum").details.aliases == [])
    #expect(try await folders.plant(of: "basil") == "basil")
  }

  @Test func `a plant's own name comes first, and takes the alias away`() async throws {
    var folders = try await Folders()
    let library = folders.library
    _ = try library.plants.rename(folders.named("basil"), to: "Basilikum")
    _ = try library.plants.rename(folders.named("aloe"), to: "Basil")
    #expect(try library.plants.find(matching: "Basilikum").details.aliases == [])
    #expect(try await folders.plant(of: "basil") == "Basil")
    #expect(try await folders.plant(of: "aloe") == "Basil")
    _ = try library.plants.add(PlantDetails(name: "ALOE"))
    #expect(try library.plants.find(matching: "Basil").details.aliases == [])
    #expect(try await folders.plant(of: "aloe") == "ALOE")
  }

  /// Imports a new photo in each of some folders, and returns the names of the plants besides the first three.
  private func plants(
    of places: [String], in folders: Folders, _ assignment: ImportRequest.PlantAssignment = .folder
  ) async throws -> (plants: [String], mixed: [MixedPlant]) {
    let folder = folders.fixture.folder
    for (number, place) in places.enumerated() {
      let photo = try Fixtures.data("Orientation/2.jpg") + [UInt8(number)]
      _ = try folder.write(photo, to: "camera trial/\(place)/\(number).jpg")
    }
    let (summary, _) = try await folders.fixture.run([folder.file("camera trial")]) {
      $0.plant = assignment
    }
    let names = try folders.library.plants.references().map(\.name)
    return (names.filter { !["aloe", "basil", "fern"].contains($0) }, summary.mixedPlants)
  }

  @Test(arguments: [
    (["control/mint", "drought/mint", "drought/mint"], 2), (["mint", "drought/mint"], 2),
    (["2024/mint", "2025/mint", "2025-06/DCIM/mint"], 0), (["bed/mint/DCIM", "bed/mint"], 0),
    (["2024/bed/mint", "2025/bed/mint"], 0), (["mint/100CANON", "mint/101CANON"], 0),
    (["2026-05-01 North/mint", "2026-05-02 South/mint"], 2),
  ])
  func `folders of one name in different folders are one plant, with a warning`(
    places: [String], count: Int
  ) async throws {
    let found = try await plants(of: places, in: Folders())
    #expect(found.plants == ["mint"])
    #expect(found.mixed.map(\.name) == (count > 0 ? ["mint"] : []))
    #expect(found.mixed.flatMap(\.folders).count == count)
    for folder in found.mixed.flatMap(\.folders) { #expect(folder.hasSuffix("/mint")) }
  }

  @Test func `a plant can have the names of all folders below the one that is imported`()
    async throws
  {
    let folders = try await Folders()
    let library = folders.library
    let mint = try library.plants.add(PlantDetails(name: "Minze"))
    _ = try library.plants.edit(mint.id) { $0.aliases = ["drought/mint"] }
    let found = try await plants(
      of: [
        "control/mint", "drought/mint", "control/2026/05/mint/DCIM/100CANON",
        "2026-05-01 North/mint",
        "2026/05", ".",
      ], in: folders, .path)
    #expect(found.mixed.isEmpty)
    // A photo in no such folder has the plant of the folder that was given.
    #expect(found.plants == ["camera trial", "control/mint", "Minze", "North/mint"])
    #expect(try library.plants.find(matching: "control/mint").photoCount == 2)
    #expect(try library.plants.find(matching: "camera trial").photoCount == 2)
  }

  @Test func `only the names of folders go through aliases`() async throws {
    let folders = try await Folders()
    let library = folders.library
    _ = try library.plants.rename(folders.named("basil"), to: "Basilikum")
    #expect(throws: LeaflogError.self) { try library.plants.find(matching: "basil") }
    let photo = try Fixtures.data("Orientation/1.jpg") + [99]
    _ = try folders.fixture.folder.write(photo, to: "other/x/a.jpg")
    _ = try await folders.fixture.run([folders.fixture.folder.file("other")]) {
      $0.plant = .named("basil")
    }
    #expect(try library.plants.find(matching: "basil").photoCount == 1)
    #expect(try library.plants.find(matching: "Basilikum").details.aliases == [])
  }

  @Test func `aliases are added, refused and removed, and the history tells`() async throws {
    var folders = try await Folders()
    let library = folders.library
    let id = try folders.named("basil")
    _ = try library.plants.edit(id) { $0.aliases += ["100CANON", "Fensterbrett", "basil"] }
    #expect(
      try library.plants.find(matching: "basil").details.aliases == ["100CANON", "Fensterbrett"])
    let newest = try library.history.page(limit: 1, findsBlockers: true).changes.first
    #expect(newest?.things.flatMap(\.fields).map(\.name) == ["aliases"])
    #expect(try await folders.plant(of: "100CANON") == "basil")
    for taken in ["Aloe", "fensterbrett"] {
      let error = #expect(throws: LeaflogError.self) {
        try library.plants.edit(folders.named("fern")) { $0.aliases = [taken] }
      }
      #expect(error?.code == .nameTaken)
    }
    _ = try library.plants.edit(id) { $0.aliases = ["100CANON"] }
    #expect(try await folders.plant(of: "Fensterbrett") == "Fensterbrett")
    _ = try library.history.undo()
    _ = try library.history.undo(.plantEdit)
    #expect(
      try library.plants.find(matching: "basil").details.aliases == ["100CANON", "Fensterbrett"])
  }

  @Test func `an export takes aliases along, as far as they are free there`() async throws {
    var folders = try await Folders()
    _ = try folders.library.plants.rename(folders.named("basil"), to: "Basilikum")
    try folders.library.plants.merge(folders.named("aloe"), into: folders.named("fern"))
    let path = folders.fixture.folder.file("diary.json")
    _ = try DiaryExporter(folders.library).writeJSON(into: .file(path))
    let other = try LibraryFixture(policy: .exact)
    _ = try other.library.plants.add(PlantDetails(name: "aloe"))
    _ = try DiaryImporter(other.library).read(path)
    #expect(try await folders.plant(of: "basil", in: other.library) == "Basilikum")
    #expect(try await folders.plant(of: "aloe", in: other.library) == "aloe")
  }

  @Test func `copies brought together have the aliases of both, and this copy's come first`()
    async throws
  {
    let copies = try await DivergedCopies("Photos") { library in
      _ = try library.plants.rename(library.plants.find(matching: "tomato").id, to: "Tomate")
    }
    let (here, there) = (copies.here, copies.there)
    func id(_ name: String, _ library: Library) throws -> PlantID {
      try library.plants.find(matching: name).id
    }
    _ = try there.plants.edit(id("Tomate", there)) { $0.aliases = [] }
    _ = try there.plants.rename(id("basil", there), to: "Basilikum")
    _ = try there.plants.edit(id("Basilikum", there)) { $0.aliases += ["window", "sill"] }
    _ = try here.plants.edit(id("monstera", here)) { $0.aliases = ["sill", "hall"] }
    let survey = try copies.bringOver()
    #expect(survey.conflicts.map(\.name) == ["alias sill"])
    #expect(try here.plants.find(matching: "Basilikum").details.aliases == ["basil", "window"])
    #expect(try here.plants.find(matching: "monstera").details.aliases == ["hall", "sill"])
    #expect(try here.plants.find(matching: "Tomate").details.aliases == [])
  }

  @Test func `a merge in one copy takes the folder along in the other`() async throws {
    let copies = try await DivergedCopies("Photos")
    let (here, there) = (copies.here, copies.there)
    try there.plants.merge(
      there.plants.find(matching: "basil").id, into: there.plants.find(matching: "monstera").id)
    _ = try here.plants.edit(here.plants.find(matching: "tomato").id) { $0.notes = "red" }
    #expect(try copies.bringOver().conflicts == [])
    #expect(try here.plants.find(matching: "monstera").details.aliases == ["basil"])
    #expect(try here.plants.all().map(\.name) == ["monstera", "tomato"])
  }

  @Test func `aliases of other plants are beyond a token for one plant`() async throws {
    let folders = try await Folders()
    let library = folders.library
    for name in ["basil", "fern"] {
      _ = try library.plants.rename(folders.named(name), to: name + " 2")
    }
    let catalog = try Catalog(path: library.path + "/catalog.sqlite", access: .readOnly)
    let view = try Catalog(catalog, limitedTo: .plant(folders.named("fern 2")))
    #expect(try view.read { try $0.plants.name(ofFolder: "fern") } == "fern 2")
    #expect(try view.read { try $0.plants.name(ofFolder: "basil") } == nil)
    let all = try Catalog(catalog, limitedTo: .plants)
    #expect(try all.read { try $0.plants.name(ofFolder: "basil") } == "basil 2")
  }
}
