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

  @Test func `a link whose target is missing is a link that is skipped`() async throws {
    let fixture = try LibraryFixture()
    try link("photos/gone.jpg", to: fixture.folder.file("gone.jpg"), in: fixture)
    for follows in [false, true] {
      let (summary, outcomes) = try await fixture.run { $0.followsLinks = follows }
      #expect(outcomes.of("gone.jpg")?.skip == .link)
      #expect(summary.skipped == 1 && summary.failed == 0)
    }
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
      of: fixture.library.photos.find(fixture.entries()[0].id))
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

  private static let othersFolders = [
    "@eaDir/1.jpg", "@EADIR/1.jpg", "#recycle", "#snapshot", "@Recycle", "$RECYCLE.BIN/S-1-5",
    "$Recycle.Bin", "System Volume Information", ".Trash-1000/files", "__MACOSX/fern",
    "lost+found", ".stversions", ".sync/Archive", "[Originals]", ".picasaoriginals", ".thumbnails",
    "Thumbs", "_thumbs", ".@__thumb", ".dtrash/files", "appdata_oc12ab/preview",
    "@GMT-2024.05.01-10.00.00",
  ]

  @Test(arguments: othersFolders)
  func `folders that other programs keep are passed over, unless all are asked for`(
    folder: String
  ) async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.copy(
      "Photos/basil/20250510T120006+0100.jpg", to: "photos/fern/\(folder)/1.jpg")
    let (summary, outcomes) = try await fixture.run()
    #expect(summary.skipped == 1 && summary.added == 0)
    #expect(outcomes.list.map(\.skip) == [.otherProgram])
    #expect(outcomes.list.map(\.isSkippedImage) == [false])
    // One that is named itself is meant.
    let first = folder.split(separator: "/")[0]
    let named = try await fixture.run([fixture.photos + "/fern/" + first]) { $0.isDryRun = true }
    #expect(named.summary.added == 1)
    #expect(try await fixture.run { $0.takesAll = true }.summary.added == 1)
  }

  @Test func `files that a gallery has deleted or not finished are passed over`() async throws {
    let fixture = try LibraryFixture()
    let names = [
      ".trashed-1700000000-1.jpg", ".pending-1700000000-2.jpg", "Thumbs", "#recycle.jpg",
    ]
    for (name, photo) in zip(names, ["basil/20250510T120006+0100", "basil/20250517T120006+0100"]) {
      try fixture.folder.copy("Photos/\(photo).jpg", to: "photos/" + name)
    }
    for name in names.dropFirst(2) {
      try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/" + name)
    }
    let (summary, outcomes) = try await fixture.run()
    #expect(outcomes.of(names[0])?.skip == .otherProgram)
    #expect(outcomes.of(names[1])?.skip == .otherProgram)
    // Files may have the names of such folders.
    #expect(summary.added == 1 && summary.duplicate == 1)
    #expect(try await fixture.run { $0.takesAll = true }.summary.added == 2)
  }

  @Test func `files that macOS keeps beside a photo are no photos, whatever is asked for`()
    async throws
  {
    let fixture = try LibraryFixture()
    try fixture.folder.write(
      Data([0, 5, 0x16, 7, 0, 2, 0, 0]), to: "photos/__MACOSX/._IMG_1.jpg")
    let (summary, outcomes) = try await fixture.run { $0.takesAll = true }
    #expect(outcomes.list.map(\.skip) == [.notAnImage] && summary.failed == 0)
  }

  @Test func `a watch enters what an import enters`() async throws {
    let fixture = try LibraryFixture()
    try fixture.folder.write(Data(), to: "elsewhere/here")
    try fixture.folder.write(Data(), to: "photos/@eaDir/here")
    try fixture.folder.write(Data(), to: "library/fern/here")
    try link("photos/all", to: fixture.folder.file("elsewhere"), in: fixture)
    let timer = WatchTimer()
    let watch = try FolderWatch(
      paths: [fixture.photos, fixture.library.path], now: { timer.now })
    var found: Set<String> = []
    func step() {
      for case .file(let file) in watch.pass() { found.insert(file.displayPath) }
      timer.pass(.seconds(2))
    }
    step()
    let photo = try Fixtures.data("Photos/basil/20250510T120006+0100.jpg")
    try fixture.folder.write(photo, to: "elsewhere/1.jpg")
    try fixture.folder.write(photo, to: "photos/@eaDir/1.jpg")
    try fixture.folder.write(photo, to: "photos/.trashed-1-1.jpg")
    try fixture.folder.write(photo, to: "library/blobs/00/2.jpg")
    try fixture.folder.write(photo, to: "library/fern/3.jpg")
    try fixture.folder.write(photo, to: "photos/4.jpg")
    step()
    found = []
    step()
    #expect(found == [fixture.photos + "/4.jpg", fixture.library.path + "/fern/3.jpg"])
  }
}
