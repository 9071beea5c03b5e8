/// The faces of a library, one for each kind of thing.
extension Library {
  /// All entries in order of time, with full-text search.
  public var timeline: Timeline { Timeline(library: self) }
  /// Plants, their records and what belongs to them.
  public var plants: LibraryPlants { LibraryPlants(library: self) }
  /// Photos: editing, moving, dating, and their pictures.
  public var photos: LibraryPhotos { LibraryPhotos(library: self) }
  /// Symptoms, daily logs, episodes, moods and tags; entries of any kind; a day at a glance.
  public var diary: LibraryDiary { LibraryDiary(library: self) }
  /// Recurring activities such as watering, and the days on which they were done.
  public var activities: LibraryActivities { LibraryActivities(library: self) }
  /// Quotes, the quote of a day, and favourites.
  public var quotes: LibraryQuotes { LibraryQuotes(library: self) }
  /// Counts and means of the diary, the doctor's report and the calendar.
  public var insights: LibraryInsights { LibraryInsights(library: self) }
  /// The files: their size, snapshots of the catalog, and resetting.
  public var store: LibraryStore { LibraryStore(library: self) }
  /// The changes that were made, with undo and redo.
  public var history: LibraryHistory { LibraryHistory(library: self) }
  /// The library's settings.
  public var settings: LibrarySettings { LibrarySettings(library: self) }
  /// Photos that are uploaded in pieces.
  public var uploads: LibraryUploads { LibraryUploads(library: self) }
  /// The answers to requests, for clients that send one again.
  package var requests: LibraryRequests { LibraryRequests(library: self) }
  /// The access tokens for using the library over the network.
  public var tokens: LibraryTokens { LibraryTokens(library: self) }
}
