internal import Foundation

/// An in-memory file system that is soon full. It is unmounted with its last reference.
package final class SmallDisk: Sendable {
  package let path: String
  /// The folder in which it is mounted, unless it was named.
  private let folder: TemporaryFolder?

  /// Mounting requires root, and more than that in most containers, so it is tried.
  package static let isPossible: Bool = {
    do {
      _ = try SmallDisk(size: "1m")
      return true
    } catch { return false }
  }()

  /// - Parameter size: in mount(8)'s format, such as `3m`.
  package convenience init(size: String) throws {
    let folder = try TemporaryFolder()
    try self.init(at: folder.file("disk"), size: size, in: folder)
  }

  /// - Parameter size: in mount(8)'s format, such as `3m`.
  package convenience init(at path: String, size: String) throws {
    try self.init(at: path, size: size, in: nil)
  }

  private init(at path: String, size: String, in folder: TemporaryFolder?) throws {
    (self.path, self.folder) = (path, folder)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let status = try Self.run("mount", "-t", "tmpfs", "-o", "size=" + size, "leaflog-test", path)
    if status != 0 { throw POSIXError(.EPERM) }
  }

  deinit {
    for place in [path + ".reading", path, path] { _ = try? Self.run("umount", "--lazy", place) }
  }

  /// Covers it with a mount of the same disk on which nothing can be written. The disk itself cannot be mounted anew for
  /// reading: a process that another test has just begun may have a file on it open for a moment.
  package func coverReadOnly() throws {
    try bind(to: path)
  }

  /// The path of another mount of the disk, on which nothing can be written.
  package func bindReadOnly() throws -> String {
    let place = path + ".reading"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try bind(to: place)
    return place
  }

  private func bind(to place: String) throws {
    guard try Self.run("mount", "--bind", path, place) == 0,
      try Self.run("mount", "-o", "remount,bind,ro", place) == 0
    else { throw POSIXError(.EPERM) }
  }

  /// Leaves so little room.
  package func fill(butFor byteCount: Int) throws {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw POSIXError(.EIO) }
    let free = Int(status.f_bavail) * Int(status.f_bsize)
    let filler = Data(repeating: 1, count: max(0, free - byteCount))
    try filler.write(to: URL(fileURLWithPath: path + "/filler"))
  }

  private static func run(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
