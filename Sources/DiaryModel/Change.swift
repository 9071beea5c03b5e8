/// The kind of a change, independent of the interface that made it.
@nonexhaustive
public enum ChangeKind: String, Sendable, CaseIterable {
  /// Photos imported, or restored from the trash by an import.
  case importPhotos
  /// The time, notes, tags, plant or favourite mark of photos edited.
  case photoEdit
  /// Photos moved to another plant, or to none.
  case photoMove
  /// The times of photos corrected.
  case photoRedate
  /// Photos moved to the trash.
  case photoDelete
  /// Photos restored from the trash.
  case photoRestore
  /// Photos marked as favourites.
  case photoFavourite
  /// The mark as a favourite removed from photos.
  case photoUnfavourite
  /// Tags added to entries.
  case tagAdd
  /// Tags removed from entries.
  case tagRemove
  /// A tag renamed on all entries.
  case tagRename
  /// A plant added.
  case plantAdd
  /// The details of a plant edited, or a plant merged into another.
  case plantEdit
  /// A plant renamed; its former name became an alias.
  case plantRename
  /// A plant deleted, with its activities and entries.
  case plantDelete
  /// A plant restored, with the activities and entries deleted with it.
  case plantRestore
  /// A symptom added.
  case symptomAdd
  /// A symptom edited.
  case symptomEdit
  /// Symptoms moved to the trash.
  case symptomDelete
  /// Symptoms restored from the trash.
  case symptomRestore
  /// Fields of a day's log set.
  case logSet
  /// Daily logs moved to the trash.
  case logDelete
  /// Daily logs restored from the trash.
  case logRestore
  /// An ongoing episode added.
  case episodeStart
  /// The last day of an ongoing episode set.
  case episodeEnd
  /// An episode added.
  case episodeAdd
  /// An episode edited.
  case episodeEdit
  /// Episodes moved to the trash.
  case episodeDelete
  /// Episodes restored from the trash.
  case episodeRestore
  /// The mood of a day set.
  case moodSet
  /// Moods moved to the trash.
  case moodDelete
  /// Moods restored from the trash.
  case moodRestore
  /// A quote of the user's own added.
  case quoteAdd
  /// A quote of the user's own deleted; a favourite of it stays.
  case quoteDelete
  /// A quote added to the favourites.
  case quoteFavourite
  /// Favourite quotes moved to the trash.
  case quoteUnfavourite
  /// An activity added, with the days on which it was done before.
  case activityAdd
  /// The details or the plant of an activity edited.
  case activityEdit
  /// An activity deleted; its completions moved to the trash.
  case activityDelete
  /// The user-defined order of the activities changed.
  case activityReorder
  /// Completions of an activity added or restored, or its days in a month set.
  case activityDone
  /// Completions moved to the trash.
  case activityNotDone
  /// The notes or tags of a completion edited.
  case completionEdit
  /// A factor added to the daily log.
  case factorAdd
  /// The details of a factor edited.
  case factorEdit
  /// A factor deleted, with all of its values.
  case factorDelete
  /// The user-defined order of the factors changed.
  case factorReorder
  /// A diary imported from a file.
  case importDiary
  /// The changes of another copy of the library brought over.
  case bringOver
  /// Photos stored in another form.
  case recompress
  /// Thumbnails made again.
  case repairThumbnails
  /// Settings of the library changed.
  case settings
}

extension ChangeKind {
  /// The kind in plain words, as the history names a change that no command made: `photos edited`.
  package var words: String {
    switch self {
    case .importPhotos: "photos imported"
    case .photoEdit: "photos edited"
    case .photoMove: "photos moved"
    case .photoRedate: "photos redated"
    case .photoDelete: "photos deleted"
    case .photoRestore: "photos restored"
    case .photoFavourite: "photos added to favourites"
    case .photoUnfavourite: "photos removed from favourites"
    case .tagAdd: "tag added"
    case .tagRemove: "tag removed"
    case .tagRename: "tag renamed"
    case .plantAdd: "plant added"
    case .plantEdit: "plant edited"
    case .plantRename: "plant renamed"
    case .plantDelete: "plant deleted"
    case .plantRestore: "plant restored"
    case .symptomAdd: "symptom added"
    case .symptomEdit: "symptom edited"
    case .symptomDelete: "symptoms deleted"
    case .symptomRestore: "symptoms restored"
    case .logSet: "daily log filled in"
    case .logDelete: "daily logs deleted"
    case .logRestore: "daily logs restored"
    case .episodeStart: "episode started"
    case .episodeEnd: "episode ended"
    case .episodeAdd: "episode added"
    case .episodeEdit: "episode edited"
    case .episodeDelete: "episodes deleted"
    case .episodeRestore: "episodes restored"
    case .moodSet: "mood set"
    case .moodDelete: "moods deleted"
    case .moodRestore: "moods restored"
    case .quoteAdd: "quote added"
    case .quoteDelete: "quote deleted"
    case .quoteFavourite: "quote added to favourites"
    case .quoteUnfavourite: "quote removed from favourites"
    case .activityAdd: "activity added"
    case .activityEdit: "activity edited"
    case .activityDelete: "activity deleted"
    case .activityReorder: "activities reordered"
    case .activityDone: "activity done"
    case .activityNotDone: "activity not done"
    case .completionEdit: "completion edited"
    case .factorAdd: "factor added"
    case .factorEdit: "factor edited"
    case .factorDelete: "factor deleted"
    case .factorReorder: "factors reordered"
    case .importDiary: "diary imported"
    case .bringOver: "changes of another copy brought over"
    case .recompress: "photos recompressed"
    case .repairThumbnails: "thumbnails regenerated"
    case .settings: "settings changed"
    }
  }
}

