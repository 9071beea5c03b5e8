import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Long work of each kind, on a copy of a prepared library.
private enum LongWork: String, CaseIterable, CustomTestStringConvertible {
  case photoImport, photoExport, recompression, thumbnailRepair, backup, restore, merge
  case verification, storeVerification, fullVerification, prune, move, repair
  case diaryImport, diaryExport, tableExport

  var testDescription: String { rawValue }
}

/// A library with photos and a diary, and what long work needs beside it. Each attempt has a copy.
private struct Stage: Sendable {
  private let base: LibraryFixture
  private let diary: String

  init() async throws {
    base = try LibraryFixture(policy: .exact)
    let photo = try Fixtures.data("Orientation/1.jpg")
    for number in 10..<30 {
      try base.folder.write(
        photo + Data(repeating: 0, count: number), to: "photos/fern/cam-202603011200\(number).jpg")
    }
    _ = try await base.run()
    for number in 0..<40 {
      _ = try base.library.diary.addSymptom(
        Symptom(name: "itch", severity: Severity(2)), notes: "number \(number)")
    }
    diary = base.folder.file("diary.json")
    _ = try DiaryExporter(base.library).writeJSON(into: .file(diary))
    _ = try Backup(base.library).run(BackupRequest(path: base.folder.file("backup"))) { _ in }
    try base.library.close()
  }

  func attempt(_ work: LongWork) async throws -> Attempt {
    let folder = try TemporaryFolder()
    for name in ["library", "backup", "photos", "diary.json"] {
      try FileManager.default.copyItem(atPath: base.folder.file(name), toPath: folder.file(name))
    }
    return try await Attempt(work, in: folder, ObjectPlace(.memory))
  }
}

/// Long work that can be done in parts, as its task is cancelled.
private struct Attempt: Sendable {
  /// The number of photos that are worked on at a time, where there are several.
  static let jobCount = 2

  let work: LongWork
  let folder: TemporaryFolder
  private let place: ObjectPlace
  private let plan: PrunePlan?

  private var path: String { folder.file("library") }

  private func open(_ name: String = "library") throws -> Library {
    try Library.open(at: folder.file(name), keys: place.keys)
  }

  init(_ work: LongWork, in folder: TemporaryFolder, _ place: ObjectPlace) async throws {
    (self.work, self.folder, self.place) = (work, folder, place)
    let path = folder.file("library")
    let library = try Library.open(at: path)
    defer { try? library.close() }
    var plan: PrunePlan?
    switch work {
    case .photoImport, .diaryImport:
      try library.store.reset(.everything, confirmedBy: library.name)
    case .prune:
      try library.photos.delete(.matching(TimelineQuery(kinds: [.photo])))
      var request = PruneRequest()
      (request.olderThan, request.grace) = (.zero, .zero)
      request.waived = Set(PruneGuard.allCases)
      plan = try Pruner(library).plan(request)
    case .merge:
      try FileManager.default.copyItem(atPath: path, toPath: folder.file("there"))
      let there = try Library.open(at: folder.file("there"))
      try library.photos.delete(.matching(TimelineQuery(kinds: [.photo])))
      for number in 0..<40 { _ = try there.plants.add(PlantDetails(name: "fern \(number)")) }
      try there.close()
    case .repair:
      for blob in folder.files(below: "library/blobs") {
        try FileManager.default.removeItem(atPath: folder.file("library/blobs/" + blob))
      }
    case .storeVerification: try library.close()
    default: break
    }
    self.plan = plan
    if work == .storeVerification {
      _ = try StoreMove(of: path, to: .objectStore(place.settings), keys: place.keys).run { _ in }
    }
  }

  /// Does the work in the caller's task.
  ///
  /// - Parameter onItem: called after items that the work reports, on its thread.
  /// - Returns: whether it was interrupted.
  func run(onItem: @escaping @Sendable () -> Void = {}) async throws -> Bool {
    switch work {
    case .restore:
      let backup = try open("backup")
      defer { try? backup.close() }
      return try await backup.work {
        try Restore($0, to: folder.file("restored")).run(copiesAll: true) { _ in }.isInterrupted
      }
    case .move:
      return try await Library.work {
        try StoreMove(of: path, to: .objectStore(place.settings), keys: place.keys).run { _ in }
          .isInterrupted
      }
    case .repair:
      return try await Library.work {
        try Repairer.run(
          at: path, from: RepairPlace.backup(OpenBackup(.folder(folder.file("backup"))))
        ) { _ in onItem() }.isInterrupted
      }
    default:
      let library = try open()
      defer { try? library.close() }
      return try await library.work { try await run(on: $0, onItem) }
    }
  }

