import Foundation
import TestSupport
import Testing

/// Where a library is made, and what is said when it is not as it should be.
@Suite struct LibraryPlaceTests {
  @Test func `a library where nobody may write is refused in words`() throws {
    let fixture = try CommandFixture()
    try FileManager.default.createDirectory(
      atPath: fixture.photos, withIntermediateDirectories: true)
    chmod(fixture.folder.path, 0o755)
    for place in [fixture.photos, fixture.photos + "/deeper/still"] {
      let result = try Unprivileged(Command(library: nil))("init", place)
      #expect(result.status == 1)
      #expect(result.error.hasPrefix("leaflog: Could not make the folder \(fixture.photos)"))
      #expect(result.error.contains("Permission denied"))
      #expect(!result.error.contains("Cocoa") && !result.error.contains("NS"))
    }
    #expect(fixture.folder.files().isEmpty)
  }

  @Test func `a path with nothing at it makes no library`() throws {
    let fixture = try CommandFixture()
    let (code, message) = try fixture.refusal("import", fixture.folder.file("pic"), status: 1)
    #expect(code == "notFound")
    #expect(message.contains("There is nothing at “\(fixture.folder.file("pic"))”"))
    #expect(fixture.folder.files().isEmpty)
    #expect(try fixture.refusal("import", "a", "b", "--dry-run", status: 1).code == "notFound")
    // Only a folder can be watched, and that is known before anything is done.
    let photo = try fixture.folder.copy("Orientation/1.jpg", to: "photos/1.jpg")
    #expect(try fixture.leaflog("import", photo, "--watch").status == 64)
    #expect(fixture.folder.files() == ["photos/1.jpg"])
    // With something to import, the rest is a file that failed.
    let partly = try fixture.leaflog("import", photo, fixture.folder.file("pic"), "--json")
    #expect(partly.status == 3)
    let failed = partly.json.first { $0["outcome"] as? String == "failed" }
    #expect(failed?["reason"] as? String == "notFound")
  }

  @Test func `a library without its marker is told as one, and repaired`() throws {
    let fixture = try CommandFixture.imported(["Photos/basil"])
    let backup = fixture.folder.file("backup")
    #expect(try fixture.leaflog("backup", backup).status == 0)
    let marker = fixture.folder.file("library/leaflog.json")
    let before = try Data(contentsOf: URL(fileURLWithPath: marker))
    try FileManager.default.removeItem(atPath: marker)
    for arguments in [
      ["timeline"], ["stats"], ["import", Fixtures.path("Photos/tomato")], ["init"],
    ] {
      let result = try fixture.leaflog.run(arguments + ["--json"])
      #expect(result.status == 12, "\(arguments): \(result.error)")
      #expect(result.error.contains("\"code\":\"markerMissing\""), "\(result.error)")
      #expect(result.error.contains("leaflog.json, is missing"))
    }
    #expect(!FileManager.default.fileExists(atPath: marker))
    // From a folder above, too, where it is the default one.
    try FileManager.default.createDirectory(
      atPath: fixture.folder.file("home/here"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: fixture.folder.file("library"), toPath: fixture.folder.file("home/Storage"))
    var below = Command(library: nil)
    below.folder = fixture.folder.file("home/here")
    #expect(try below("timeline").status == 12)

    let repaired = try fixture.leaflog("repair", "--json")
    #expect(repaired.status == 0, "\(repaired.error)")
    #expect(repaired.json.first?["outcome"] as? String == "markerMade")
    #expect(repaired.json.first?["formerID"] as? Bool == true)
    func id(_ data: Data) throws -> String? {
      (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["id"] as? String
    }
    #expect(try id(Data(contentsOf: URL(fileURLWithPath: marker))) == id(before))
    #expect(try fixture.entries().count == 4)
    #expect(try fixture.leaflog("backup", backup).status == 0)
  }

  @Test func `the remains of an interrupted creation are no library, and become one`() throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    try FileManager.default.removeItem(atPath: fixture.folder.file("library/leaflog.json"))
    #expect(try fixture.refusal("timeline", status: 10).code == "noLibrary")
    #expect(try fixture.leaflog("import", Fixtures.path("Photos/basil")).status == 0)
  }

  @Test
  func `a library among its photos takes them in, and an import of a library says what to do`()
    throws
  {
    let fixture = try CommandFixture()
    let library = fixture.folder.file("library")
    try fixture.folder.copy("Orientation/1.jpg", to: "library/fern/1.jpg")
    #expect(try fixture.leaflog("init", library).status == 0)
    let first = try fixture.leaflog("import", library)
    #expect(first.status == 0)
    #expect(first.output.hasPrefix("Added 1 photo of 1 plant"), "\(first.output)")
    try FileManager.default.removeItem(atPath: library + "/fern")
    let alone = try fixture.leaflog("import", library)
    #expect(alone.status == 0)
    #expect(alone.output.contains("photo export"), "\(alone.output)")
    #expect(alone.output.contains("leaflog --library \(library) timeline"))
  }
}
