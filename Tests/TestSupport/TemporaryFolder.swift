package import Foundation

/// A folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// `inMemory`: where the system has such a place, for tests that write much.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = parent + "/leaflog-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, making the folders it needs.
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

  /// All regular files below, as paths from here.
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
