internal import BlobStorage
internal import CFileSystem
internal import Foundation
internal import Glibc
package import SystemPackage

/// The places at which disks are mounted, or would be: they tell where a disk is away.
package struct DiskPlaces: Sendable {
  /// Where something is mounted.
  private let mounted: Set<FilePath>
  /// Where `/etc/fstab` says that a disk is mounted (fstab(5)).
  private let listed: [FilePath]
  private let mounts: MountTable

  package init() {
    self.init(
      mounts: MountTable(),
      table: String(
        decoding: FileManager.default.contents(atPath: "/etc/fstab") ?? Data(), as: UTF8.self))
  }

  /// - Parameter table: the text of fstab.
  package init(mounts: MountTable, table: String) {
    self.mounts = mounts
    mounted = Set(mounts.mounts.map { FilePath($0.place) })
    listed = table.split(separator: "\n").compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count > 2, !fields[0].hasPrefix("#"), fields[1].hasPrefix("/"),
        fields[1] != "/"
      else { return nil }
      return FilePath(MountTable.unescaped(fields[1])).lexicallyNormalized()
    }
  }

  /// The place at or above a path where fstab says that a disk is mounted, and none is.
  package func missingDisk(at path: FilePath) -> FilePath? {
    let path = path.resolvedAsFarAsThere
    // Where even the root is not known to be mounted, nothing is known of the others.
    if mounted.isEmpty { return nil }
    return listed.first { path.starts(with: $0) && !mounted.contains($0) }
  }

  /// The kind of network share on which a path is or would be.
  package func networkShare(at path: FilePath) -> String? {
    mounts.networkShare(at: path.resolvedAsFarAsThere)
  }

  /// The folder in which a path would be made, if it is empty and no disk is mounted there: that is how the place of a disk
  /// that is away looks.
  package func emptyFolder(for path: FilePath) -> FilePath? {
    var folder = path.resolvedAsFarAsThere
    while (try? FileStatus(folder)) == nil, folder.removeLastComponent() {}
    guard !mounted.isEmpty, !mounted.contains(folder), folder.lastComponent != nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.string)
    else { return nil }
    return names.isEmpty ? folder : nil
  }
}

extension FilePath {
  /// The absolute path, without symbolic links as far as it exists.
  package var resolvedAsFarAsThere: FilePath {
    var existing = FilePath(FileManager.default.currentDirectoryPath).pushing(self)
      .lexicallyNormalized()
    var missing: [FilePath.Component] = []
    while let last = existing.lastComponent {
      if let resolved = try? existing.resolved() {
        return missing.reversed().reduce(resolved) { $0.appending($1) }
      }
      missing.append(last)
      existing.removeLastComponent()
    }
    return self
  }
}

extension Library {
  /// The kind of network share that it is on, such as NFS; nil on a disk of this machine. SQLite's log of changes needs
  /// memory that all its users share, and locks, which such shares do not have reliably (https://www.sqlite.org/wal.html).
  package var networkShare: String? {
    var status = statfs()
    // The types of most disks, so that the table of mounts is not read for each command (statfs(2)).
    let isOfDisk =
      statfs(path, &status) == 0
      && [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010]
        .contains(Int(status.f_type))
    return isOfDisk ? nil : MountTable().networkShare(at: layout.root)
  }

  /// - Parameter report: called once in this process, with the first folder that its file system cannot sync.
  package static func whenFolderUnsynced(_ report: @escaping @Sendable (String) -> Void) {
    UnsyncedFolder.whenFound { report($0.string) }
  }

  /// Checks that a new library would not be made where a disk is away, or on a network share.
  ///
  /// - Parameter isNamed: whether the place was named as that of a library, rather than for a new one: then no library is made
  ///   in an empty folder at which no disk is mounted.
  /// - Throws: `LeaflogError` with code `noLibrary`.
  package static func checkPlaceOfNew(
    at path: String, isNamed: Bool
  ) throws(LeaflogError) {
    let (path, disks) = (FilePath(path), DiskPlaces())
    if let disk = disks.missingDisk(at: path) {
      throw LeaflogError(
        .noLibrary, "There is no Leaflog library at \(path): no disk is mounted at \(disk).",
        remedy: .mountOrConfirm)
    }
    if let share = disks.networkShare(at: path) {
      throw LeaflogError(
        .noLibrary,
        "There is no Leaflog library at \(path), which is on a network share (\(share)): databases break there.",
        remedy: .keepLocalOrConfirm)
    }
    if isNamed, let folder = disks.emptyFolder(for: path) {
      throw LeaflogError(
        .noLibrary,
        "There is no Leaflog library at \(path), and \(folder) is empty, as where a disk is not mounted.",
        remedy: .mountOrInit)
    }
  }
}
