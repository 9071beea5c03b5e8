internal import BlobStorage
package import Foundation
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The files of a library's jobs: their list, and the files that are results of theirs. One service of a library
/// has them at a time.
package final class JobFiles: Sendable {
  private let layout: LibraryLayout
  private let disk: LocalBlobStore
  private let lock: Mutex<HeldLock?>
  private let hasWritten = Mutex(false)

  /// Takes them, until `release`.
  ///
  /// - Throws: `LeaflogError` with code `locked` when another service has them.
  package init(of library: Library) throws(LeaflogError) {
    (layout, disk) = (library.layout, library.disk)
    // The library's folder, because the files in it are replaced.
    guard let held = try translating({ try HeldLock(library.layout.root) }) else {
      throw LeaflogError(.locked, "Another server of this library has its jobs.")
    }
    lock = Mutex(held)
  }

  package func release() { lock.withLock { $0 = nil } }

  /// The list as it was written last; nil when there is none.
  package func list() -> Data? { FileManager.default.contents(atPath: layout.jobs.string) }

  /// Writes the list durably.
  package func write(list: Data) throws(LeaflogError) {
    try translating {
      try disk.createFolders()
      try disk.write(list, to: layout.jobs)
    }
    hasWritten.withLock { $0 = true }
  }

  /// Whether the list was removed since it was written, because it may have words that were forgotten for good.
  package var isForgotten: Bool {
    hasWritten.withLock { $0 } && !FileManager.default.fileExists(atPath: layout.jobs.string)
  }

  /// The path of a result's file.
  package func path(of name: String) -> String { layout.jobResults.appending(name).string }

  /// The path of a result's file that is to be written, in a folder that is there.
  package func newPath(of name: String) throws(LeaflogError) -> String {
    try translating {
      try disk.makeFolder(layout.jobResults.removingLastComponent())
      try disk.makeFolder(layout.jobResults)
    }
    return path(of: name)
  }

  /// The size of a result's file in bytes; nil when it is gone, as the folder may be emptied at any time.
  package func byteCount(of name: String) -> Int? {
    (try? FileStatus(FilePath(path(of: name))))?.byteCount
  }

  /// Lets nobody but its owner read a result's file.
  package func protect(_ name: String) { chmod(path(of: name), 0o600) }

  package func remove(_ name: String) { unlink(path(of: name)) }

  /// Removes the files of all results but these, and what an interrupted job has left.
  package func removeAll(but names: Set<String>) {
    for name in (try? disk.directoryNames(layout.jobResults)) ?? [] where !names.contains(name) {
      remove(name)
    }
  }
}
