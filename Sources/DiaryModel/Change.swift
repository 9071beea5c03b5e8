/// A kind of change, whoever asks for it.
public enum ChangeKind: String, Sendable, CaseIterable {
  case importPhotos
  case photoEdit, photoMove, photoRedate, photoDelete, photoRestore
  case photoFavourite, photoUnfavourite
  case tagAdd, tagRemove, tagRename
  case plantAdd, plantEdit, plantRename, plantDelete, plantRestore
  case symptomAdd, symptomEdit, symptomDelete, symptomRestore
  case logSet, logDelete, logRestore
  case episodeStart, episodeEnd, episodeAdd, episodeEdit, episodeDelete, episodeRestore
  case moodSet, moodDelete, moodRestore
  case quoteAdd, quoteFavourite, quoteUnfavourite
  case activityAdd, activityEdit, activityDelete, activityReorder, activityDone, activityNotDone
  case importDiary
  case recompress
  case settings
}

/// What one command or request did, however many commits it took.
public struct Change: Sendable, Hashable, Identifiable {
  /// Counts changes from 1.
  public let id: Int64
  public let kind: ChangeKind
  /// What was typed; nil when another program changed it.
  public let origin: String?
  public let madeAt: Timestamp
  public let isUndone: Bool
  /// What it did, a line for each thing it did something to.
  public let counts: [ChangeCount]

  package init(
    id: Int64, kind: ChangeKind, origin: String?, madeAt: Timestamp, isUndone: Bool,
    counts: [ChangeCount]
  ) {
    self.id = id
    self.kind = kind
    self.origin = origin
    self.madeAt = madeAt
    self.isUndone = isUndone
    self.counts = counts
  }
}

/// How many things of one kind a change did something to.
public struct ChangeCount: Sendable, Hashable {
  /// What can be changed.
  public enum Thing: String, Sendable, CaseIterable {
    case photo, symptom, dailyLog, episode, mood, quote, completion
    case plant, activity, setting
  }

  public let thing: Thing
  /// Made, or taken out of the trash.
  public let added: Int
  public let changed: Int
  /// Removed, or put into the trash.
  public let deleted: Int

  package init(thing: Thing, added: Int, changed: Int, deleted: Int) {
    self.thing = thing
    self.added = added
    self.changed = changed
    self.deleted = deleted
  }
}

/// A page of the history, the newest change first.
public struct History: Sendable, Hashable {
  public let changes: [Change]
  /// Whether there are older ones.
  public let hasMore: Bool
  /// Whether older ones than all of these were dropped, and cannot be undone any more.
  public let isCut: Bool

  package init(changes: [Change], hasMore: Bool, isCut: Bool) {
    self.changes = changes
    self.hasMore = hasMore
    self.isCut = isCut
  }
}

extension EntryKind {
  /// What putting entries of this kind into the trash is called.
  public var deletion: ChangeKind {
    switch self {
    case .photo: .photoDelete
    case .symptom: .symptomDelete
    case .dailyLog: .logDelete
    case .episode: .episodeDelete
    case .mood: .moodDelete
    case .quote: .quoteUnfavourite
    case .completion: .activityNotDone
    }
  }

  /// What taking entries of this kind out of the trash is called.
  public var restoration: ChangeKind {
    switch self {
    case .photo: .photoRestore
    case .symptom: .symptomRestore
    case .dailyLog: .logRestore
    case .episode: .episodeRestore
    case .mood: .moodRestore
    case .quote: .quoteFavourite
    case .completion: .activityDone
    }
  }
}

/// What a change is to make of one entry; what is nil stays as it is.
package struct EntryEdit {
  package let id: EntryID
  /// A new time, and where it is known from.
  package var time: (EntryTime, CaptureSource)?
  /// New notes; empty ones are none.
  package var notes: String?
  /// Makes the tags from those there are, in the transaction.
  package var tags: (([String]) -> [String])?
  /// Among the favourites, or no longer.
  package var isFavourite: Bool?
  /// A new plant, or none.
  package var plant: PlantID??
  /// Makes what its kind has from what it had: called in the transaction, so that two who change
  /// different fields at once both get their way.
  package var content: ((EntryContent) throws -> EntryContent)?
  /// Into the trash, or out of it.
  package var isDeleted: Bool?

  package init(_ id: EntryID, isDeleted: Bool? = nil) {
    self.id = id
    self.isDeleted = isDeleted
  }
}

/// Which photos something is to be done to.
public enum PhotoSelection: Sendable, Hashable {
  /// These, in this order.
  case photos([EntryID])
  /// Those that a timeline would show; kinds other than photos are left out.
  case matching(TimelineQuery)
}

/// What was done to some entries.
public struct EditResult: Sendable, Hashable {
  /// An entry for which it could not be done, and why.
  public struct Failure: Sendable, Hashable {
    /// As it is.
    public let entry: Entry
    /// What is in the way.
    public let message: String

    package init(entry: Entry, message: String) {
      self.entry = entry
      self.message = message
    }
  }

  /// The entries that changed, as they are now.
  public let changed: [Entry]
  /// How many were so already.
  public let unchangedCount: Int
  /// Those that stay as they are because it could not be done.
  public let failures: [Failure]

  package init(changed: [Entry], unchangedCount: Int = 0, failures: [Failure] = []) {
    self.changed = changed
    self.unchangedCount = unchangedCount
    self.failures = failures
  }
}
