internal import Leaflog

extension Remedy {
  /// The remedy for somebody who talks to the service; nil where only the library's keeper can help.
  var wordsOfService: String? {
    switch self {
    case .undoFirst(let change): "Undo change \(change) first."
    case .listEntries: "GET /api/v1/timeline shows the ids of entries."
    case .listPlants: "GET /api/v1/plants shows those there are."
    case .listActivities: "GET /api/v1/activities shows those there are."
    case .listQuotes, .listEpisodes, .editEpisode, .mergePlants, .allowFuture: nil
    case .repair, .repairOrRestore, .nameLibrary, .restoreElsewhere, .nameEmptyFolder,
      .restoreInstead,
      .replaceBackup, .restoreOrReplaceBackup, .repairFromBackup, .forcePruning,
      .repairOrForcePruning:
      nil
    }
  }
}
