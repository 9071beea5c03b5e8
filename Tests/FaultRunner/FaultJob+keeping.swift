internal import BlobStorage
internal import DiaryModel
internal import Leaflog

/// Jobs on a whole library.
extension FaultJob {
  func backUp(_ library: Library, on bench: FaultBench) throws -> Bool {
    let summary = try Backup(library).run(BackupRequest(path: paths[0]), files: bench.files) { _ in
    }
    return summary.damageCount == 0
  }

  /// Restores from a backup, to its state at `now` if that is set.
  func restore(on bench: FaultBench) throws -> Bool {
    let backup = try Library.open(at: paths[0], for: .reading)
    defer { try? backup.close() }
    let moment = now.milliseconds == 0 ? nil : now
    let restore = try Restore(
      backup, to: library, at: moment, files: bench.files, probe: bench.probe)
    return try restore.run { _ in }.damageCount == 0
  }

  /// Brings the changes of a copy over, since another.
  func bringOver(to library: Library) throws -> Bool {
    let bringing = try LibraryMerge(
      from: OpenBackup(.folder(paths[0])), into: library, since: OpenBackup(.folder(paths[1])))
    return try bringing.run().damageCount == 0
  }

  /// Repairs the catalog. An interrupted repair may have been complete already.
  func repair(on bench: FaultBench) throws -> Bool {
    guard CatalogRescue.isNeeded(at: library) else { return true }
    return try CatalogRescue(at: library, files: bench.files, probe: bench.probe).run()
      .losses.isEmpty
  }
}
