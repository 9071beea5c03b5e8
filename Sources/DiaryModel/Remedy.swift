/// A remedy for an error. Each interface words it in its own way.
public enum Remedy: Sendable, Hashable {
  /// Undo another change first.
  case undoFirst(change: Int64)
  /// Attach the library that is in an object store.
  case attachLibrary
  /// Make this machine the one that writes the library of which it has a replica.
  case promoteReplica
  /// End the process that keeps a replica up to date.
  case endFollowing
  /// Make the catalog again from its snapshots and its journal.
  case repair
  /// Accept a time in the future.
  case allowFuture
  /// Accept an episode that shares days with others.
  case allowOverlap
  /// Make one plant of two.
  case mergePlants
  /// Look up the ids of entries.
  case listEntries
  /// Look up the names of plants.
  case listPlants
  /// Look up the names of activities.
  case listActivities
  /// Look up the ids of quotes.
  case listQuotes
  /// Look up the episodes.
  case listEpisodes
  /// Add an access token.
  case addToken
  /// Look up the names of access tokens.
  case listTokens
  /// Edit an episode that has ended instead.
  case editEpisode
  /// Repair the library, or restore it from a backup.
  case repairOrRestore
  /// Name the folder of the library.
  case nameLibrary
  /// Restore to another folder.
  case restoreElsewhere
  /// Name an empty folder.
  case nameEmptyFolder
  /// Restore the backup, where a backup was about to be made of the library.
  case restoreInstead
  /// Back up to another folder, or replace the changes in this one.
  case replaceBackup
  /// Restore the newer backup, or replace it.
  case restoreOrReplaceBackup
  /// Take from the backup what is damaged in the library.
  case repairFromBackup
  /// Prune all the same.
  case forcePruning
  /// Bring back what an older catalog does not know, or prune all the same.
  case repairOrForcePruning
}
