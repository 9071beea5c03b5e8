extension Schema {
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
