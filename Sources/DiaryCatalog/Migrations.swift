internal import GRDB

/// The catalog's schema, one frozen SQL text a version. A migration that has shipped never changes.
enum Migrations {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1: photos") { try $0.execute(sql: v1) }
    migrator.registerMigration("v2: changes and search") { try $0.execute(sql: v2) }
    migrator.registerMigration("v3: keeping the store") { try $0.execute(sql: v3) }
    migrator.registerMigration("v4: the rest of the diary") { try $0.execute(sql: v4) }
    return migrator
  }

  /// Times are milliseconds since 1970-01-01T00:00:00Z; days are `YYYY-MM-DD`; digests are 32 bytes.
  private static let v1 = """
    CREATE TABLE setting (
      key TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE plant (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and without case: what makes a name unique.
      foldedName TEXT NOT NULL UNIQUE,
      scientificName TEXT,
      location TEXT,
      notes TEXT,
      createdAt INTEGER NOT NULL,
      updatedAt INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      -- The tie-break between equal times. Not the primary key: SQLite would plan with the time alone.
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN
        ('photo', 'symptom', 'dailyLog', 'episode', 'mood', 'quote', 'completion')),
      occurredAt INTEGER NOT NULL,
      -- Seconds east of UTC: recorded with the time, or the library's when timeBasis says so.
      utcOffset INTEGER NOT NULL CHECK (abs(utcOffset) <= 64800),
      timeBasis TEXT NOT NULL CHECK (timeBasis IN ('zoned', 'wall', 'instant')),
      localDay TEXT NOT NULL CHECK (length(localDay) = 10),
      plantID INTEGER REFERENCES plant (id),
      notes TEXT,
      createdAt INTEGER NOT NULL,
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    CREATE INDEX entryByTime ON entry (occurredAt, seq) WHERE deletedAt IS NULL;
    CREATE INDEX entryByPlant ON entry (plantID, occurredAt, seq)
      WHERE deletedAt IS NULL AND plantID IS NOT NULL;
    CREATE INDEX entryByKind ON entry (kind, occurredAt, seq) WHERE deletedAt IS NULL;
    CREATE INDEX entryByDay ON entry (localDay, kind) WHERE deletedAt IS NULL;
    CREATE INDEX entryInTrash ON entry (occurredAt, seq) WHERE deletedAt IS NOT NULL;
    CREATE INDEX entryOfPlant ON entry (plantID) WHERE plantID IS NOT NULL;

    CREATE TABLE photo (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      sourceDigest BLOB NOT NULL UNIQUE CHECK (length(sourceDigest) = 32),
      sourceByteCount INTEGER NOT NULL CHECK (sourceByteCount > 0),
      sourceMediaType TEXT NOT NULL,
      originalName TEXT NOT NULL,
      -- Upright.
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      captureSource TEXT NOT NULL CHECK (captureSource IN
        ('sidecar', 'exif', 'xmp', 'gps', 'takeout', 'filename', 'mtime', 'manual')),
      placeholder BLOB NOT NULL,
      -- Names of warnings, separated by spaces.
      warnings TEXT NOT NULL
    ) STRICT;

    CREATE TABLE blob (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      createdAt INTEGER NOT NULL,
      -- When prune found that nothing refers to it.
      condemnedAt INTEGER
    ) STRICT;

    CREATE TABLE rendition (
      photoID INTEGER NOT NULL REFERENCES photo (entryID) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('original', 'packed', 'master', 'thumbnail')),
      blobID INTEGER NOT NULL REFERENCES blob (id),
      mediaType TEXT NOT NULL,
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      recipe TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      PRIMARY KEY (photoID, role)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX renditionByBlob ON rendition (blobID);

    -- Where photos were found, so that an unchanged file is not read again.
    CREATE TABLE sourceFile (
      -- Absolute; file names are bytes, not text.
      path BLOB PRIMARY KEY NOT NULL,
      byteCount INTEGER NOT NULL,
      -- Nanoseconds.
      modifiedAt INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      photoID INTEGER NOT NULL REFERENCES photo (entryID) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sourceFileByPhoto ON sourceFile (photoID);
    """

  /// A deleted plant stays for its photos in the trash, and gives its name free. What a change did
  /// is kept as the rows were before it. Search is by words of notes and of plants.
  private static let v2 = """
    CREATE TABLE newPlant (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and without case: what makes a name unique.
      foldedName TEXT NOT NULL,
      scientificName TEXT,
      location TEXT,
      notes TEXT,
      createdAt INTEGER NOT NULL,
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    INSERT INTO newPlant SELECT id, publicID, name, foldedName, scientificName, location, notes,
      createdAt, updatedAt, NULL FROM plant;
    DROP TABLE plant;
    ALTER TABLE newPlant RENAME TO plant;
    CREATE UNIQUE INDEX plantByName ON plant (foldedName) WHERE deletedAt IS NULL;
    -- Counts a plant's photos and finds its first and last day without a look at the entries.
    DROP INDEX entryOfPlant;
    CREATE INDEX entryDayByPlant ON entry (plantID, deletedAt, kind, localDay)
      WHERE plantID IS NOT NULL;

    CREATE TABLE change (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      -- Also the updatedAt of all that it changed, for as long as nothing else has.
      madeAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX changeByKind ON change (kind, id);

    -- Rows as they were before a change.
    CREATE TABLE changedEntry (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      occurredAt INTEGER NOT NULL,
      utcOffset INTEGER NOT NULL,
      timeBasis TEXT NOT NULL,
      localDay TEXT NOT NULL,
      plantID INTEGER REFERENCES plant (id),
      notes TEXT,
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER,
      -- Of photos only.
      captureSource TEXT,
      PRIMARY KEY (changeID, entryID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changedEntryByEntry ON changedEntry (entryID);
    CREATE INDEX changedEntryByPlant ON changedEntry (plantID) WHERE plantID IS NOT NULL;
    CREATE TABLE changedPlant (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      plantID INTEGER NOT NULL REFERENCES plant (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      foldedName TEXT NOT NULL,
      scientificName TEXT,
      location TEXT,
      notes TEXT,
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER,
      PRIMARY KEY (changeID, plantID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changedPlantByPlant ON changedPlant (plantID);

    -- Diacritics are folded, and symbols are letters too: emoji can be found.
    CREATE VIRTUAL TABLE entryText USING fts5 (notes, content = 'entry', content_rowid = 'id',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'");
    CREATE TRIGGER entryTextOfNew AFTER INSERT ON entry WHEN new.notes IS NOT NULL BEGIN
      INSERT INTO entryText (rowid, notes) VALUES (new.id, new.notes);
    END;
    CREATE TRIGGER entryTextOfOld AFTER DELETE ON entry WHEN old.notes IS NOT NULL BEGIN
      INSERT INTO entryText (entryText, rowid, notes) VALUES ('delete', old.id, old.notes);
    END;
    CREATE TRIGGER entryTextOfChanged AFTER UPDATE OF notes ON entry
    WHEN old.notes IS NOT new.notes BEGIN
      INSERT INTO entryText (entryText, rowid, notes)
        SELECT 'delete', old.id, old.notes WHERE old.notes IS NOT NULL;
      INSERT INTO entryText (rowid, notes) SELECT new.id, new.notes WHERE new.notes IS NOT NULL;
    END;
    INSERT INTO entryText (rowid, notes) SELECT id, notes FROM entry WHERE notes IS NOT NULL;

    CREATE VIRTUAL TABLE plantText USING fts5 (name, scientificName, location, notes,
      content = 'plant', content_rowid = 'id',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'");
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
    INSERT INTO plantText (rowid, name, scientificName, location, notes)
      SELECT id, name, scientificName, location, notes FROM plant;
    """

  /// What keeping the store needs to remember.
  private static let v3 = """
    -- When all of its bytes were last read and found right.
    ALTER TABLE blob ADD COLUMN verifiedAt INTEGER;
    CREATE INDEX blobByVerification ON blob (verifiedAt, id);
    CREATE INDEX condemnedBlob ON blob (condemnedAt) WHERE condemnedAt IS NOT NULL;

    -- Blobs that were moved into the store's trash, and are unlinked later.
    CREATE TABLE trashedBlob (
      digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
      byteCount INTEGER NOT NULL,
      trashedAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE recompression (
      id INTEGER PRIMARY KEY,
      madeAt INTEGER NOT NULL
    ) STRICT;
    -- What photos had before. No reference: these blobs are condemned, and can be pruned.
    CREATE TABLE formerRendition (
      recompressionID INTEGER NOT NULL REFERENCES recompression (id) ON DELETE CASCADE,
      photoID INTEGER NOT NULL REFERENCES photo (entryID) ON DELETE CASCADE,
      role TEXT NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      byteCount INTEGER NOT NULL,
      mediaType TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      recipe TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      PRIMARY KEY (recompressionID, photoID, role)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX formerRenditionByPhoto ON formerRendition (photoID);
    """
}
