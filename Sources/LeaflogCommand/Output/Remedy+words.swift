internal import Leaflog

extension Remedy {
  /// The remedy for users of the command line.
  var words: String {
    switch self {
    case .undoFirst(let change): "Undo that one first, with `leaflog undo \(change)`."
    case .attachLibrary: "`leaflog attach` brings it to this machine."
    case .promoteReplica: "`leaflog promote` makes it the library."
    case .endFollowing: "End `leaflog follow`, and try again."
    case .repair: "`leaflog repair` makes it again."
    case .repairOrRestore:
      "Look into it: `leaflog repair` takes up snapshots, `leaflog restore` a backup."
    case .allowFuture: "--allow-future accepts it."
    case .allowOverlap: "--yes accepts it."
    case .mergePlants: "`leaflog plant edit --merge-into` makes one of two."
    case .listEntries: "`leaflog timeline` shows their ids."
    case .listPlants: "`leaflog plant list` shows those there are."
    case .listActivities: "`leaflog activity list` shows those there are."
    case .listQuotes: "`leaflog quote list --all` shows their ids."
    case .listEpisodes: "`leaflog episode list` shows those there are."
    case .addToken: "`leaflog token add NAME` adds one."
    case .listTokens: "`leaflog token list` shows those there are."
    case .editEpisode: "`leaflog episode edit` changes its end."
    case .nameLibrary: "Name the library's place with --library."
    case .restoreElsewhere: "Restore it to another place with --library."
    case .nameEmptyFolder: "Name an empty folder with --library."
    case .restoreInstead: "`leaflog restore` goes the other way."
    case .replaceBackup: "Back up to another place, or replace them with --yes."
    case .restoreOrReplaceBackup:
      "`leaflog restore` goes the other way; --yes replaces the backup's catalog."
    case .repairFromBackup: "`leaflog repair --from` the backup mends it."
    case .forcePruning: "--force prunes all the same."
    case .repairOrForcePruning: "`leaflog repair` brings them back; --force prunes all the same."
    }
  }
}

extension LeaflogError {
  /// The message and the remedy.
  var words: String { sentence(message, remedy) }
}

extension EditResult.Failure {
  var words: String { sentence(message, remedy) }
}

private func sentence(_ message: String, _ remedy: Remedy?) -> String {
  remedy.map { "\(message) \($0.words)" } ?? message
}
