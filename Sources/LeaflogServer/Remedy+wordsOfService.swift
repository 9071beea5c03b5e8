internal import Leaflog

extension Remedy {
  /// The remedy for clients of the service; nil where only the library's owner can help.
  var wordsOfService: String? {
    switch self {
    case .undoFirst(let change): "Undo change \(change) first."
    case .listEntries: "GET /api/v1/timeline shows the ids of entries."
    case .listPlants: "GET /api/v1/plants shows those there are."
    case .listActivities: "GET /api/v1/activities shows those there are."
    case .listQuotes: "GET /api/v1/quotes shows those there are."
    case .listEpisodes: "GET /api/v1/timeline?kind=episode shows those there are."
    case .editEpisode: "PATCH /api/v1/entries/ID edits an episode that has ended."
    case .mergePlants: "POST /api/v1/plants/NAME/merge makes one of two."
    case .allowOverlap: "Send “allowOverlap”: true if it is meant."
    case .allowFuture: "Send “allowFuture”: true if it is meant."
    case .listTokens: "GET /api/v1/tokens shows those there are."
    case .addToken: nil
    case .forcePruning, .repairOrForcePruning: "“force” prunes all the same."
    case .attachLibrary, .promoteReplica, .endFollowing, .repair, .repairOrRestore, .nameLibrary,
      .restoreElsewhere,
      .nameEmptyFolder,
      .restoreInstead,
      .replaceBackup, .restoreOrReplaceBackup, .repairFromBackup:
      nil
    }
  }
}
