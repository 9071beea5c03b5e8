import Foundation
import Leaflog
import TestSupport
import Testing

/// The setting of the folders that jobs may use.
@Suite struct ServiceFoldersTests {
  private let fixture: LibraryFixture
  private var library: Library { fixture.library }

  init() throws { fixture = try LibraryFixture() }

  @Test(arguments: [
    ("", ""), ("/media/photos", "/media/photos"), ("/a:/b", "/a:/b"), ("/a/:/b/../c", "/a:/c"),
    (" /a : : /a/. ", "/a"), ("/", "/"), ("/große Fotos/🌿", "/große Fotos/🌿"),
  ])
  func `it is kept in its plain form`(value: String, kept: String) throws {
    try library.settings.set(.serviceFolders, to: value)
    #expect(try library.settings.value(of: .serviceFolders) == kept)
    let reader = try Library.open(at: library.path, for: .reading)
    #expect(try reader.settings.value(of: .serviceFolders) == kept)
  }

  @Test func `it is no part of the history, and no undo changes it`() throws {
    try library.settings.set(.serviceFolders, to: "/a")
    #expect(try library.history.page(limit: 9).changes.isEmpty)
  }

  @Test func `it is in no backup`() throws {
    try library.settings.set(.serviceFolders, to: "/a")
    let place = fixture.folder.file("backup")
    _ = try Backup(library).run(BackupRequest(path: place)) { _ in }
    let backup = try Library.open(at: place, for: .reading)
    #expect(try backup.settings.value(of: .serviceFolders) == "")
  }

  @Test func `a library that is open for reading cannot change it`() throws {
    let reader = try Library.open(at: library.path, for: .reading)
    let error = #expect(throws: LeaflogError.self) {
      try reader.settings.set(.serviceFolders, to: "/a")
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `a damaged file allows nothing`() throws {
    try fixture.folder.write(Data("[".utf8), to: "library/service.json")
    let error = #expect(throws: LeaflogError.self) {
      try library.settings.value(of: .serviceFolders)
    }
    #expect(error?.code == .damaged)
  }
}
