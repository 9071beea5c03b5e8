internal import Foundation
internal import Glibc
internal import SystemPackage

/// The changes of a file system that a power cut may take away: bytes of files that were not synced,
/// and names in folders that were not. Almost as strict as POSIX lets it be: syncing a file says
/// nothing of its name, and a renamed file can be lost when only its old folder was synced. But no
/// journaling file system leaves it under both names.
struct UnsyncedFiles {
  /// A name that came, went, or means another file now.
  private struct NameChange {
    let path: FilePath
    /// Another link to the file that it meant; nil when there was none.
    let former: FilePath?
    /// For the old name of a renamed file, where its new one is.
    var newFolder: FilePath?
  }

  private struct FileNumber: Hashable {
    let device: dev_t
    let inode: ino_t
  }

  private let limbo: FilePath
  private var names: [NameChange] = []
  /// Files that were written to since they were synced, and how much of them was synced.
  private var contents: [FileNumber: (file: CInt, syncedCount: off_t)] = [:]
  private var count = 0

  init(limbo: FilePath) { self.limbo = limbo }

  mutating func didAdd(_ path: FilePath) { names.append(NameChange(path: path, former: nil)) }

  mutating func didCreate(_ file: FileDescriptor) {
    contents[Self.number(file)] = (dup(file.rawValue), 0)
  }

  /// One that has bytes already, to be written to.
  mutating func didOpen(_ file: FileDescriptor) {
    guard contents[Self.number(file)] == nil else { return }
    var status = stat()
    fstat(file.rawValue, &status)
    contents[Self.number(file)] = (dup(file.rawValue), status.st_size)
  }

  /// Keeps the file alive, to bring it back.
  mutating func willRemove(_ path: FilePath, newFolder: FilePath? = nil) {
    let kept = limbo.appending("\(getpid())-\(count)")
    count += 1
    let former = Self.link(path, kept) ? kept : nil
    names.append(NameChange(path: path, former: former, newFolder: newFolder))
  }

  /// For operations that failed.
  mutating func forgetLast(_ count: Int) { names.removeLast(count) }

  mutating func didSync(_ file: FileDescriptor) {
    if let kept = contents.removeValue(forKey: Self.number(file)) { close(kept.file) }
  }

  mutating func didSync(directory: FilePath) {
    names.removeAll {
      $0.path.removingLastComponent() == directory || $0.newFolder == directory
    }
  }

  /// Takes everything back that was not synced.
  func drop() {
    for (file, count) in contents.values { ftruncate(file, count) }
    for change in names.reversed() {
      // A folder whose name is lost takes its contents with it.
      try? FileManager.default.removeItem(atPath: change.path.string)
      if let former = change.former { _ = Self.link(former, change.path) }
    }
  }

  private static func number(_ file: FileDescriptor) -> FileNumber {
    var status = stat()
    fstat(file.rawValue, &status)
    return FileNumber(device: status.st_dev, inode: status.st_ino)
  }

  private static func link(_ path: FilePath, _ target: FilePath) -> Bool {
    path.withPlatformString { old in target.withPlatformString { Glibc.link(old, $0) } } == 0
  }
}
