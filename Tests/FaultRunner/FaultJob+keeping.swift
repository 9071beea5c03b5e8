internal import BlobStorage
internal import DiaryModel
internal import Leaflog

/// Jobs with a whole library.
extension FaultJob {
  func backUp(_ library: Library, on bench: FaultBench) throws -> Bool {
    let summary = try Backup(library).run(BackupRequest(path: paths[0]), files: bench.files) { _ in
    }
    return summary.damageCount == 0
  }

  /// From a backup; as it was at `now`, where one is given.
  func restore(on bench: FaultBench) throws -> Bool {
    let backup = try Library.open(at: paths[0], for: .reading)
    defer { try? backup.close() }
    let moment = now.milliseconds == 0 ? nil : now
    let restore = try Restore(
      backup, to: library, at: moment, files: bench.files, probe: bench.probe)
    return try restore.run { _ in }.damageCount == 0
  }

  /// One that was cut short may have done all of it.
  func repair(on bench: FaultBench) throws -> Bool {
    guard CatalogRescue.isNeeded(at: library) else { return true }
    return try CatalogRescue(at: library, files: bench.files, probe: bench.probe).run()
      .losses.isEmpty
  }
}
