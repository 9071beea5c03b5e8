import DiaryCatalog
import DiaryModel
import TestSupport
import Testing

@Suite struct PlantTests {
  @Test func `names are one without regard to case, composition and spaces around`() throws {
    let catalog = try CatalogFixture().catalog
    let plant = try catalog.addPlant(
      PlantDetails(name: "  Aloë ", location: " ", notes: "n"), now: now)
    #expect(plant.name == "Aloë")
    #expect(plant.details.location == nil)
    #expect(plant.details.notes == "n")
    for name in ["aloË", "ALOE\u{308}"] {
      let error = #expect(throws: CatalogError.self) {
        try catalog.addPlant(PlantDetails(name: name), now: now)
      }
      #expect(error?.code == .nameTaken)
    }
    let other = try catalog.addPlant(PlantDetails(name: "fern"), now: now)
    let error = #expect(throws: CatalogError.self) {
      try catalog.editPlant(other.id, now: now) { $0.name = "aloë" }
    }
    #expect(error?.code == .nameTaken)
    // Its own name in another case is no other's.
    #expect(try catalog.editPlant(other.id, now: now) { $0.name = "FERN" }.name == "FERN")
  }

  @Test(arguments: ["", "  ", "a\nb", "bell\u{7}"]) func `a name is one line of something`(
    name: String
  ) throws {
    let catalog = try CatalogFixture().catalog
    let error = #expect(throws: CatalogError.self) {
      try catalog.addPlant(PlantDetails(name: name), now: now)
    }
    #expect(error?.code == .invalid)
    #expect(try catalog.plants().isEmpty)
  }

  @Test func `merging gives over everything and keeps what is said of either`() throws {
    let catalog = try CatalogFixture().catalog
    try catalog.add((0..<3).map { madePhoto($0, plant: "a") } + [madePhoto(3, plant: "b")])
    var edit = EntryEdit(EntryID(sourceDigest: madePhoto(0).sourceDigest))
    edit.isDeleted = true
    _ = try catalog.apply([edit], as: .photoDelete, now: now)
    _ = try catalog.editPlant(catalog.plant("a").id, now: now) {
      ($0.scientificName, $0.location, $0.notes) = ("Alpha", "hall", "from a")
    }
    _ = try catalog.editPlant(catalog.plant("b").id, now: now) {
      ($0.location, $0.notes) = ("sill", "from b")
    }
    let moved = try catalog.merge(catalog.plant("a").id, into: catalog.plant("b").id, now: now)
    #expect(moved == 3)
    let plant = try catalog.plant("b")
    #expect(plant.photoCount == 3)
    #expect(
      plant.details
        == PlantDetails(
          name: "b", scientificName: "Alpha", location: "sill", aliases: ["a"],
          notes: "from b\nfrom a"))
    #expect(try catalog.plants().count == 1)
    let trash = try catalog.page(
      TimelineQuery(plant: plant.id, deleted: true), at: .start, limit: 5)
    #expect(trash.elements.count == 1)
    #expect(throws: CatalogError.self) { try catalog.merge(plant.id, into: plant.id, now: now) }
  }

  @Test func `an unknown name says which may have been meant`() throws {
    let catalog = try CatalogFixture().catalog
    for name in ["monstera", "Basil", "tomato red", "tomato yellow"] {
      _ = try catalog.addPlant(PlantDetails(name: name), now: now)
    }
    func error(_ name: String) throws -> CatalogError {
      try #require(throws: CatalogError.self) { try catalog.plant(name) }
    }
    #expect(try error("monstra").message.contains("“monstera”"))
    #expect(try error("bsail").message.contains("“Basil”"))
    #expect(try error("tomat").message.contains("“tomato red” or “tomato yellow”"))
    #expect(try error("orchid").remedy == .listPlants)
    #expect(try error("").message.contains("No plant"))
  }
}
