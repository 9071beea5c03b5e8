import Foundation
import Leaflog
import TestSupport
import Testing

/// How long frames stay that snapshots have already.
@Suite struct JournalFilesTests {
  private let fixture: PastFixture

  init() throws { fixture = try PastFixture() }

  private var files: [String] { fixture.folder.files(below: "library/journal") }

  @Test func `files stay for 35 days after snapshots cover them`() throws {
    try fixture.add("fern")
    let first = files
    #expect(first.count == 1)
    for day in 1...34 {
      fixture.pass(.seconds(86_400))
      try fixture.add("plant \(day)")
      try fixture.library.store.takeSnapshot()
    }
    #expect(files.contains(first[0]) && files.count > 30)
    for day in 35...40 {
      fixture.pass(.seconds(86_400))
      try fixture.add("plant \(day)")
      try fixture.library.store.takeSnapshot()
    }
    #expect(!files.contains(first[0]) && files.count < 38)
    let before = try fixture.tables()
    try fixture.remove("library/catalog.sqlite")
    #expect(try CatalogRescue(at: fixture.path).run().losses.isEmpty)
    #expect(try fixture.tables() == before)
  }

  @Test func `snapshots of the same day share a file`() throws {
    for number in 0..<5 {
      try fixture.add("plant \(number)")
      try fixture.library.store.takeSnapshot()
    }
    #expect(files.count == 1)
  }
}
