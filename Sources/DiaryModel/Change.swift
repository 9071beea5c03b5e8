/// A kind of change that can be taken back.
public enum ChangeKind: String, Sendable, CaseIterable {
  case photoEdit = "photo edit"
  case photoMove = "photo move"
  case photoRedate = "photo redate"
  case photoDelete = "photo delete"
  case photoRestore = "photo restore"
  case photoFavourite = "photo favourite"
  case photoUnfavourite = "photo unfavourite"
  case tagAdd = "tag add"
  case tagRemove = "tag remove"
  case tagRename = "tag rename"
  case plantEdit = "plant edit"
  case plantRename = "plant rename"
  case plantDelete = "plant delete"
  case plantRestore = "plant restore"
  case symptomAdd = "symptom add"
  case symptomEdit = "symptom edit"
  case symptomDelete = "symptom delete"
  case symptomRestore = "symptom restore"
  case logSet = "log set"
  case logDelete = "log delete"
  case logRestore = "log restore"
  case episodeStart = "episode start"
  case episodeEnd = "episode end"
  case episodeAdd = "episode add"
  case episodeEdit = "episode edit"
  case episodeDelete = "episode delete"
  case episodeRestore = "episode restore"
  case moodSet = "mood set"
  case moodDelete = "mood delete"
  case moodRestore = "mood restore"
  case quoteAdd = "quote add"
  case quoteFavourite = "quote favourite"
  case quoteUnfavourite = "quote unfavourite"
  case activityAdd = "activity add"
  case activityEdit = "activity edit"
  case activityDelete = "activity delete"
  case activityReorder = "activity reorder"
  case activityDone = "activity done"
  case activityUndo = "activity undo"
  case importDiary = "import-diary"
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
    case .completion: .activityUndo
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
