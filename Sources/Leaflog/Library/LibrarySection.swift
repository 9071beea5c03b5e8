internal import BlobStorage
internal import DiaryCatalog
internal import Foundation

/// The library and its sections, which read and write the catalog.
protocol CatalogUser: Sendable {
  var catalog: Catalog { get }
  /// The source of the present time.
  var clock: WallClock { get }
}

extension CatalogUser {
  /// Runs queries that all see the same state of the catalog.
  func read<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.read(body) }
  }

  /// Runs one transaction that is not a user's change, such as maintenance.
  func write<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.write(body) }
  }

  /// Runs one transaction that can be undone.
  ///
  /// - Parameter body: receives the moment of the change, which is unique to it.
  func change<Value>(
    _ kind: ChangeKind, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.change(kind, now: clock.now, body) }
  }
}

/// A section of a library: the operations on one kind of thing. It holds nothing but the library, so it costs
/// nothing to create.
protocol LibrarySection: CatalogUser {
  var library: Library { get }
}

extension LibrarySection {
  var catalog: Catalog { library.catalog }
  var blobs: any BlobStore { library.blobs }
  var disk: LocalBlobStore { library.disk }
  var layout: LibraryLayout { library.layout }
  var timeZone: TimeZone { library.timeZone }
  var clock: WallClock { library.clock }
  var now: RecordedTime { library.now }
  var today: LocalDay { library.today }
  var moment: Timestamp { library.clock.now }
}

extension LibrarySection {
  /// Edits entries in one change. Throws `unconfirmed` if a restored episode would share days with another.
  func apply(
    _ edits: some Collection<EntryEdit>, as kind: ChangeKind, failures: [EditResult.Failure] = [],
    confirmed: Set<Doubt.Confirmation> = []
  ) throws(LeaflogError) -> EditResult {
    let restored = edits.filter { $0.isDeleted == false }.map(\.id)
    let changed = try change(kind) { tables, now in
      if !restored.isEmpty {
        try confirmed.check(LibraryDiary.overlap(ofRestored: restored, tables).doubts)
      }
      return try tables.entries.apply(edits, now: now)
    }
    return EditResult(
      changed: changed, unchangedCount: edits.count - changed.count, failures: failures)
  }
}

/// The sections of a library, one for each kind of thing.
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
  /// Fields that the user adds to the daily log.
  public var factors: LibraryFactors { LibraryFactors(library: self) }
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
  package var uploads: LibraryUploads { LibraryUploads(library: self) }
  /// The answers to requests, for clients that send one again.
  package var requests: LibraryRequests { LibraryRequests(library: self) }
  /// The access tokens for using the library over the network.
  public var tokens: LibraryTokens { LibraryTokens(library: self) }
}
