internal import DiaryModel
package import Leaflog
internal import TestSupport

/// A job on a library, and the fault to inject.
package struct FaultJob: Sendable {
  package enum Command: String, Sendable {
    case `import`, edit, change, recompress, prune, backup, restore, repair, bringOver
    /// Repeatedly, alongside others, without injected faults.
    case importers, pruners
  }

  package static let usage = """
    usage: FaultRunner COMMAND LIBRARY [--fault KIND@NUMBER] [--unreadable KIND@NUMBER]
      [--policy POLICY] [--move] [--normal] [--now MILLISECONDS] [--blobs NUMBER] [PATH]...
    """

  let command: Command
  package let library: String
  var fault: FaultPlan?
  var unreadable: UnreadablePlan?
  package var policy = StoragePolicy.exact
  var isMove = false
  /// Whether SQLite runs with `synchronous=NORMAL`.
  var isNormal = false
  var now = Timestamp(milliseconds: 0)
  /// The number of blobs that the pruners unlink before they end.
  var blobCount = 1
  var paths: [String] = []

  package init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    guard let name = rest.popFirst(), let command = Command(rawValue: name),
      let library = rest.popFirst()
    else { return nil }
    (self.command, self.library) = (command, library)
    while let word = rest.popFirst() {
      switch word {
      case "--move": isMove = true
      case "--normal": isNormal = true
      case "--fault":
        guard let plan = rest.popFirst().flatMap({ FaultPlan($0) }) else { return nil }
        fault = plan
      case "--unreadable":
        guard let plan = rest.popFirst().flatMap({ UnreadablePlan($0) }) else { return nil }
        unreadable = plan
      case "--policy":
        guard let policy = rest.popFirst().flatMap(StoragePolicy.init) else { return nil }
        self.policy = policy
      case "--now":
        guard let time = rest.popFirst().flatMap({ Int64($0) }) else { return nil }
        now = Timestamp(milliseconds: time)
      case "--blobs":
        guard let count = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        blobCount = count
      default: paths.append(word)
      }
    }
  }
}

/// A read, or a file, that the disk does not give.
struct UnreadablePlan: Sendable {
  /// Whether no read of the file succeeds, rather than one read.
  let isLasting: Bool
  /// Counted from 0; -1 to count only.
  let position: Int

  /// Parses a text such as `read@12` or `file@3`.
  init?(_ text: String) {
    let parts = text.split(separator: "@")
    guard parts.count == 2, ["read", "file"].contains(parts[0]), let position = Int(parts[1])
    else { return nil }
    (isLasting, self.position) = (parts[0] == "file", position)
  }
}
