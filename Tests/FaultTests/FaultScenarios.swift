import BlobStorage
import DiaryModel
import FaultRunner
import Foundation
import Leaflog
import SystemPackage
import TestSupport

extension FaultScenario {
  static func fill(_ folder: TemporaryFolder) throws {
    // The first two look the same upright, and share their thumbnail.
    try folder.copy("Orientation/1.jpg", to: "photos/fern/1.jpg")
    try folder.copy("Orientation/6.jpg", to: "photos/fern/2.jpg")
    try folder.copy("Colour/srgb.jpg", to: "photos/ivy/3.jpg")
    try folder.copy("Colour/grey.jpg", to: "photos/ivy/4.jpg")
  }

  private static func makeLibrary(
    _ folder: TemporaryFolder, _ paths: [String], _ policy: StoragePolicy = .exact
  ) async throws -> Library {
    let library = try Library.create(at: folder.file("library"), .init(policy: policy))
    try await add(paths, of: folder, to: library)
    return library
  }

  static func add(
    _ paths: [String], of folder: TemporaryFolder, to library: Library
  ) async throws {
    let request = ImportRequest(paths: paths.map { folder.file("photos/" + $0) })
    _ = try await Importer(library).run(request) { _ in }
  }

  /// Two batches, with a photo that the library has already, and one that comes back from the trash.
  static func importing(_ policy: StoragePolicy) async throws -> FaultScenario {
    try await FaultScenario(
      "import, \(policy)", .import, ["--policy", policy.rawValue, "PHOTOS"]
    ) { folder in
      try fill(folder)
      try folder.copy("Colour/progressive.jpg", to: "photos/ivy/5.jpg")
      let library = try await makeLibrary(folder, ["fern/1.jpg", "ivy/5.jpg"], policy)
      let photos = try library.timeline.page(TimelineQuery(), limit: 2).elements
      try library.photos.delete(.photos([photos[0].id]))
      try library.close()
      return { _, _ in [] }
    }
  }

  static func creating() async throws -> FaultScenario {
    try await FaultScenario("create and import", .import, ["PHOTOS"]) { folder in
      try folder.copy("Orientation/1.jpg", to: "photos/fern/1.jpg")
      return { _, _ in [] }
    }
  }

  static func moving() async throws -> FaultScenario {
    try await FaultScenario("import --move", .import, ["--move", "PHOTOS"]) { folder in
      try fill(folder)
      try await makeLibrary(folder, ["fern/1.jpg"]).close()
      return { _, _ in [] }
    }
  }

  /// Changes to everything but photos, of which the library has some.
  static func editing() async throws -> FaultScenario {
    try await FaultScenario("edits", .edit, []) { folder in
      try fill(folder)
      try await makeLibrary(folder, ["fern/1.jpg"]).close()
      return { _, _ in [] }
    }
  }

  /// Several calls as one change, of which there is never a part.
  static func changing() async throws -> FaultScenario {
    try await FaultScenario("several calls as one change", .change, []) { folder in
      try fill(folder)
      try await makeLibrary(folder, ["fern/1.jpg"]).close()
      return { trial, isDone in
        let library = try Library.open(at: trial.library, for: .reading)
        defer { try? library.close() }
        let entries = try library.timeline.page(limit: 9).elements
        let made = [
          try library.plants.references().count { $0.name == "moss" },
          try library.activities.all().count, entries.count - 1,
          try library.history.page(limit: 9).changes.count { $0.origin == "spring" },
        ]
        let rounds = made[0]
        return (isDone ? rounds == 1 : rounds <= 1) && made == [rounds, rounds, 2 * rounds, rounds]
          ? [] : ["a part of the change: \(made)"]
      }
    }
  }

  static func recompressing(_ policy: StoragePolicy) async throws -> FaultScenario {
    try await FaultScenario(
      "recompress, \(policy)", .recompress, ["--policy", policy.rawValue]
    ) { folder in
      try fill(folder)
      try await makeLibrary(folder, ["fern", "ivy"]).close()
      return { _, _ in [] }
    }
  }

  /// Blobs to unlink, to move into the trash and to condemn, in one run.
  static func pruning() async throws -> FaultScenario {
    let start = Int64(Date().timeIntervalSince1970 * 1000) + 86_400_000
    let hour: Int64 = 3_600_000
    let last = start + 4 * hour
    return try await FaultScenario("prune", .prune, ["--now", "\(last)"]) { folder in
      try fill(folder)
      let library = try await makeLibrary(folder, ["fern", "ivy"])
      for round in 0..<3 {
        let photos = try library.timeline.page(TimelineQuery(), limit: 10).elements
        try library.photos.delete(.photos([photos[0].id]))
        guard round < 2 else { break }
        var request = PruneRequest()
        request.waived = Set(PruneGuard.allCases)
        (request.olderThan, request.grace) = (.zero, .seconds(3600))
        let now = Timestamp(milliseconds: start + Int64(round) * 2 * hour)
        _ = try Pruner(library).run(request, now: now)
      }
      let unknown = PendingBlob(hashing: SharedBytes(copying: Array("left behind".utf8)))
      try LocalBlobStore(root: FilePath(folder.file("library"))).put([unknown])
      try library.close()
      return { _, _ in [] }
    }
  }
}
