internal import Foundation
package import SystemPackage

/// The places at which disks are mounted, or would be: they tell where a disk is away.
package struct DiskPlaces: Sendable {
  /// Where something is mounted.
  private let mounted: Set<FilePath>
  /// Where `/etc/fstab` says that a disk is mounted (fstab(5)).
  private let listed: [FilePath]

  package init() {
    self.init(
      mounts: MountTable(),
      table: String(
        decoding: FileManager.default.contents(atPath: "/etc/fstab") ?? Data(), as: UTF8.self))
  }

  /// - Parameter table: the text of fstab.
  package init(mounts: MountTable, table: String) {
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
  /// Checks that a new library would not be made where a disk is away.
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
    if isNamed, let folder = disks.emptyFolder(for: path) {
      throw LeaflogError(
        .noLibrary,
        "There is no Leaflog library at \(path), and \(folder) is empty, as where a disk is not mounted.",
        remedy: .mountOrInit)
    }
  }
}
