internal import GRDB

/// The catalog's schema. The texts never change; a new version is a new migration.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { database in
      for text in [entries, photos, retiredKeys, kinds, history, totals, kindTriggers] {
        try database.execute(sql: text)
      }
    }
    return migrator
  }

  /// The names of tables, indexes and triggers that a catalog has in another form than a new one, or lacks, or has besides.
  static func differences(in database: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { Catalog.register(on: $0) }
    let new = try DatabaseQueue(configuration: configuration)
    try migrator.migrate(new)
    let (wanted, found) = try (new.read(objects), objects(database))
    return Set(wanted.keys).union(found.keys).filter { wanted[$0] != found[$0] }.sorted()
  }

  /// The texts of a schema by their names.
  private static func objects(_ database: Database) throws -> [String: String] {
    try Row.fetchAll(database, sql: "SELECT type || ' ' || name, sql FROM sqlite_schema").reduce(
      into: [:]
    ) { $0[$1[0]] = $1[1] as String? ?? "" }
  }

  /// The number of the version; frames of one version are never applied to another.
  static let version: UInt32 = 1

  /// Settings, plants, the columns common to all entries, and their search index. Times are milliseconds
  /// since 1970-01-01T00:00:00Z; days are `YYYY-MM-DD`; digests are 32 bytes.
  private static let entries = """
    CREATE TABLE setting (
      key TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- A deleted plant stays for its photos in the trash, and gives its name free.
    CREATE TABLE plant (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and with case folded: what makes a name unique.
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
      -- The table with the rest of the entry has a trigger that takes entries of its kind only.
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      -- The moment; of a day alone its beginning at the largest offset, so that it comes first in it.
      occurredAt INTEGER NOT NULL,
      -- Seconds east of UTC: recorded with the time, or the library's when timeBasis says so.
      utcOffset INTEGER NOT NULL CHECK (abs(utcOffset) <= 64800),
      timeBasis TEXT NOT NULL CHECK (timeBasis IN ('zoned', 'wall', 'instant', 'day')),
      -- Of a photo's date, only a month or a year may be known; NULL for anything more.
      datePrecision TEXT CHECK (datePrecision IS NULL
        OR (datePrecision IN ('month', 'year') AND timeBasis = 'day' AND kind = 'photo')),
      -- The day that the entry counts for, by which the timeline is sorted first.
      localDay TEXT NOT NULL CHECK (length(localDay) = 10),
      plantID INTEGER REFERENCES plant (id),
      notes TEXT,
      -- What its kind says in words, for search.
      words TEXT,
      -- A line each, in their order; NULL without any.
      tags TEXT CHECK (length(tags) > 0),
      -- Quotes on the timeline are favourites, of photos those that were marked.
      isFavourite INTEGER NOT NULL DEFAULT 0
        CHECK (isFavourite IN (0, 1) AND (kind = 'photo' OR isFavourite = (kind = 'quote'))),
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
