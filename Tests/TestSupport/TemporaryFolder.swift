package import Foundation
internal import Glibc

/// A folder that is deleted with its last reference.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// An in-memory file system with room for all tests; in a container it may be small.
  private static let memory: String? = {
    let path = "/dev/shm"
    var status = statvfs()
    guard FileManager.default.isWritableFile(atPath: path), statvfs(path, &status) == 0,
      UInt64(status.f_bavail) * UInt64(status.f_frsize) > 500_000_000
    else { return nil }
    return path
  }()

  /// `inMemory` uses memory if the system has a place for it. Otherwise, tests wait for the disk at each commit.
  package init(inMemory: Bool = true) throws {
    path = Self.unusedPath(inMemory: inMemory)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The path of a folder that does not exist yet.
  package static func unusedPath(inMemory: Bool = true) -> String {
    let parent = inMemory ? memory : nil
    return (parent ?? FileManager.default.temporaryDirectory.path)
      + "/leaflog-test-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and creates the folders it needs.
  @discardableResult
  package func write(_ data: Data, to name: String) throws -> String {
    let path = file(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Copies a fixture.
  @discardableResult
  package func copy(_ fixture: String, to name: String) throws -> String {
    try write(Fixtures.data(fixture), to: name)
  }

  /// All regular files in a folder and below, as paths relative to this one.
  package func files(below folder: String = "") -> [String] {
    let root = folder.isEmpty ? path : file(folder)
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: root + "/" + $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
