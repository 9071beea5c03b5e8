internal import DiaryModel
package import Leaflog
internal import TestSupport

/// What is done to a library, and what goes wrong.
package struct FaultJob: Sendable {
  package enum Command: String, Sendable {
    case `import`, recompress, prune
    /// For a while, beside others, with nothing going wrong by itself.
    case importers, pruners
  }

  package static let usage = """
    usage: FaultRunner import|recompress|prune|importers|pruners LIBRARY [--fault KIND@NUMBER]
      [--policy POLICY] [--move] [--normal] [--now MILLISECONDS] [--seconds NUMBER] [PATH]...
    """

  let command: Command
  package let library: String
  var fault: FaultPlan?
  package var policy = StoragePolicy.exact
  var isMove = false
  /// Whether SQLite is to be `synchronous=NORMAL`.
  var isNormal = false
  var now = Timestamp(milliseconds: 0)
  var seconds = 1.0
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
      case "--policy":
        guard let policy = rest.popFirst().flatMap(StoragePolicy.init) else { return nil }
        self.policy = policy
      case "--now":
        guard let time = rest.popFirst().flatMap({ Int64($0) }) else { return nil }
        now = Timestamp(milliseconds: time)
      case "--seconds":
        guard let seconds = rest.popFirst().flatMap(Double.init) else { return nil }
        self.seconds = seconds
      default: paths.append(word)
      }
    }
  }
}
