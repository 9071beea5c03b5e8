import Foundation
import Leaflog
import TestSupport
import Testing

/// Which folders an import enters.
@Suite struct WalkTests {
  private func link(_ name: String, to target: String, in fixture: LibraryFixture) throws {
    try FileManager.default.createDirectory(
      atPath: (fixture.folder.file(name) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.file(name), withDestinationPath: target)
  }

  @Test func `links to folders are told and not followed, unless that is asked for`() async throws {
    let fixture = try LibraryFixture()
    let photo = try fixture.folder.copy(
      "Photos/basil/20250510T120006+0100.jpg", to: "elsewhere/fern/1.jpg")
    try fixture.folder.copy("Photos/basil/20250517T120006+0100.jpg", to: "elsewhere/fern/2.jpg")
    try link("photos/all", to: fixture.folder.file("elsewhere"), in: fixture)
    try link("photos/one.jpg", to: photo, in: fixture)
    let (summary, outcomes) = try await fixture.run()
    #expect(outcomes.of("photos/all")?.skip == .link)
    #expect(outcomes.of("one.jpg")?.added != nil)
    #expect(summary.added == 1 && summary.skipped == 1)
    #expect(try await fixture.run { $0.followsLinks = true }.summary.added == 1)
    // One that is named itself is meant.
    let named = try await fixture.run([fixture.photos + "/all"])
    #expect(named.summary.duplicate == 2 && named.summary.skipped == 0)
  }

  @Test(arguments: ["/proc", "/sys", "/dev"])
  func `nothing of what the system makes up is entered, however it is named`(
    place: String
  ) async throws {
    let fixture = try LibraryFixture()
    try link("photos/system", to: place, in: fixture)
    for paths in [[fixture.photos], [fixture.photos + "/system"], [place]] {
      let (summary, outcomes) = try await fixture.run(paths) { $0.followsLinks = true }
      #expect(summary.skipped == 1 && summary.failed == 0)
      #expect(outcomes.list.map(\.skip) == [.system])
    }
  }

  @Test func `a file of the system is no photo, nor is a link to one`() async throws {
    let fixture = try LibraryFixture()
    try link("photos/cpu.jpg", to: "/proc/cpuinfo", in: fixture)
    for paths in [[fixture.photos], ["/proc/cpuinfo"]] {
      #expect(try await fixture.run(paths).outcomes.list.map(\.skip) == [.system])
    }
  }

  @Test func `photos beside a library's own files come in, and none of its own`() async throws {
    let fixture = try LibraryFixture()
    let root = fixture.library.path
    try fixture.folder.copy("Photos/basil/20250510T120006+0100.jpg", to: "library/fern/1.jpg")
    try fixture.folder.copy("Photos/basil/20250517T120006+0100.jpg", to: "library/2.jpg")
    let (summary, outcomes) = try await fixture.run([root])
    #expect(summary.added == 2 && summary.skipped == 0, "\(outcomes.list.map(\.path))")
    _ = try fixture.library.photos.preview(
      of: fixture.library.photos.find(fixture.entries()[0].id.description))
    try fixture.library.store.takeSnapshot()
    let again = try await fixture.run([root]).summary
    #expect(again.duplicate == 2 && again.added + again.skipped + again.failed == 0)
    // Its own, named, are its own all the same.
    let own = try await fixture.run([root + "/blobs", root + "/cache/previews"]).outcomes
    #expect(own.list.map(\.skip) == [.library, .library])
    // Found on the way, a library is passed over as a whole, without its marker too.
    #expect(try await fixture.run([fixture.folder.path]).outcomes.list.map(\.skip) == [.library])
    try FileManager.default.removeItem(atPath: root + "/leaflog.json")
    #expect(try await fixture.run([fixture.folder.path]).outcomes.list.map(\.skip) == [.library])
  }

  @Test func `a library with nothing beside it is told as one`() async throws {
    let fixture = try LibraryFixture()
    let outcomes = try await fixture.run([fixture.library.path]).outcomes
    #expect(outcomes.list.map(\.skip) == [.library])
  }

  @Test func `a watch enters what an import enters`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.write(Data(), to: "elsewhere/here")
    try fixture.folder.write(Data(), to: "library/fern/here")
    try link("photos/all", to: fixture.folder.file("elsewhere"), in: fixture)
    let watch = try FolderWatch(
      paths: [fixture.photos, fixture.library.path], settling: .milliseconds(1))
    var changes = watch.makeAsyncIterator()
    let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    try fixture.folder.write(photo, to: "elsewhere/1.jpg")
    try fixture.folder.write(photo, to: "library/blobs/00/2.jpg")
    try fixture.folder.write(photo, to: "library/fern/3.jpg")
    try fixture.folder.write(photo, to: "photos/4.jpg")
    var found: Set<String> = []
    while !found.contains(fixture.photos + "/4.jpg") {
      found.formUnion(try #require(try await changes.next()))
    }
    #expect(found == [fixture.photos + "/4.jpg", fixture.library.path + "/fern/3.jpg"])
  }
}
