internal import Foundation

/// An in-memory file system that is soon full. It is unmounted with its last reference.
package final class SmallDisk: Sendable {
  package let path: String

  /// Mounting requires root, and more than that in most containers, so it is tried.
  package static let isPossible: Bool = {
    do {
      let folder = try TemporaryFolder()
      _ = try SmallDisk(at: folder.file("disk"), size: "1m")
      return true
    } catch { return false }
  }()

  /// `size` is in mount(8)'s format, such as `3m`.
  package init(at path: String, size: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let status = try Self.run("mount", "-t", "tmpfs", "-o", "size=" + size, "leaflog-test", path)
    if status != 0 { throw POSIXError(.EPERM) }
  }

  deinit { _ = try? Self.run("umount", path) }

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
