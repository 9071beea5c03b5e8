internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The part of a library that a reset deletes.
public enum ResetScope: String, Sendable, CaseIterable {
  /// Symptoms, logs, episodes, moods, quotes, activities and completions. Plants and photos stay.
  case diary
  /// The diary, plants and photos, with all their files. Settings stay.
  case everything
}

/// The things that a reset deletes, besides the user's own quotes and the trash.
public struct ResetPlan: Sendable, Hashable {
  /// The entries on the timeline, by kind.
  public let entries: [EntryKind: Int]
  /// Plants that are not deleted; 0 if the scope leaves them.
  public let plantCount: Int
  /// Activities that are not deleted.
  public let activityCount: Int
}

extension LibraryStore {
  /// The things that a reset would delete.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func resetPlan(_ scope: ResetScope) throws(LeaflogError) -> ResetPlan {
    let counts = try statistics()
    let isEverything = scope == .everything
    return ResetPlan(
      entries: counts.entryCounts.filter { isEverything || $0.key != .photo },
      plantCount: isEverything ? counts.plantCount : 0,
      activityCount: try library.activities.all(isCounting: false).count)
  }

  /// Deletes everything in a scope for good, including from snapshots. Only a backup can bring it back.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when `name` is not the library's, or when photos to
  ///   delete are in an object store.
  public func reset(_ scope: ResetScope, confirmedBy name: String) throws(LeaflogError) {
    guard name == library.name else {
      throw .invalid(
        "“\(shortened(name))” is not the library's name, “\(library.name)”. Nothing was done.")
    }
    if case .everything = scope, let objects = library.objects {
      throw .invalid(
        "The photos of this library are in \(objects.client.location.url). Delete the objects there, and the library's "
          + "folder here. Nothing was done.")
    }
    try translating {
      // Another copy of the library may still need what would be forgotten.
      try library.objects?.journal().refuseUnresolved()
      switch scope {
      case .diary: try catalog.reset(.diary) { try forgetFormerCatalogs() }
      case .everything:
        try catalog.reset(.everything) {
          // Blobs that an import has added since the rows were deleted stay: they were reported as safe.
          try forEachStoredBlob { if !$1 { try blobs.delete($0.id) } }
          var trashed: [BlobID] = []
          try disk.listTrash { trashed.append($0.id) }
          try disk.deleteFromTrash(trashed)
          try forgetFormerCatalogs()
          for folder in [layout.quarantine, layout.previews, layout.uploads] {
            try removeContents(of: folder)
          }
        }
      }
      try forgetJournal()
    }
  }

  /// Deletes some of what is in the trash for good, a plant with everything of it. The history goes as well, as it has
  /// the same words; the space, and what former files of the catalog still have, with the next prune.
  package func deleteForGood(
    entries: [EntryID], plants: [PlantID]
  ) throws(LeaflogError) {
    try translating {
      // Another copy of the library may still need what would be forgotten.
      try library.objects?.journal().refuseUnresolved()
      try catalog.purge(entries: entries, plants: plants)
    }
  }

  /// Removes forgotten data from all files that may still contain it: the catalog's own, its snapshots and
  /// the journal. A new snapshot replaces the others.
  func forgetForGood() throws {
    try catalog.compact()
    try forgetJournal()
    let kept = try snapshots().first?.path
    try forgetFormerCatalogs(but: kept.flatMap { FilePath($0).lastComponent?.string })
    try write { try $0.place.remove(.isForgetting) }
  }

  /// Restarts the journal after a snapshot without the forgotten data, and makes the next backup drop
  /// everything from before.
  private func forgetJournal() throws {
    try EraseMarker.set(in: catalog)
    try CatalogJournal(of: catalog).restart { try FrameFolder(layout, disk).removeAll() }
    if let journal = try library.objects?.journal(),
      let lineage = try catalog.read({ try $0.place.lineage })
    {
      try journal.forgetBefore(lineage)
    }
  }

  /// Removes snapshots, the catalogs and frames that a repair has set aside, and jobs with their files: all of them may
  /// contain the deleted data.
  private func forgetFormerCatalogs(but kept: String? = nil) throws {
    try removeContents(of: layout.snapshots) { $0 != kept }
    try disk.removeHistory(in: layout.quarantine)
    try removeContents(of: layout.jobResults)
    try disk.remove(layout.jobs)
  }

  private func removeContents(
    of folder: FilePath, where isMeant: (String) -> Bool = { _ in true }
  ) throws {
    for name in try disk.directoryNames(folder) ?? [] where isMeant(name) {
      try FileManager.default.removeItem(atPath: folder.appending(name).string)
    }
  }
}

extension LocalBlobStore {
  /// Removes everything in a quarantine but blobs: catalogs, snapshots and frames.
  func removeHistory(in quarantine: FilePath) throws {
    for name in try directoryNames(quarantine) ?? []
    where BlobID(hex: String(name.prefix(64))) == nil {
      try FileManager.default.removeItem(atPath: quarantine.appending(name).string)
    }
  }
}

/// The last time that data was erased for good: no copy from before is kept.
struct EraseMarker {
  let commit: Int
  let madeAt: Timestamp

  init(commit: Int, madeAt: Timestamp) { (self.commit, self.madeAt) = (commit, madeAt) }

  /// The marker in a catalog; nil when nothing has been erased yet.
  init?(of catalog: Catalog) throws {
    guard
      let parts = try catalog.read({ try $0.settings[.forgottenUpTo] })?
        .split(separator: " "), parts.count == 2,
      let commit = Int(parts[0]), let time = Int64(parts[1])
    else { return nil }
    self.init(commit: commit, madeAt: Timestamp(milliseconds: time))
  }

  /// Sets the marker after all commits that the catalog has seen.
  static func set(in catalog: Catalog) throws {
    let marker = try "\(catalog.generation()) \(catalog.clock().milliseconds)"
    try catalog.write { try $0.settings.set(.forgottenUpTo, marker) }
  }
}
