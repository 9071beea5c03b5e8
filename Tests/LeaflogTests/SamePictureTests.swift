import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Imports of many files with few pictures.
@Suite struct SamePictureTests {
  /// A small picture, of which there are as many as there are numbers.
  private static func picture(_ number: Int) -> [UInt8] {
    let side = 64
    func grey(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * y / 8 + number * (x + 3 * y)) % 256) }
    var rows: [UInt8] = []
    for y in 0..<side { rows += [0] + (0..<side).map { x in grey(x, y) } }
    return EmbeddedMetadata.png(width: side, height: side, isGrey: true, rows: rows)
  }

  /// A PNG with a time, or without one, and a description.
  private static func png(_ picture: Int, second: Int? = nil, _ words: String? = nil) -> Data {
    var file = Self.picture(picture)
    if let second {
      let time = RecordedTime.instant(
        Timestamp(milliseconds: 1_700_000_000_000 + Int64(second) * 1000))
      file = EmbeddedMetadata.png(
        file, "tEXt", EmbeddedMetadata.text("Creation Time", time.iso8601), .beforePixels)
    }
    guard let words else { return Data(file) }
    return Data(
      EmbeddedMetadata.png(
        file, "tEXt", EmbeddedMetadata.text("Description", words), .beforePixels))
  }

  private static func unreferenced(_ library: Library) throws -> PruneReport.Share {
    var request = PruneRequest()
    request.grace = .zero
    return try Pruner(library).plan(request).report.condemned
  }

  @Test(arguments: [StoragePolicy.compact, .lossless, .exact])
  func `of pairs with one picture each, one is stored, and nothing of the other`(
    policy: StoragePolicy
  ) async throws {
    let fixture = try LibraryFixture(policy: policy)
    let count = 40
    for number in 0..<count {
      for words in ["a", "b"] {
        let name = "photos/\(number)\(words).png"
        try fixture.folder.write(
          Self.png(number, second: number.isMultiple(of: 2) ? number : nil, words), to: name)
      }
    }
    let (summary, outcomes) = try await fixture.run { $0.jobCount = 8 }
    #expect(summary.added == count && summary.duplicate == count)
    #expect(
      outcomes.list.filter { $0.added == nil }.allSatisfy { $0.warnings == [.otherMetadata] })
    #expect(try Self.unreferenced(fixture.library).count == 0)
    let verification = try Verifier(fixture.library).run(VerifyRequest()) {
      Issue.record("\($0.message)")
    }
    #expect(verification.isComplete)
  }

  @Test(arguments: [1, 2, 8], ["a", nil])
  func `of the files of one photo, the first in the walk is added, whichever is read sooner`(
    jobCount: Int, words: String?
  ) async throws {
    let count = 60
    let folder = try TemporaryFolder()
    for number in 0..<count {
      // The first ones are larger, and so are read later.
      let (first, second) = (
        Self.png(number, second: number, words.map { $0 + String(repeating: "x", count: 40_000) }),
        Self.png(number, second: number, words.map { _ in "b" })
      )
      try folder.write(first, to: "photos/aloe/\(number).png")
      try folder.write(second, to: "photos/basil/\(number).png")
    }
    for _ in 0..<3 {
      let fixture = try LibraryFixture(policy: .exact)
      let outcomes = try await fixture.run([folder.file("photos")]) { $0.jobCount = jobCount }
        .outcomes
      let added = outcomes.list.compactMap(\.added)
      #expect(added.count == count && added.allSatisfy { $0.plantName == "aloe" })
      let names = try fixture.library.plants.all().map(\.name)
      #expect(names == ["aloe"])
      for outcome in outcomes.list where outcome.path.contains("basil") {
        let duplicate = outcomes.of("aloe" + outcome.path.split(separator: "basil")[1])?.added
        #expect(outcome.result == .duplicate(try #require(duplicate).id))
      }
    }
  }

  @Test func `equal pictures of other times are photos of their own`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let count = 600
    for number in 0..<count {
      try fixture.folder.write(Self.png(0, second: number), to: "photos/\(number).png")
    }
    let (summary, outcomes) = try await fixture.run { $0.jobCount = 8 }
    #expect(summary.added == count)
    // Only the first has come before all others.
    #expect(outcomes.list.filter { !$0.warnings.contains(.samePicture) }.count == 1)
    #expect(try Self.unreferenced(fixture.library).count == 0)
  }

  @Test func `equal pictures without a time are one photo, in a dry run as well`() async throws {
    let fixture = try LibraryFixture()
    let count = 50
    for number in 0..<count {
      try fixture.folder.write(Self.png(0, "\(number)"), to: "photos/\(number).png")
    }
    for isDryRun in [true, false] {
      let (summary, outcomes) = try await fixture.run {
        ($0.isDryRun, $0.jobCount) = (isDryRun, 8)
      }
      #expect(summary.added == 1 && summary.duplicate == count - 1)
      #expect(outcomes.list.filter { $0.warnings.contains(.otherMetadata) }.count == count - 1)
    }
    #expect(try Self.unreferenced(fixture.library).count == 0)
  }

  @Test func `damaged files with the same bytes fail one by one`() async throws {
    let fixture = try LibraryFixture()
    for number in 0..<20 {
      try fixture.folder.write(Data(Self.picture(0).dropLast(600)), to: "photos/\(number).png")
    }
    let (summary, _) = try await fixture.run { $0.jobCount = 8 }
    #expect(summary.failed == 20)
  }

  @Test func `an interrupt is heeded before the next batch`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    let count = 700
    for number in 0..<count {
      try fixture.folder.write(Self.png(0, second: number), to: "photos/\(number).png")
    }
    let outcomes = Outcomes()
    let (library, paths) = (fixture.library, [fixture.photos])
    let summary = try await Task {
      try await Importer(library).run(ImportRequest(paths: paths)) { outcome in
        outcomes.add(outcome)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }.value
    #expect(summary.isInterrupted)
    let photos = try fixture.library.timeline.page(TimelineQuery(), limit: 1000).elements.count
    #expect(outcomes.list.count == photos && photos > 0 && photos <= 256)
    let (rest, _) = try await fixture.run()
    #expect(rest.added == count - photos)
    #expect(try Self.unreferenced(fixture.library).count == 0)
  }
}

