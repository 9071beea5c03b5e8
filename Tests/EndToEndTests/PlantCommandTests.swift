import Foundation
import TestSupport
import Testing

@Suite struct PlantCommandTests {
  @Test func `a plant has one age, whatever a clock that was never set says`() throws {
    let fixture = try CommandFixture()
    let photo = try Fixtures.data("Orientation/1.jpg")
    for (number, name) in ["20100105_100000", "20120601_100000", "20120611_100000"].enumerated() {
      try fixture.folder.write(
        photo + Data(repeating: 0, count: number + 1), to: "photos/fig/\(name).jpg")
    }
    #expect(try fixture.leaflog("import", fixture.folder.file("photos")).status == 0)
    let plant = try fixture.json("plant", "show", "fig")
    #expect(plant["firstPhotoDay"] as? String == "2012-06-01")
    #expect(
      (plant["firstPhoto"] as? [String: Any])?["occurredAt"] as? String == "2010-01-05T10:00:00")
    #expect(plant["medianDaysBetweenPhotos"] as? Double == 10)
    let age = try #require(plant["ageDays"] as? Int)
    let entries = try fixture.json("timeline", "--plant", "fig")["items"] as? [[String: Any]]
    let newest = try #require(entries?.first)
    let lastDay = try #require(newest["plantDay"] as? Int)
    let since = try #require(plant["daysSinceLastPhoto"] as? Int)
    #expect(age == lastDay - 1 + since)
    #expect(try fixture.leaflog("plant", "show", "fig").output.contains("days since 2012-06-01"))
  }

  @Test func `a plant is added, listed and shown with all that is said of it`() throws {
    let fixture = try CommandFixture.imported()
    let added = try fixture.json(
      "plant", "add", "Ficus", "--scientific-name", "Ficus lyrata", "--location", "Küche",
      "--note", "a cutting")
    #expect(added["name"] as? String == "Ficus")
    let shown = try fixture.json("plant", "show", "ficus")
    #expect(shown["id"] as? String == added["id"] as? String)
    #expect(shown["scientificName"] as? String == "Ficus lyrata")
    #expect(shown["location"] as? String == "Küche")
    #expect(shown["notes"] as? String == "a cutting")
    #expect(shown["photoCount"] as? Int == 0)
    #expect(shown["lastPhotoDay"] == nil)
    let list = try fixture.json("plant", "list")
    #expect(list.texts("name") == ["basil", "Ficus", "monstera", "tomato"])
    #expect(list.texts("lastPhotoDay") == ["2025-05-31", "2025-07-01", "2025-07-05"])
    #expect(list.items.compactMap { $0["photoCount"] as? Int } == [4, 0, 5, 4])
    #expect(list["next"] is NSNull)
    let lines = try fixture.leaflog("plant").output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("Ficus     no photos") && lines[1].hasSuffix("  Küche"))
    #expect(lines[0].contains("4 photos  2025-05-31") && lines[0].hasSuffix(" days ago"))
  }

  @Test func `folders with a former name, or an alias that was added, name a plant`() throws {
    let fixture = try CommandFixture.imported()
    let renamed = try fixture.leaflog("plant", "rename", "basil", "Basilikum")
    #expect(renamed.output.contains("New photos in a folder basil still go to it."))
    _ = try fixture.json("plant", "edit", "Basilikum", "--alias", "100CANON", "--alias", "sill")
    let photo = try Fixtures.data("Orientation/1.jpg")
    for (number, folder) in ["basil", "100CANON"].enumerated() {
      try fixture.folder.write(
        photo + Data(repeating: 0, count: number + 1), to: "photos/\(folder)/a.jpg")
    }
    #expect(try fixture.leaflog("import", fixture.folder.file("photos")).status == 0)
    let plant = try fixture.json("plant", "edit", "Basilikum", "--remove-alias", "SILL")
    #expect(plant["aliases"] as? [String] == ["100CANON", "basil"])
    #expect(plant["photoCount"] as? Int == 6)
    #expect(
      try fixture.leaflog("plant", "show", "Basilikum").output.contains(
        "Aliases     100CANON, basil"))
    let again = try fixture.leaflog("plant", "edit", "Basilikum", "--remove-alias", "sill")
    #expect(again.status == 1 && again.error.contains("no alias “sill”"))
  }

  @Test func `a plant's record is its first and last photo, age, rhythm and months`() throws {
    let fixture = try CommandFixture.imported()
    let record = try fixture.json("plant", "show", "BASIL")
    let first = try #require(record["firstPhoto"] as? [String: Any])
    #expect(first["id"] as? String == (try fixture.id("2025-05-10")))
    #expect(first["occurredAt"] as? String == "2025-05-10T12:00:06+01:00")
    #expect(record["lastPhotoDay"] as? String == "2025-05-31")
    let (age, since) = (record["ageDays"] as? Int, record["daysSinceLastPhoto"] as? Int)
    #expect(try #require(age) - (try #require(since)) == 21)
    #expect(record["medianDaysBetweenPhotos"] as? Int == 7)
    #expect(record["entryCount"] as? Int == 4)
    let text = try fixture.leaflog("plant", "show", "monstera").output
    #expect(text.contains("Photos      5\nFirst       2025-04-02 Wednesday 08:11, 1342c629\n"))
    #expect(text.contains("\nRhythm      a photo every 24 days (median)\n"))
    #expect(text.contains("\nMonths      2025: Apr 2 · May 1 · Jun 1 · Jul 1\n"))
  }

  @Test(arguments: ["BASIL", " basil ", "Mu\u{308}sli", "mÜSLI"])
  func `a name is one plant's only, whatever its case or accents' form`(name: String) throws {
    let fixture = try CommandFixture.imported()
    try fixture.json("plant", "add", "Müsli")
    let before = try CatalogDump(of: fixture)
    #expect(try fixture.refusal("plant", "add", name, status: 1).code == "nameTaken")
    #expect(
      try fixture.refusal("plant", "edit", "tomato", "--name", name, status: 1).code == "nameTaken")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(
      try fixture.json("plant", "edit", "Müsli", "--name", "MÜSLI")["name"] as? String == "MÜSLI")
  }

  @Test(arguments: ["", "  ", "two\nlines", "\u{1B}[2Jescape"])
  func `a name that is none is refused`(name: String) throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    #expect(try fixture.refusal("plant", "add", name, status: 64).code == "invalidRequest")
    #expect(try fixture.json("plant", "list").items.count == 1)
  }

  @Test(
    arguments: [
      ["plant", "show", "basel"], ["plant", "edit", "basel", "--note", "x"],
      ["plant", "edit", "tomato", "--merge-into", "basel", "--yes"],
      ["plant", "delete", "basel", "--yes"], ["timeline", "basel"],
      ["photo", "delete", "--plant", "basel", "--yes"],
    ])
  func `a name that no plant has is answered with one that is like it`(arguments: [String]) throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    let result = try fixture.leaflog.run(arguments)
    #expect(result.status == 1)
    #expect(result.error == "leaflog: No plant is called “basel”. Did you mean “basil”?\n")
    let error = try fixture.leaflog.run(arguments + ["--json"]).error
    #expect(error.hasPrefix(#"{"error":{"code":"notFound""#))
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
  }

  @Test func `an edit changes what is given, an empty text removes, and undo goes back`() throws {
    let fixture = try CommandFixture.imported()
    var dumps = [try CatalogDump(of: fixture)]
    for arguments in [
      ["--name", "Genovese", "--location", "sill"], ["--scientific-name", "Ocimum basilicum"],
      ["--location", "", "--note", "repotted"],
    ] {
      let name = dumps.count == 1 ? "basil" : "genovese"
      let result = try fixture.leaflog.run(["plant", "edit", name, "--json"] + arguments)
      #expect(result.status == 0)
      dumps.append(try CatalogDump(of: fixture))
      #expect(!dumps[dumps.count - 1].changes(since: dumps[dumps.count - 2]).isEmpty)
    }
    let edited = try fixture.json("plant", "show", "genovese")
    #expect(edited["scientificName"] as? String == "Ocimum basilicum")
    #expect(edited["location"] == nil)
    #expect(edited["notes"] as? String == "repotted")
    #expect(edited["photoCount"] as? Int == 4)
    dumps.removeLast()
    while let before = dumps.popLast() {
      #expect(try fixture.leaflog("undo").status == 0)
      #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    }
    #expect(try fixture.leaflog("plant", "edit", "basil").status == 64)
  }

  @Test func `an edit that changes nothing is nothing to undo`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let before = try CatalogDump(of: fixture)
    #expect(
      try fixture.json("plant", "edit", "basil", "--name", "basil")["name"] as? String == "basil")
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(try fixture.json("history").items.count == 1)
  }

  @Test func `a plant is renamed, and that is taken back`() throws {
    let fixture = try CommandFixture.imported()
    let before = try CatalogDump(of: fixture)
    #expect(try fixture.json("plant", "rename", "tomato", "Roma")["name"] as? String == "Roma")
    #expect(try fixture.entries("roma").count == 4)
    #expect(try fixture.refusal("plant", "rename", "roma", "BASIL", status: 1).code == "nameTaken")
    #expect(try fixture.leaflog("undo").status == 0)
    #expect(try CatalogDump(of: fixture).changes(since: before).isEmpty)
    #expect(
      try fixture.leaflog("plant", "rename", "tomato", "Roma").output
        == "tomato is now called Roma. New photos in a folder tomato still go to it. `leaflog undo` undoes it.\n"
    )
    #expect(try fixture.leaflog("plant", "rename", "roma").status == 64)
  }

  @Test func `plants tell their latest photos`() throws {
    let fixture = try CommandFixture.imported()
    let plants = try fixture.json("plant", "list").items
    #expect(plants.count == 3)
    for plant in plants {
      let name = try #require(plant["name"] as? String)
      let ids = try fixture.entries(name).compactMap { $0["id"] as? String }
      #expect(plant["latestPhotos"] as? [String] == Array(ids.prefix(4)))
    }
    #expect(try fixture.json("plant", "add", "Ficus")["latestPhotos"] as? [String] == [])
  }
}
