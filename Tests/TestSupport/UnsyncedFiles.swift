internal import Foundation
internal import Glibc
internal import SystemPackage

/// The file system changes that a power cut may undo: bytes of unsynced files, and names in unsynced folders. This is
/// almost as strict as POSIX allows: syncing a file does not cover its name, and a renamed file can be lost if only its
/// old folder was synced. But no journaling file system leaves it under both names.
struct UnsyncedFiles {
  /// A name that was added, removed, or refers to another file now.
  private struct NameChange {
    let path: FilePath
    /// Another link to the file it referred to; nil if there was none.
    let former: FilePath?
    /// For the old name of a renamed file, the folder of its new one.
    var newFolder: FilePath?
  }

  private struct FileNumber: Hashable {
    let device: dev_t
    let inode: ino_t
  }

  private let limbo: FilePath
  private var names: [NameChange] = []
  /// Files written to since their last sync, and how much of them was synced.
  private var contents: [FileNumber: (file: CInt, syncedCount: off_t)] = [:]
  private var count = 0

  init(limbo: FilePath) { self.limbo = limbo }

  mutating func didAdd(_ path: FilePath) { names.append(NameChange(path: path, former: nil)) }

  mutating func didCreate(_ file: FileDescriptor) {
    contents[Self.number(file)] = (dup(file.rawValue), 0)
  }

  /// Notes a file that already has bytes and is opened for writing.
  mutating func didOpen(_ file: FileDescriptor) {
    guard contents[Self.number(file)] == nil else { return }
    var status = stat()
    fstat(file.rawValue, &status)
    contents[Self.number(file)] = (dup(file.rawValue), status.st_size)
  }

  /// Keeps the file alive, so that it can be brought back.
  mutating func willRemove(_ path: FilePath, newFolder: FilePath? = nil) {
    let kept = limbo.appending("\(getpid())-\(count)")
    count += 1
    let former = Self.link(path, kept) ? kept : nil
    names.append(NameChange(path: path, former: former, newFolder: newFolder))
  }

  /// Forgets the last changes, as their operation failed.
  mutating func forgetLast(_ count: Int) { names.removeLast(count) }

  mutating func didSync(_ file: FileDescriptor) {
    if let kept = contents.removeValue(forKey: Self.number(file)) { close(kept.file) }
  }

  mutating func didSync(directory: FilePath) {
    names.removeAll {
      $0.path.removingLastComponent() == directory || $0.newFolder == directory
    }
  }

  /// Reverts everything that was not synced.
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