/// Reservations of photos that are being imported.
@Suite struct PhotoReservationTests {
  private let reservations = PhotoReservations()
  private let digest = Array("night".utf8).withUnsafeBytes { BlobID(hashing: $0) }

  private func picture(_ time: String?) -> PhotoReservations.Identity {
    .picture(digest, time.flatMap { RecordedTime($0) }.map { ComparedTime($0) })
  }

  private func reserves(
    _ hold: PhotoReservations.Hold, _ identity: PhotoReservations.Identity
  ) -> Bool {
    if case .reserved = hold.reserve(identity, as: .random()) { true } else { false }
  }

  @Test(arguments: [
    (nil, nil, true), (nil, "2025-04-02", true),
    ("2025-04-02T08:00:00", "2025-04-02T08:00:01", false),
    ("2025-04-02T08:00:00", "2025-04-02T08:00:00.5Z", true),
    ("2025-04-02T08:00:00+02:00", "2025-04-02T06:00:00Z", true),
    ("2025-04-02T08:00:00+02:00", "2025-04-02T08:00:00Z", false),
    ("2025-04", "2025-04-02T08:00:00", true), ("2025-04", "2025-05-02T08:00:00", false),
    ("2025", "2025-04", true), ("2025-04-02", "2025-04-03", false),
  ])
  func `files of a picture wait for each other if their times agree`(
    times: (String?, String?, Bool)
  ) throws {
    for (own, theirs) in [(times.0, times.1), (times.1, times.0)] {
      let (first, second) = (reservations.hold(), reservations.hold())
      #expect(reserves(first, picture(own)))
      #expect(reserves(second, picture(theirs)) != times.2)
      // Its own reservation is in nobody's way.
      #expect(reserves(first, picture(own)))
      // Nor is a file whose bytes have the same digest.
      let third = reservations.hold()
      #expect(reserves(third, .bytes(digest)))
      third.release(isKnown: true)
      first.release(isKnown: true)
      second.release(isKnown: true)
    }
  }

  @Test func `a file is told of others with its picture`() throws {
    let holds = [reservations.hold(), reservations.hold()]
    let attempts = zip(holds, ["2025-04-02", "2025-04-03"]).map {
      $0.reserve(picture($1), as: .random())
    }
    let areAlone = attempts.map { if case .reserved(let isAlone) = $0 { isAlone } else { false } }
    #expect(areAlone == [true, false])
  }

  @Test
  func `after a failure the first that waits has its turn, then all, once the photo is known`()
    async throws
  {
    let (reservations, digest) = (self.reservations, self.digest)
    let first = reservations.hold()
    #expect(reserves(first, .bytes(digest)))
    let waiting = (0..<3).map { _ in reservations.hold() }
    let turns = AsyncStream.makeStream(of: Int.self)
    await withTaskGroup(of: Void.self) { group in
      for (number, hold) in waiting.enumerated() {
        group.addTask {
          await hold.wait(for: .bytes(digest), as: .random())
          turns.continuation.yield(number)
        }
      }
      first.release(isKnown: false)
      var iterator = turns.stream.makeAsyncIterator()
      guard let next = await iterator.next() else { return }
      #expect(reserves(waiting[next], .bytes(digest)))
      #expect(!reserves(reservations.hold(), .bytes(digest)))
      waiting[next].release(isKnown: true)
      var others: Set<Int> = [next]
      while others.count < 3, let other = await iterator.next() { others.insert(other) }
      #expect(others == [0, 1, 2])
    }
  }
}
