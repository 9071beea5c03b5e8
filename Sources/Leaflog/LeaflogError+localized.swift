public import Foundation

/// Errors as user interfaces show them: by `localizedDescription`, which has one sentence, and `recoverySuggestion`.
extension LeaflogError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }

  /// The remedy in a sentence, if there is one that is not in the message.
  public var recoverySuggestion: String? { remedy?.suggestion }
}

extension InvalidValue: LocalizedError {
  /// One sentence that names the field in plain words.
  public var errorDescription: String? { description }
}

extension Remedy {
  /// A sentence that says what to do, for programs that use the library. The command and the service have sentences of
  /// their own, which name commands and requests.
  public var suggestion: String {
    switch self {
    case .undoFirst(let change): "Undo change \(change) first."
    case .deleteUnedited(let change, let later):
      (later.map { "Undo change \($0) first, or put" } ?? "Put")
        + " the photos of change \(change) that were not edited later into the trash."
    case .attachLibrary: "Attach the library that is in the object store."
    case .promoteReplica: "Promote the replica, so that it becomes the library."
    case .resolveFork:
      "Attach the store’s side into an empty folder, back up this side, or bring the changes of one side over to the other."
    case .backUpBeside: "Back up this side beside the other, or to another place."
    case .chooseHead: "Choose whose changes to follow, by the last commit of each line."
    case .repairStore: "Repair the library, which puts its catalog into the object store again."
    case .endFollowing: "Stop the process that keeps the replica up to date, and try again."
    case .repair: "Repair the library, which rebuilds its catalog from snapshots and the journal."
    case .allowFuture: "Confirm that the time is right although it is in the future."
    case .allowLate: "Confirm that the time is right although it is long ago."
    case .allowOverlap: "Confirm that the episode may overlap the others."
    case .mergePlants: "Merge the two plants into one."
    case .listEntries: "Look up the ids on the timeline."
    case .listPlants: "Look up the names of the plants."
    case .listActivities: "Look up the names of the activities."
    case .listFactors: "Look up the names of the factors."
    case .listQuotes: "Look up the ids of the quotes."
    case .listEpisodes: "Look up the episodes."
    case .addToken: "Add an access token."
    case .listTokens: "Look up the names of the access tokens."
    case .editEpisode: "Edit the episode, which has ended, instead."
    case .repairOrRestore: "Repair the library, or restore it from a backup."
    case .nameLibrary: "Name the folder of the library."
    case .mountOrInit: "Mount the disk, or create a library there all the same."
    case .mountOrConfirm: "Mount the disk, or confirm that there is none."
    case .keepLocalOrConfirm:
      "Keep the library on a disk of this machine, or confirm that it may be elsewhere."
    case .hideKey: "Take the right to read the key from others, or keep it in another place."
    case .mountOrNewBackup: "Mount the disk with the backup, or make a new backup there."
    case .createLibrary: "Create a library, or name the folder of another."
    case .restoreElsewhere: "Restore the backup to another folder."
    case .nameEmptyFolder: "Name an empty folder."
    case .restoreInstead: "Restore the backup instead of backing up the library."
    case .replaceBackup: "Back up to another folder, or replace the changes in this backup."
    case .restoreOrReplaceBackup: "Restore the newer backup, or replace it."
    case .repairFromBackup: "Repair the library from its backup."
    case .nameMoment: "Name the time of the commit as well."
    case .setTimeZone: "Give the time an offset, or set the time zone of the library."
    case .waive: "Waive this guard to prune anyway."
    case .repairOrWaive:
      "Repair the library, which recovers the photos, or waive this guard to prune anyway."
    case .resolveForkOrWaive:
      Remedy.resolveFork.suggestion + " Or waive this guard to prune anyway."
    }
  }
}
