internal import GRDB

/// The catalog's schema, as versions that lead on from each other.
///
/// The text of a version never changes once it has been released. Version 1 makes the tables. Each later one appends
/// tables, and columns that may be NULL and have no default: then changesets of earlier versions still fit, as a column
/// that they do not have is NULL (before SQLite 3.47, a session takes a new column of an old row for NULL whatever its
/// default is). It may add and drop indexes, too. One that does anything else ends the history. A catalog has the number of
/// its version in `state`.
///
/// The owner of a library brings its catalog up to date, by a commit whose frame names both versions
/// (`CatalogJournal.migrate`). Whoever applies that frame, as a restore, a repair or a replica does, runs the same texts;
/// until then it stays at its own version.
package struct Schema: Sendable {
  package struct Version: Sendable {
    /// SQL that leads from the version before to this one.
    package let text: String
    /// Whether changes that were made before it cannot be undone.
    package let endsHistory: Bool

    package init(_ text: String, endsHistory: Bool = false) {
      (self.text, self.endsHistory) = (text, endsHistory)
    }
  }

  /// The versions in order, the first of which has the number 1.
  package let versions: [Version]

  /// The schema of this program. Tests add versions to it.
  @TaskLocal package static var current = Schema([
    Version(
      [entries, photos, retiredKeys, kinds, history, totals, kindTriggers].joined(separator: "\n")),
    Version(
      [
        factors, senders, importIndexes, plantAliases, dayTotals, symptomTotals, otherCommits,
      ].joined(separator: "\n")),
  ])

  package init(_ versions: [Version]) { self.versions = versions }

  /// The number of the newest version.
  package var newest: Int { versions.count }

  /// The number of a database's version; 0 for an empty one.
  static func version(of database: Database) throws -> Int {
    do {
      let version = try Int.fetchOne(
        database.cachedStatement(sql: "SELECT version FROM state"))
      guard let version, version > 0 else { throw unknown }
      if version == 2 { try checkReleased(database) }
      return version
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let tables = try String.fetchSet(
        database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      if tables.isEmpty { return 0 }
      guard tables.contains("grdb_migrations") else { throw unknown }
      throw CatalogError(
        .tooOld,
        "A version of Leaflog from before the first release wrote this library. Export it with that version, and import "
          + "what it exported.")
    }
  }

  /// Checks that version 2 is the released one.
  private static func checkReleased(_ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'otherCommit')
          OR EXISTS (SELECT 1 FROM pragma_table_info('sentPhoto') WHERE name = 'claimedTime')
        """)
    guard try Bool.fetchOne(statement) == true else { return }
    throw CatalogError(
      .unreleased,
      "A version of Leaflog between two releases wrote this library: its tables are not those of version 2 of the schema. "
        + "Export it with that version, and import what it exported; or restore a backup from before that version."
    )
  }

  private static var unknown: CatalogError {
    CatalogError(
      .damaged, "The catalog does not say which version of the schema it has.", remedy: .repair)
  }

  /// Brings a database from its version to a later one, within a transaction.
  func migrate(_ database: Database, to version: Int) throws {
    let present = try Self.version(of: database)
    guard present < version, version <= newest else { return }
    for next in versions[present..<version] {
      try database.execute(sql: next.text)
      if next.endsHistory { try HistoryTable(database: database).removeAll() }
    }
    try database.execute(sql: "UPDATE state SET version = ?", arguments: [version])
    if present > 0 { try StateTable(database: database).makeAnew() }
  }

  /// The names of tables, indexes and triggers that a catalog has in another form than a new one of its version, or lacks,
  /// or has besides.
  static func differences(in database: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { Catalog.register(on: $0) }
    let new = try DatabaseQueue(configuration: configuration)
    let version = try version(of: database)
    let wanted = try new.write {
      try current.migrate($0, to: version)
      return try objects($0)
    }
    let found = try objects(database)
    return Set(wanted.keys).union(found.keys).filter { wanted[$0] != found[$0] }.sorted()
  }

  /// The texts of a schema by their names.
  private static func objects(_ database: Database) throws -> [String: String] {
    try Row.fetchAll(database, sql: "SELECT type || ' ' || name, sql FROM sqlite_schema").reduce(
      into: [:]
    ) { $0[$1[0]] = $1[1] as String? ?? "" }
  }

  /// Settings, plants, the columns common to all entries, and their search index. Times are milliseconds
  /// since 1970-01-01T00:00:00Z; days are `YYYY-MM-DD`; digests are 32 bytes.
  private static let entries = """
    CREATE TABLE setting (
      key TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- A deleted plant stays for its photos in the trash; its name can be used again.
    CREATE TABLE plant (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and with case folded: names are unique in this form.
      foldedName TEXT NOT NULL,
      scientificName TEXT,
      location TEXT,
      notes TEXT,
      createdAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX plantByName ON plant (foldedName) WHERE deletedAt IS NULL;

    CREATE VIRTUAL TABLE plantText USING fts5 (name, scientificName, location, notes,
      content = 'plant', content_rowid = 'id',
      tokenize = '\(SearchTokenizer.name)');
    CREATE TRIGGER plantTextOfNew AFTER INSERT ON plant BEGIN
      INSERT INTO plantText (rowid, name, scientificName, location, notes)
        VALUES (new.id, new.name, new.scientificName, new.location, new.notes);
    END;
    CREATE TRIGGER plantTextOfOld AFTER DELETE ON plant BEGIN
      INSERT INTO plantText (plantText, rowid, name, scientificName, location, notes)
        VALUES ('delete', old.id, old.name, old.scientificName, old.location, old.notes);
    END;
    CREATE TRIGGER plantTextOfChanged
    AFTER UPDATE OF name, scientificName, location, notes ON plant BEGIN
      INSERT INTO plantText (plantText, rowid, name, scientificName, location, notes)
        VALUES ('delete', old.id, old.name, old.scientificName, old.location, old.notes);
      INSERT INTO plantText (rowid, name, scientificName, location, notes)
        VALUES (new.id, new.name, new.scientificName, new.location, new.notes);
    END;

    CREATE TABLE entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      -- The tie-break between equal times. Not the primary key: SQLite would plan with the time alone.
      seq INTEGER NOT NULL,
      -- The table with the rest of the entry has a trigger that accepts only entries of its kind.
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      -- The moment. For a day alone, its midnight at the largest offset, so that it sorts first in its day.
      occurredAt INTEGER NOT NULL,
      -- Seconds east of UTC: recorded with the time, or the library's when timeBasis says so.
      utcOffset INTEGER NOT NULL CHECK (abs(utcOffset) <= 64800),
      timeBasis TEXT NOT NULL CHECK (timeBasis IN ('zoned', 'wall', 'instant', 'day')),
      -- Of a photo's date, only a month or a year may be known; NULL for anything more.
      datePrecision TEXT CHECK (datePrecision IS NULL
        OR (datePrecision IN ('month', 'year') AND timeBasis = 'day')),
      -- The day that the entry counts for, by which the timeline is sorted first.
      localDay TEXT NOT NULL CHECK (length(localDay) = 10),
      plantID INTEGER REFERENCES plant (id),
      notes TEXT,
      -- The words of the fields of its kind, for search.
      words TEXT,
      -- One per line, in order; NULL if there are none.
      tags TEXT CHECK (length(tags) > 0),
      -- All quotes on the timeline are favourites; photos are if they were marked.
      isFavourite INTEGER NOT NULL DEFAULT 0
        CHECK (isFavourite IN (0, 1) AND (kind <> 'quote' OR isFavourite = 1)),
      createdAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX entryByTime ON entry (localDay, occurredAt, seq) WHERE deletedAt IS NULL;
    CREATE INDEX entryByPlant ON entry (plantID, localDay, occurredAt, seq)
      WHERE deletedAt IS NULL AND plantID IS NOT NULL;
    CREATE INDEX entryByKind ON entry (kind, localDay, occurredAt, seq)
      WHERE deletedAt IS NULL;
    CREATE INDEX entryByDay ON entry (localDay, kind, plantID) WHERE deletedAt IS NULL;
    CREATE INDEX entryInTrash ON entry (localDay, occurredAt, seq) WHERE deletedAt IS NOT NULL;
    CREATE INDEX entryDayByPlant ON entry (plantID, deletedAt, kind, localDay)
      WHERE plantID IS NOT NULL;
    CREATE UNIQUE INDEX entryOnceADay ON entry (kind, localDay)
      WHERE deletedAt IS NULL AND kind IN ('dailyLog', 'mood');
    CREATE INDEX favouriteEntry ON entry (localDay, occurredAt, seq)
      WHERE isFavourite = 1 AND deletedAt IS NULL;

    -- The tags of entries once more, in the order in which a timeline of one tag is read.
    CREATE TABLE entryTag (
      -- Composed and with case folded.
      foldedTag TEXT NOT NULL,
      isDeleted INTEGER NOT NULL CHECK (isDeleted IN (0, 1)),
      localDay TEXT NOT NULL,
      occurredAt INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      tag TEXT NOT NULL CHECK (length(tag) > 0),
      PRIMARY KEY (foldedTag, isDeleted, localDay, occurredAt, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX entryTagByEntry ON entryTag (entryID, foldedTag);
    CREATE TRIGGER entryTagPlace AFTER UPDATE OF localDay, occurredAt, deletedAt ON entry
    WHEN new.tags IS NOT NULL BEGIN
      UPDATE entryTag SET localDay = new.localDay, occurredAt = new.occurredAt,
        isDeleted = new.deletedAt IS NOT NULL WHERE entryID = new.id;
    END;

    -- The entries in the search index: those with words. FTS5 compares the index with them.
    CREATE VIEW entryWords AS SELECT id, notes, words, tags FROM entry
      WHERE coalesce(notes, words, tags) IS NOT NULL;
    -- The tokenizer folds case and diacritics; symbols are words too: emoji can be found.
    CREATE VIRTUAL TABLE entryText USING fts5 (notes, words, tags, content = 'entryWords',
      content_rowid = 'id', tokenize = '\(SearchTokenizer.name)');
    CREATE TRIGGER entryTextOfNew AFTER INSERT ON entry
    WHEN coalesce(new.notes, new.words, new.tags) IS NOT NULL BEGIN
      INSERT INTO entryText (rowid, notes, words, tags)
        VALUES (new.id, new.notes, new.words, new.tags);
    END;
    CREATE TRIGGER entryTextOfOld AFTER DELETE ON entry
    WHEN coalesce(old.notes, old.words, old.tags) IS NOT NULL BEGIN
      INSERT INTO entryText (entryText, rowid, notes, words, tags)
        VALUES ('delete', old.id, old.notes, old.words, old.tags);
    END;
    CREATE TRIGGER entryTextOfChanged AFTER UPDATE OF notes, words, tags ON entry
    WHEN old.notes IS NOT new.notes OR old.words IS NOT new.words OR old.tags IS NOT new.tags BEGIN
      INSERT INTO entryText (entryText, rowid, notes, words, tags)
        SELECT 'delete', old.id, old.notes, old.words, old.tags
        WHERE coalesce(old.notes, old.words, old.tags) IS NOT NULL;
      INSERT INTO entryText (rowid, notes, words, tags)
        SELECT new.id, new.notes, new.words, new.tags
        WHERE coalesce(new.notes, new.words, new.tags) IS NOT NULL;
    END;
    """
}

extension Schema {
  /// The further names of plants in the folders of photos.
  static let plantAliases = """
    CREATE TABLE plantAlias (
      -- Composed and with case folded.
      foldedName TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- While this plant is in the trash, the alias does not count.
      plantID INTEGER NOT NULL REFERENCES plant (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plantAliasByPlant ON plantAlias (plantID);
    """

  /// The commits that are no steps of changes. This table is in no changeset.
  static let otherCommits = """
    -- Commits that undid or redid a change, and those that touched nothing that anybody sees.
    CREATE TABLE otherCommit (
      -- The commit.
      id INTEGER PRIMARY KEY,
      -- The change that was undone or redone; NULL if nothing was touched.
      changeID INTEGER REFERENCES change (id) ON DELETE CASCADE,
      isUndo INTEGER NOT NULL CHECK (isUndo IN (0, 1)),
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT;
    CREATE INDEX otherCommitByChange ON otherCommit (changeID) WHERE changeID IS NOT NULL;
    """

  /// The changes, and how to undo them. These tables are in no changeset.
  static let history = """
    -- The history: a row for each change, which is everything that one command or request did.
    CREATE TABLE change (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      -- The command as typed; NULL for a change by other means.
      origin TEXT,
      -- No two changes have the same.
      madeAt INTEGER NOT NULL,
      -- How many things it added, changed and deleted, as JSON.
      counts TEXT NOT NULL,
      -- The commit that undid it.
      undoneBy INTEGER,
      -- The total size of its steps.
      byteCount INTEGER NOT NULL,
      -- SHA-256 of the table's name and of all other columns, as in each table that is in no changeset.
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT;
    CREATE INDEX changeByTime ON change (madeAt);
    CREATE INDEX undoneChange ON change (undoneBy) WHERE undoneBy IS NOT NULL;

    -- The changeset of each commit of a change.
    CREATE TABLE changeStep (
      -- The commit.
      id INTEGER PRIMARY KEY,
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      changeset BLOB NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT;
    CREATE INDEX changeStepByChange ON changeStep (changeID);

    -- The hashes of all frames that led here, and of those of replaced lines: the library's ancestors.
    CREATE TABLE head (
      hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
      -- Its commit.
      number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The newest commit's frame, which the next process appends to the journal if this one could not.
    CREATE TABLE newestFrame (
      id INTEGER PRIMARY KEY CHECK (id = 0),
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      -- NULL for a large one, which a snapshot replaces.
      bytes BLOB
    ) STRICT;

    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 0),
      -- The number of the schema's version.
      version INTEGER NOT NULL CHECK (version > 0),
      -- The sum of the digests of all rows that are in changesets, of the counters of their ids, and of all heads.
      sum BLOB NOT NULL CHECK (length(sum) = 32)
    ) STRICT;
    INSERT INTO state (id, version, sum) VALUES (0, 1, zeroblob(32));

    -- Notes about the place in which this catalog is.
    CREATE TABLE place (
      key TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT, WITHOUT ROWID;

    -- Requests that a client may send again without knowing whether they were carried out.
    CREATE TABLE answeredRequest (
      -- Of the SHA-256 of the client's key, the first half.
      key BLOB PRIMARY KEY NOT NULL CHECK (length(key) = 16),
      -- Of the SHA-256 of what was asked for, the first quarter.
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 8),
      -- The commit that carried it out.
      number INTEGER NOT NULL,
      -- Whether it is remembered without an end.
      isLasting INTEGER NOT NULL,
      -- NULL once the words of the answer are forgotten.
      answeredAt INTEGER,
      -- NULL until the answer is known, and after a day.
      answer BLOB,
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX answeredRequestByTime ON answeredRequest (answeredAt) WHERE answeredAt IS NOT NULL;
    """
}
