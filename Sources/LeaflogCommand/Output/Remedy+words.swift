internal import Leaflog

extension Remedy {
  /// What somebody at the command line can do.
  var words: String {
    switch self {
    case .undoFirst(let change): "Undo that one first, with `leaflog undo \(change)`."
    }
  }
}
