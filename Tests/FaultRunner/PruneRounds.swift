internal import Foundation
internal import TestSupport

/// The number of times a library was pruned, for the processes that import into it meanwhile: one byte each time in a
/// file beside it, and another file at the end.
struct PruneRounds {
  private let folder: String

  init(_ library: String) { folder = (library as NSString).deletingLastPathComponent + "/rounds" }

  private var path: String { folder + "/pruned" }

  var count: Int { FileManager.default.contents(atPath: path)?.count ?? 0 }

  var isOver: Bool { FileManager.default.fileExists(atPath: folder + "/over") }

  /// Watches for rounds from now on.
  func probe() throws -> FolderProbe { try FolderProbe(folder) }

  func countOne() {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o666)
    precondition(write(file, "p", 1) == 1, "\(path) cannot be written")
    close(file)
  }

  func end() {
    let isMade = FileManager.default.createFile(atPath: folder + "/over", contents: nil)
    precondition(isMade, "\(folder) cannot be written")
  }
}
