internal import Leaflog

extension Remedy {
  /// The remedy for clients of the service; nil where only the library's owner can help.
  var wordsOfService: String? {
    switch self {
    case .undoFirst(let change): "Undo change \(change) first."
    case .listEntries: "GET /api/v1/timeline lists the ids of entries."
    case .listPlants: "GET /api/v1/plants lists all plants."
    case .listActivities: "GET /api/v1/activities lists all activities."
    case .listQuotes: "GET /api/v1/quotes lists all quotes."
    case .listEpisodes: "GET /api/v1/timeline?kind=episode lists all episodes."
    case .editEpisode: "PATCH /api/v1/entries/ID edits an episode that has ended."
    case .mergePlants: "Use POST /api/v1/plants/NAME/merge to merge them."
    case .allowOverlap: "Send “allowOverlap”: true to confirm."
    case .allowFuture: "Send “allowFuture”: true to confirm."
    case .listTokens: "GET /api/v1/tokens lists all tokens."
    case .addToken: nil
    case .setTimeZone:
      "Write the offset too, as in 2026-03-01T09:30+01:00, or set the zone with PATCH "
        + "/api/v1/settings."
    case .forcePruning, .repairOrForcePruning: "Use “force” to prune anyway."
    case .resolveFork, .backUpBeside, .chooseHead, .repairStore: nil
    case .attachLibrary, .promoteReplica, .endFollowing, .repair, .repairOrRestore, .nameLibrary,
      .createLibrary,
      .restoreElsewhere,
      .nameEmptyFolder,
      .restoreInstead,
      .replaceBackup, .restoreOrReplaceBackup, .repairFromBackup, .nameMoment:
      nil
    }
  }
}
