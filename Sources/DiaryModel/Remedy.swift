/// A remedy for an error. Each interface words it in its own way.
@nonexhaustive
public enum Remedy: Sendable, Hashable {
  /// Undo another change first.
  case undoFirst(change: Int64)
  /// Put the photos of an import that were not edited later into the trash, or undo another change first.
  case deleteUnedited(change: Int64, orUndo: Int64?)
  /// Attach the library that is in an object store.
  case attachLibrary
  /// Make this machine the writer of the library that it has a replica of.
  case promoteReplica
  /// Take the other side of a fork, keep this side as a library of its own, or bring this side's changes over.
  case resolveFork
  /// Back up this side of a fork beside the other.
  case backUpBeside
  /// Choose one of several lines of commits.
  case chooseHead
  /// Put the catalog into an object store that has lost it.
  case repairStore
  /// Stop the process that keeps a replica up to date.
  case endFollowing
  /// Rebuild the catalog from its snapshots and its journal.
  case repair
  /// Accept a time in the future.
  case allowFuture
  /// The time is right although it is long ago.
  case allowLate
  /// Accept an episode that overlaps others.
  case allowOverlap
  /// Merge two plants into one.
  case mergePlants
  /// Look up the ids of entries.
  case listEntries
  /// Look up the names of plants.
  case listPlants
  /// Look up the names of activities.
  case listActivities
  /// Look up the names of factors.
  case listFactors
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
  /// Mount the disk, or create a library all the same.
  case mountOrInit
  /// Mount the disk, or confirm that it has none.
  case mountOrConfirm
  /// Keep the library on a disk of this machine, or confirm that it may be elsewhere.
  case keepLocalOrConfirm
  /// Take the right to read the service's key from others, or keep it elsewhere.
  case hideKey
  /// Mount the disk with the backup, or make a new one.
  case mountOrNewBackup
  /// Create a library, or name the folder of another.
  case createLibrary
  /// Restore to another folder.
  case restoreElsewhere
  /// Name an empty folder.
  case nameEmptyFolder
  /// Restore the backup instead of backing up the library.
  case restoreInstead
  /// Back up to another folder, or replace the changes in this one.
  case replaceBackup
  /// Restore the newer backup, or replace it.
  case restoreOrReplaceBackup
  /// Repair the library from its backup.
  case repairFromBackup
  /// Name the time of the commit as well.
  case nameMoment
  /// Name the offset of a time, or set the library's time zone.
  case setTimeZone
  /// Waive a guard, and prune anyway.
  case waive(PruneGuard)
  /// Recover the photos that the older catalog lacks, or waive the guard.
  case repairOrWaive(PruneGuard)
  /// Take the other side of a fork, keep this side, bring this side's changes over, or waive the guard.
  case resolveForkOrWaive(PruneGuard)
}

/// A reason for which a prune removes nothing, unless it is waived.
@nonexhaustive
public enum PruneGuard: String, Sendable, Hashable, CaseIterable {
  /// The catalog has no photos, but the store has blobs.
  case emptyCatalog = "empty-catalog"
  /// The catalog is older than one that was here before.
  case olderCatalog = "older-catalog"
  /// More than half of the store's bytes would go that no change of this catalog has replaced.
  case halfStore = "half-store"
  /// The library has not been changed for a month, so the clock may be ahead.
  case clock
  /// Other lines of the library may need what is in the object store.
  case otherLines = "other-lines"

  /// Those about the state of this library, which say nothing of clocks and other lines.
  public static let ofLibrary: Set<PruneGuard> = [.emptyCatalog, .olderCatalog, .halfStore]
}
