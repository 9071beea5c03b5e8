import Foundation
import Leaflog
import TestSupport
import Testing

/// Commits and values as other parts of a program, and other programs, make and see them.
@Suite struct LibraryObservationTests {
  /// The library of a fixture as another process has it open.
  private func other(_ fixture: LibraryFixture) throws -> Library {
    try Library.open(at: fixture.library.path, clock: fixture.clock.wallClock)
  }

  @Test func `many observers get each commit once and in order, and go on after a break`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let first = try library.history.lastCommit()
    let count = 200
    let observers = try (0..<20).map { number in
      let commits = try library.history.commits()
      return Task {
        var seen: [Int] = []
        for try await commit in commits {
          seen.append(commit.id)
          // Some go away, and come back.
          if number % 2 == 0, seen.count == 50 { break }
          if commit.id == first + count { return seen }
        }
        for try await commit in try library.history.commits(after: seen.last) {
          seen.append(commit.id)
          if commit.id == first + count { break }
        }
        return seen
      }
    }
    let writer = try other(fixture)
    for number in 0..<count {
      _ = try writer.diary.addSymptom(Symptom(name: "s\(number)", severity: Severity(1)))
    }
    for observer in observers {
      #expect(try await observer.value == Array(first + 1...first + count))
    }
    try writer.close()
  }

  @Test func `a commit names the kinds of things and the plants that it touched`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    var commits = try library.history.commits().makeAsyncIterator()
    let basil = try library.plants.add(PlantDetails(name: "basil"))
    let fern = try library.plants.add(PlantDetails(name: "fern"))
    for plant in [basil, fern] {
      let commit = try #require(try await commits.next())
      #expect(commit.kinds == [.plant] && commit.plants == [plant.id])
    }
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let imported = try #require(try await commits.next())
    #expect(imported.kinds == [.photo] && imported.plants == [basil.id])
    let photos = try library.timeline.page(limit: 10).elements.map(\.id)
    var last = try library.history.lastCommit()
    func next() async throws -> Commit {
      // Only the newest: an import has any number of commits.
      var iterator = try library.history.commits(after: last).makeAsyncIterator()
      let commit = try #require(try await iterator.next())
      last = commit.id
      return commit
    }
    _ = try library.photos.move(.photos([photos[0]]), to: fern.id)
    let moved = try await next()
    #expect(moved.kinds == [.photo] && moved.plants == [basil.id, fern.id])
    _ = try library.photos.edit(photos[1], notes: "tall")
    #expect(try await next().plants == [basil.id])
    try library.settings.set(.weekStart, to: "sunday")
    let set = try await next()
    #expect(set.kinds == [.setting] && set.plants.isEmpty)
    _ = try library.diary.setMood(.happy, on: library.today)
    #expect(try await next().kinds == [.mood])
    try library.history.undo()
    #expect(try await next().kinds == [.mood])
    try library.history.redo()
    #expect(try await next().kinds == [.mood])
  }

  @Test
  func `commits that the history does not have are told as one that may have changed anything`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    for name in ["basil", "fern"] { _ = try library.plants.add(PlantDetails(name: name)) }
    let last = try library.history.lastCommit()
    // A number of another library, too.
    for number in [last + 1000, last - 3] {
      var commits = try library.history.commits(after: number).makeAsyncIterator()
      let commit = try #require(try await commits.next())
      #expect(number > last ? commit.id == last && commit.kinds == nil : commit.id > number)
    }
  }

  @Test func `a value is read again after a commit, and it ends when its library is closed`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    var names = try library.values { try $0.plants.all().map(\.name) }.makeAsyncIterator()
    #expect(try await names.next() == [])
    let writer = try other(fixture)
    _ = try writer.plants.add(PlantDetails(name: "basil"))
    while try await names.next() != ["basil"] {}
    let commits = try library.history.commits()
    let observer = Task { try await commits.reduce(0) { count, _ in count + 1 } }
    try library.close()
    #expect(try await names.next() == nil)
    #expect(try await observer.value == 0)
    try writer.close()
  }

  @Test func `a value that can be compared comes again once it has changed`() async throws {
    struct Names: Sendable { let names: [String] }
    let fixture = try LibraryFixture()
    let library = fixture.library
    var names = try library.values { try $0.plants.all().map(\.name) }.makeAsyncIterator()
    var incomparable = try library.values { Names(names: try $0.plants.all().map(\.name)) }
      .makeAsyncIterator()
    #expect(try await names.next() == [])
    #expect(try await incomparable.next()?.names == [])
    _ = try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(1)))
    #expect(try await incomparable.next()?.names == [])
    async let next = names.next()
    _ = try library.diary.addSymptom(Symptom(name: "ache", severity: Severity(1)))
    _ = try library.plants.add(PlantDetails(name: "basil"))
    #expect(try await next == ["basil"])
  }

  @Test func `cancelling a task ends what it observes`() async throws {
    let fixture = try LibraryFixture()
    let commits = try fixture.library.history.commits()
    let observer = Task { try await commits.reduce(0) { count, _ in count + 1 } }
    observer.cancel()
    #expect(try await observer.value == 0)
  }
}
