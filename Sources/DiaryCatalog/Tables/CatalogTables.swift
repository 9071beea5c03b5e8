internal import DiaryModel
internal import GRDB

/// The tables of a catalog within one transaction, each with the owner that alone knows its columns.
///
/// Everything read through one value is from the same state of the catalog. A value must not be used
/// after its transaction.
package struct CatalogTables {
  let database: Database

  package var plants: PlantTable { PlantTable(database: database) }
  package var activities: ActivityTable { ActivityTable(database: database) }
  package var factors: FactorTable { FactorTable(database: database) }
  package var entries: EntryTable { EntryTable(database: database) }
  package var tags: TagTable { TagTable(database: database) }
  package var quotes: QuoteTable { QuoteTable(database: database) }
  package var settings: SettingTable { SettingTable(database: database) }
  package var place: PlaceTable { PlaceTable(database: database) }
  package var state: StateTable { StateTable(database: database) }
  package var history: HistoryTable { HistoryTable(database: database) }
  package var commits: CommitTable { CommitTable(database: database) }
  package var heads: HeadTable { HeadTable(database: database) }
  package var answeredRequests: AnsweredRequestTable { AnsweredRequestTable(database: database) }

  // The contents of entries, one table per kind.
  package var symptoms: SymptomTable { SymptomTable(database: database) }
  package var logs: DailyLogTable { DailyLogTable(database: database) }
  var factorValues: FactorValueTable { FactorValueTable(database: database) }
  package var episodes: EpisodeTable { EpisodeTable(database: database) }
  package var moods: MoodTable { MoodTable(database: database) }
  package var favourites: FavouriteQuoteTable { FavouriteQuoteTable(database: database) }
  package var completions: CompletionTable { CompletionTable(database: database) }
  package var photos: PhotoTable { PhotoTable(database: database) }

  // The store.
  package var sentPhotos: SentPhotoTable { SentPhotoTable(database: database) }
  package var sourceFiles: SourceFileTable { SourceFileTable(database: database) }
  package var renditions: RenditionTable { RenditionTable(database: database) }
  package var blobs: BlobTable { BlobTable(database: database) }
  package var totals: TotalTable { TotalTable(database: database) }
  package var trashedBlobs: TrashedBlobTable { TrashedBlobTable(database: database) }
  package var retiredKeys: RetiredKeyTable { RetiredKeyTable(database: database) }

  /// The entries in order of time.
  package var timeline: TimelinePages { TimelinePages(database: database) }
}

/// The owner of a table.
protocol CatalogTable {
  var database: Database { get }

  init(database: Database)
}

extension CatalogTable {
  /// The other tables, in the same transaction.
  var tables: CatalogTables { CatalogTables(database: database) }

  /// Whether the catalog has a table. A catalog that is read as it was left may be from before the table was added to the
  /// schema; then it is read as an empty one.
  func isInCatalog(_ table: String) throws -> Bool { try database.tableExists(table) }
}

extension RawRepresentable where RawValue == String {
  /// The value whose name is in a column.
  ///
  /// - Throws: `CatalogError` with code `damaged` for a name that this version does not know.
  init(stored text: String) throws {
    guard let value = Self(rawValue: text) else {
      throw CatalogError(.damaged, "The catalog has “\(text)” where that makes no sense.")
    }
    self = value
  }
}

extension LocalDay {
  /// The day in a column, as `2026-11-21`.
  ///
  /// - Throws: `CatalogError` with code `damaged` for anything else.
  init(stored text: String) throws {
    guard let day = LocalDay(text) else {
      throw CatalogError(.damaged, "The catalog has “\(text)” where a day has to be.")
    }
    self = day
  }
}

extension Timestamp {
  /// The moment in a column, in milliseconds since 1970.
  init?(stored milliseconds: Int64?) {
    guard let milliseconds else { return nil }
    self.init(milliseconds: milliseconds)
  }
}
