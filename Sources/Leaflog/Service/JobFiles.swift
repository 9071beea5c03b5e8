internal import BlobStorage
package import Foundation
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The files of a library's jobs: the list of jobs, and their result files. Only one service of a library has them
/// at a time.
package final class JobFiles: Sendable {
  private let layout: LibraryLayout
  private let disk: LocalBlobStore
  private let lock: Mutex<HeldLock?>
  private let hasWritten = Mutex(false)

  /// Acquires the files, until `release`.
  ///
  /// - Throws: `LeaflogError` with code `locked` when another service has them.
  package init(of library: Library) throws(LeaflogError) {
    (layout, disk) = (library.layout, library.disk)
    // Locks the library's folder, because the files in it are replaced.
    guard let held = try translating({ try HeldLock(library.layout.root) }) else {
      throw LeaflogError(.locked, "Another server of this library has its jobs.")
    }
    lock = Mutex(held)
  }

  package func release() { lock.withLock { $0 = nil } }

  /// The list as it was last written; nil when there is none.
  package func list() -> Data? { FileManager.default.contents(atPath: layout.jobs.string) }

  /// Writes the list durably.
  package func write(list: Data) throws(LeaflogError) {
    try translating {
      try disk.createFolders()
      try disk.write(list, to: layout.jobs)
    }
    hasWritten.withLock { $0 = true }
  }

  /// Whether the list was removed since it was written, because it may have contained data that was forgotten for good.
  package var isForgotten: Bool {
    hasWritten.withLock { $0 } && !FileManager.default.fileExists(atPath: layout.jobs.string)
  }

  /// The path of a result file.
  package func path(of name: String) -> String { layout.jobResults.appending(name).string }

  /// The path for a new result file; creates its folder if necessary.
  package func newPath(of name: String) throws(LeaflogError) -> String {
    try translating {
      try disk.makeFolder(layout.jobResults.removingLastComponent())
      try disk.makeFolder(layout.jobResults)
    }
    return path(of: name)
  }

  /// The size of a result file in bytes; nil when it is gone, as the folder may be emptied at any time.
  package func byteCount(of name: String) -> Int? {
    (try? FileStatus(FilePath(path(of: name))))?.byteCount
  }

  /// Makes a result file readable by its owner only.
  package func protect(_ name: String) { chmod(path(of: name), 0o600) }

  package func remove(_ name: String) { unlink(path(of: name)) }

  /// Removes all result files but these, including those that interrupted jobs have left.
  package func removeAll(but names: Set<String>) {
    for name in (try? disk.directoryNames(layout.jobResults)) ?? [] where !names.contains(name) {
      remove(name)
    }
  }
}