  private func run(on library: Library, _ onItem: @escaping @Sendable () -> Void) async throws
    -> Bool
  {
    var verification = VerifyRequest()
    verification.readsEverything = work == .fullVerification
    switch work {
    case .photoImport:
      var request = ImportRequest(paths: [folder.file("photos")])
      request.jobCount = Self.jobCount
      return try await Importer(library).run(request) { _ in onItem() }.isInterrupted
    case .photoExport:
      let request = ExportRequest(.matching(TimelineQuery()), to: folder.file("out"))
      return try PhotoExporter(library).run(request) { _ in onItem() }.isInterrupted
    case .recompression:
      var request = RecompressRequest(policy: .lossless)
      request.minSaving = -100
      request.jobCount = Self.jobCount
      return try await Recompressor(library).run(request) { _ in onItem() }.isInterrupted
    case .thumbnailRepair:
      var request = ThumbnailRequest()
      request.jobCount = Self.jobCount
      return try await ThumbnailRepair(library).run(request) { _ in onItem() }
        .isInterrupted
    case .backup:
      let request = BackupRequest(path: folder.file("another"))
      return try Backup(library).run(request) { _ in }.isInterrupted
    case .merge:
      return try LibraryMerge(from: OpenBackup(.folder(folder.file("there"))), into: library).run()
        .isInterrupted
    case .verification, .storeVerification, .fullVerification:
      return try Verifier(library).run(verification) { _ in
        onItem()
      } report: {
        Issue.record("\($0.message)")
      }.isInterrupted
    case .prune:
      return try Pruner(library).run(#require(plan)) { _ in onItem() }.isInterrupted
    case .diaryImport:
      return try DiaryImporter(library).read(folder.file("diary.json")).isInterrupted
    case .diaryExport:
      return try DiaryExporter(library).writeJSON(into: .file(folder.file("out.json")))
        .isInterrupted
    case .tableExport:
      return try DiaryExporter(library).writeCSV(intoFolder: folder.file("tables")).isInterrupted
    case .restore, .move, .repair: preconditionFailure("it opens its libraries itself")
    }
  }

  /// The number of entries, of plants, and of stored and written files after the work. Fails if the library has damage.
  func state() throws -> [Int] {
    let name = work == .restore ? "restored" : "library"
    let library = try open(name)
    defer { try? library.close() }
    var full = VerifyRequest()
    full.readsEverything = true
    let verified = try Verifier(library).run(full) { Issue.record("\(work): \($0.message)") }
    #expect(verified.isComplete)
    let written = ["out", "tables", "another/blobs"].map { folder.files(below: $0).count }
    return [
      try library.timeline.page(limit: 1000).elements.count, try library.plants.all().count,
      verified.blobCount, FileManager.default.fileExists(atPath: folder.file("out.json")) ? 1 : 0,
    ] + written
  }

  /// Whether the library is whole, however much of the work is done.
  func checkWhole() throws {
    // Damage is what a repair begins with, and a restore that is not finished is no library.
    if work != .repair, work != .restore { _ = try state() }
  }
}

/// Cancelling long work.
@Suite struct LongWorkTests {
  private static let count =
    ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] == nil ? 4 : 100

  @Test(arguments: LongWork.allCases)
  private func `work in a cancelled task does nothing, and says so`(work: LongWork) async throws {
    let stage = try await Stage()
    let attempt = try await stage.attempt(work)
    let before = work == .restore || work == .repair ? [] : try attempt.state()
    let isInterrupted = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await attempt.run()
    }.value
    #expect(isInterrupted)
    if !before.isEmpty {
      let after = try attempt.state()
      #expect(after == before)
    }
  }

  @Test(arguments: [
    LongWork.photoImport, .photoExport, .thumbnailRepair, .repair,
  ]) private func `work ends after the items that it is at`(work: LongWork) async throws {
    let stage = try await Stage()
    let whole = try await stage.attempt(work)
    let all = Mutex(0)
    #expect(try await !whole.run { all.withLock { $0 += 1 } })
    let attempt = try await stage.attempt(work)
    let items = Mutex(0)
    let isInterrupted = try await Task {
      try await attempt.run {
        items.withLock { $0 += 1 }
        // Reports come from the work's own task.
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }.value
    #expect(isInterrupted)
    let isParallel = [LongWork.photoImport, .thumbnailRepair].contains(work)
    let done = items.withLock { $0 }
    // Photos of an import are reported when their batch is written.
    let most =
      work == .photoImport ? all.withLock { $0 } - 1 : isParallel ? 1 + Attempt.jobCount : 1
    #expect(done <= most, "\(done)")
    try attempt.checkWhole()
    #expect(try await !attempt.run())
    #expect(try attempt.state() == whole.state())
  }

  @Test(arguments: LongWork.allCases)
  private func `work that is cancelled at any moment is finished by doing it again`(
    work: LongWork
  ) async throws {
    let stage = try await Stage()
    let whole = try await stage.attempt(work)
    #expect(try await !whole.run())
    let expected = try whole.state()
    for number in 0..<Self.count {
      let attempt = try await stage.attempt(work)
      let task =
        number.isMultiple(of: 2)
        ? Task { try await attempt.run() } : Task { @MainActor in try await attempt.run() }
      let yieldCount = Int.random(in: 0..<5000)
      for _ in 0..<yieldCount { await Task.yield() }
      task.cancel()
      if try await task.value {
        try attempt.checkWhole()
        let isInterrupted = try await attempt.run()
        #expect(!isInterrupted, "after \(yieldCount)")
      }
      let state = try attempt.state()
      #expect(state == expected, "after \(yieldCount)")
    }
  }
}