/// The work of one command or request, in one commit or several.
public struct Change: Sendable, Hashable, Identifiable {
  /// The change's number, counted from 1.
  public let id: Int64
  /// The kind of the work, such as `photoEdit`.
  public let kind: ChangeKind
  /// The command line that made it; nil when another program did.
  public package(set) var origin: String?
  /// The time at which it was made.
  public let madeAt: Timestamp
  /// Whether it is undone now, and can be redone.
  public let isUndone: Bool
  /// How many rows it added, changed and deleted, per kind of thing.
  public let counts: [ChangeCount]
  /// The first of the things that it touched, settings and plants before entries. Empty where only the counts were read.
  public package(set) var things: [ChangedThing] = []
  /// The reason why it cannot be undone now, or redone if it is undone; nil when none is known.
  public package(set) var blocker: ChangeBlocker?

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

extension Change {
  /// How many things it touched besides those in `things`, which have all settings that somebody chose.
  public var furtherCount: Int {
    let counted = counts.filter { $0.thing != .setting }
      .reduce(0) { $0 + $1.added + $1.changed + $1.deleted }
    return max(0, counted - things.count { $0.thing != .setting })
  }
}

/// How many things of one kind a change added, changed and deleted.
public struct ChangeCount: Sendable, Hashable {
  /// A kind of thing that changes are counted by.
  @nonexhaustive
  public enum Thing: String, Sendable, CaseIterable {
    /// Entries on the timeline, by their `EntryKind`. Quotes also count those of the user's own.
    case photo, symptom, dailyLog, episode, mood, quote, completion
    /// Things that entries refer to, and settings of the library.
    case plant, activity, factor, setting
  }

  /// The kind that is counted.
  public let thing: Thing
  /// Created, or restored from the trash.
  public let added: Int
  /// Edited, and neither added nor deleted.
  public let changed: Int
  /// Removed, or moved to the trash.
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
  /// The changes of the page, the newest first.
  public package(set) var changes: [Change]
  /// Whether there are older changes.
  public let hasMore: Bool
  /// Whether changes older than these were dropped and can no longer be undone.
  public let isCut: Bool

  package init(changes: [Change], hasMore: Bool, isCut: Bool) {
    self.changes = changes
    self.hasMore = hasMore
    self.isCut = isCut
  }
}

extension EntryKind {
  /// The kind of change that moves entries of this kind to the trash.
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

  /// The kind of change that restores entries of this kind from the trash.
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

/// The edit of one entry; fields that are nil stay as they are.
package struct EntryEdit {
  package let id: EntryID
  /// A new time and its source.
  package var time: (EntryTime, CaptureSource)?
  /// Whether the clocks showed the new time of a photo twice, and it may be the other moment.
  package var isHourRepeated = false
  /// New notes; an empty string removes them.
  package var notes: String?
  /// Computes the new tags from the current ones, inside the transaction.
  package var tags: (([String]) -> [String])?
  /// Adds the entry to the favourites, or removes it from them.
  package var isFavourite: Bool?
  /// A new plant; `.some(nil)` removes the plant.
  package var plant: PlantID??
  /// Computes the new content from the current one. Called inside the transaction, so that concurrent
  /// edits of different fields both take effect.
  package var content: ((EntryContent) throws -> EntryContent)?
  /// Moves the entry to the trash, or restores it.
  package var isDeleted: Bool?

  package init(_ id: EntryID, isDeleted: Bool? = nil) {
    self.id = id
    self.isDeleted = isDeleted
  }
}

/// The photos that an operation applies to.
public enum PhotoSelection: Sendable, Hashable {
  /// The photos with these ids, in this order.
  case photos([EntryID])
  /// The photos among the entries that match a query.
  case matching(TimelineQuery)
}

/// The result of editing several entries.
public struct EditResult: Sendable, Hashable {
  /// An entry that could not be edited, and why.
  public struct Failure: Sendable, Hashable {
    /// The entry, unchanged.
    public let entry: Entry
    /// The reason, as a sentence.
    public let message: String
    /// A remedy, if there is one.
    public let remedy: Remedy?

    package init(entry: Entry, message: String, remedy: Remedy?) {
      self.entry = entry
      self.message = message
      self.remedy = remedy
    }
  }

  /// The entries that changed, as they are now.
  public let changed: [Entry]
  /// How many already had the requested values.
  public let unchangedCount: Int
  /// The entries that could not be edited; they are unchanged.
  public let failures: [Failure]

  package init(changed: [Entry], unchangedCount: Int = 0, failures: [Failure] = []) {
    self.changed = changed
    self.unchangedCount = unchangedCount
    self.failures = failures
  }
}

/// A state of a catalog, which no commit has changed as long as an equal mark is read.
package enum CommitMark: Hashable, Sendable {
  /// The header of the write-ahead log's index: it has the log's salts, its number of frames, and a checksum over them.
  case log(SIMD4<UInt64>, SIMD2<UInt64>)
  /// The number of commits, where there is no such log.
  case generation(Int)

  /// The numbers in it.
  package var words: [UInt64] {
    switch self {
    case .log(let first, let second): (0..<4).map { first[$0] } + (0..<2).map { second[$0] }
    case .generation(let number): [UInt64(truncatingIfNeeded: number)]
    }
  }
}
