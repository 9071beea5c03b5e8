extension Schema {
  /// The changes, and how to undo them. These tables are in no changeset.
  static let history = """
    -- What one command or request did.
    CREATE TABLE change (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      -- What was typed; NULL when it came from elsewhere.
      origin TEXT,
      -- No two changes have the same.
      madeAt INTEGER NOT NULL,
      -- How many things it added, changed and deleted, as JSON.
      counts TEXT NOT NULL,
      -- The commit that undid it.
      undoneBy INTEGER,
      -- Of its steps.
      byteCount INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX undoneChange ON change (undoneBy) WHERE undoneBy IS NOT NULL;

    -- What each commit of a change did to the rows.
    CREATE TABLE changeStep (
      -- The commit.
      id INTEGER PRIMARY KEY,
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      changeset BLOB NOT NULL
    ) STRICT;
    CREATE INDEX changeStepByChange ON changeStep (changeID);

    -- Requests that a client may send again without knowing whether they were carried out.
    CREATE TABLE answeredRequest (
      -- The client's, and the client that it is of.
      key TEXT PRIMARY KEY NOT NULL,
      -- SHA-256 of what was asked for.
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
      madeAt INTEGER NOT NULL,
      -- NULL until the answer is known.
      answer BLOB
    ) STRICT;
    CREATE INDEX answeredRequestByTime ON answeredRequest (madeAt);
    """
}
