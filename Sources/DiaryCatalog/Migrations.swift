internal import GRDB

/// The catalog's schema, one frozen SQL text a version. A migration that has shipped never changes.
enum Migrations {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1: photos") { try $0.execute(sql: v1) }
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
}
