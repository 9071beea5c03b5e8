import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// The states that a backup leads to between two runs of it.
@Suite struct RestoreMomentTests {
  private let fixture: PastFixture

  init() throws { fixture = try PastFixture() }

  @Test func `a library is restored as it was at any commit between two backups`() throws {
    try fixture.add("fern")
    try fixture.backUp()
    var states = [(fixture.now, try fixture.tables())]
    for number in 0..<6 {
      try fixture.add("plant \(number)")
      if number == 3 { try fixture.library.store.takeSnapshot() }
      states.append((fixture.now, try fixture.tables()))
    }
    try fixture.backUp()
    for (time, tables) in states {
      #expect(try fixture.tables(at: time) == tables)
      let later = Timestamp(milliseconds: time.milliseconds + 59_000)
      #expect(try fixture.tables(at: later) == tables)
    }
    let future = Timestamp(milliseconds: fixture.now.milliseconds + 1_000_000)
    #expect(try fixture.tables(at: future) == states.last?.1)
  }

  @Test func `a moment before the first backup is refused, with the time that it reaches back to`()
    throws
  {
    try fixture.add("fern")
    let before = fixture.now
    try fixture.backUp()
    try fixture.add("ivy")
    try fixture.backUp()
    let message = try fixture.refusal(at: before)
    #expect(message.contains("reaches back to 2026-01-01T01:02:00+01:00"))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("refused")))
  }

  @Test func `commits that the backup lacks are not passed over`() throws {
    try fixture.backUp()
    try fixture.add("fern")
    let between = fixture.now
    try fixture.add("ivy")
    try fixture.backUp()
    let files = fixture.folder.files(below: "backup/journal")
    #expect(files.count == 1)
    try fixture.folder.write(Data(), to: "backup/journal/" + files[0])
    #expect(try fixture.refusal(at: between).contains("lacks commits"))
    #expect(try fixture.tables(at: fixture.now) == fixture.tables())
  }

  @Test func `after a wrong clock, the last commit by a time counts, and the others are listed`()
    throws
  {
    try fixture.add("fern")
    try fixture.backUp()
    try fixture.add("ivy")
    let (first, before) = (fixture.now, try fixture.tables())
    // One under a clock that is an hour ahead, one under a clock that was never set.
    fixture.pass(.seconds(3600))
    try fixture.add("ahead")
    fixture.pass(.seconds(-3600))
    try fixture.add("moss")
    let (second, between) = (fixture.now, try fixture.tables())
    fixture.pass(.seconds(-86_400 * 3650))
    try fixture.add("behind")
    fixture.pass(.seconds(86_400 * 3650))
    try fixture.add("rose")
    let (third, last) = (fixture.now, try fixture.tables())
    try fixture.backUp()
    #expect(try fixture.tables(at: third) == last)
    let at = try fixture.candidates(at: third)
    #expect(at.candidates.map(\.madeAt) == [first, third] && at.chosen == at.candidates.last)
    #expect(try fixture.tables(after: at.candidates[0].commit) == before)
    #expect(try fixture.tables(after: at.candidates[1].commit) == last)
    // The one under the clock behind is later than that of its time.
    let earlier = try fixture.candidates(at: second)
    let chosen = try #require(earlier.chosen)
    #expect(earlier.candidates.first?.madeAt == first && earlier.candidates.count == 2)
    #expect(try fixture.tables(at: second) == fixture.tables(after: chosen.commit))
    #expect(try fixture.tables(after: chosen.commit - 1) == between)
    let error = #expect(throws: LeaflogError.self) { try fixture.tables(after: 1000) }
    #expect(error?.code == .notKept)
  }

  @Test func `where times do not go back there are no candidates`() throws {
    try fixture.backUp()
    for name in ["fern", "ivy", "moss"] { try fixture.add(name) }
    let last = fixture.now
    try fixture.backUp()
    let found = try fixture.candidates(at: last.advanced(byMilliseconds: -60_000))
    #expect(
      found.candidates.isEmpty && found.chosen?.madeAt == last.advanced(byMilliseconds: -60_000))
  }

  @Test func `changes before a restore are reached afterwards`() throws {
    try fixture.add("fern")
    try fixture.backUp()
    try fixture.add("replaced")
    let (time, replaced) = (fixture.now, try fixture.tables())
    try fixture.library.close()
    fixture.pass(.seconds(7200))
    try fixture.restore(to: fixture.path)
    try fixture.reopen()
    try fixture.add("later")
    let (later, tables) = (fixture.now, try fixture.tables())
    try fixture.add("last")
    fixture.pass(.seconds(7200))
    try fixture.backUp()
    #expect(try fixture.tables(at: time) == replaced)
    #expect(try fixture.tables(at: later) == tables)
    #expect(try fixture.tables(at: fixture.now) == fixture.tables())
  }

  @Test func `a backup that was verified or worked in is no starting point, its snapshot is`()
    throws
  {
    try fixture.backUp()
    let backup = try Library.open(at: fixture.place)
    _ = try backup.plants.add(PlantDetails(name: "by mistake"))
    try backup.close()
    try fixture.add("fern")
    let (time, tables) = (fixture.now, try fixture.tables())
    try fixture.add("ivy")
    fixture.pass()
    var request = BackupRequest(path: fixture.place)
    request.overridesChecks = true
    _ = try Backup(fixture.library).run(request) { _ in }
    #expect(try fixture.tables(at: time) == tables)
    // The catalog that somebody worked in stays beside the two starting points.
    #expect(fixture.folder.files(below: "backup/snapshots").count == 3)
  }

  @Test func `words that were forgotten for good are gone from the next backup, too`() throws {
    try fixture.add("fern")
    _ = try fixture.library.diary.addSymptom(
      Symptom(name: "ache", severity: try Severity(2)), notes: "quokka")
    try fixture.backUp()
    try fixture.add("ivy")
    let before = fixture.now
    try fixture.library.store.reset(.diary, confirmedBy: fixture.library.name)
    try fixture.backUp()
    try fixture.add("moss")
    let after = fixture.now
    let tables = try fixture.tables()
    try fixture.backUp()
    for file in fixture.folder.files(below: "backup") {
      let data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.file("backup/" + file)))
      #expect(data.range(of: Data("quokka".utf8)) == nil, "\(file) still has it")
    }
    #expect(try fixture.refusal(at: before).contains("reaches back"))
    #expect(try fixture.tables(at: after) == tables)
  }

  @Test func `starting points are thinned out, and frames go with the oldest`() throws {
    for _ in 0..<12 {
      for name in ["one", "two", "three"] {
        try fixture.add("\(name) \(fixture.now)")
        try fixture.backUp()
      }
      fixture.pass(.seconds(86_400))
      try fixture.library.store.takeSnapshot()
    }
    // The newest of each day, and of the last day's hour.
    #expect((12...14).contains(fixture.folder.files(below: "backup/snapshots").count))
    let backup = try Library.open(at: fixture.place, for: .reading)
    let oldest = try #require(try backup.store.snapshots().last?.generation)
    let commits = fixture.folder.files(below: "backup/journal")
      .compactMap { Int(($0 as NSString).lastPathComponent.dropLast(7)) }.sorted()
    #expect(commits.count > 8)
    #expect(commits.dropFirst().allSatisfy { $0 > oldest })
  }
}
