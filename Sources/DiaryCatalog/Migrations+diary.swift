extension Migrations {
  /// The kinds besides photos. An entry can have a day without a time of day, and what its kind says
  /// is found by search.
  static let v4 = """
    CREATE TABLE newEntry (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      -- The tie-break between equal times. Not the primary key: SQLite would plan with the time alone.
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN
        ('photo', 'symptom', 'dailyLog', 'episode', 'mood', 'quote', 'completion')),
      occurredAt INTEGER NOT NULL,
      -- Seconds east of UTC: recorded with the time, or the library's when timeBasis says so.
      utcOffset INTEGER NOT NULL CHECK (abs(utcOffset) <= 64800),
      timeBasis TEXT NOT NULL CHECK (timeBasis IN ('zoned', 'wall', 'instant', 'day')),
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
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    INSERT INTO newEntry SELECT id, publicID, seq, kind, occurredAt, utcOffset, timeBasis, localDay,
      plantID, notes, NULL, NULL, 0, createdAt, updatedAt, deletedAt FROM entry;
    DROP TABLE entryText;
    DROP TABLE entry;
    ALTER TABLE newEntry RENAME TO entry;
    CREATE INDEX entryByTime ON entry (occurredAt, seq) WHERE deletedAt IS NULL;
    CREATE INDEX entryByPlant ON entry (plantID, occurredAt, seq)
      WHERE deletedAt IS NULL AND plantID IS NOT NULL;
    CREATE INDEX entryByKind ON entry (kind, occurredAt, seq) WHERE deletedAt IS NULL;
    CREATE INDEX entryByDay ON entry (localDay, kind) WHERE deletedAt IS NULL;
    CREATE INDEX entryInTrash ON entry (occurredAt, seq) WHERE deletedAt IS NOT NULL;
    CREATE INDEX entryDayByPlant ON entry (plantID, deletedAt, kind, localDay)
      WHERE plantID IS NOT NULL;
    CREATE UNIQUE INDEX entryOnceADay ON entry (kind, localDay)
      WHERE deletedAt IS NULL AND kind IN ('dailyLog', 'mood');
    CREATE INDEX favouriteEntry ON entry (occurredAt, seq)
      WHERE isFavourite = 1 AND deletedAt IS NULL;

    -- The tags of entries once more, in the order in which a timeline of one tag is read.
    CREATE TABLE entryTag (
      -- Composed and without case.
      foldedTag TEXT NOT NULL,
      isDeleted INTEGER NOT NULL CHECK (isDeleted IN (0, 1)),
      occurredAt INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      tag TEXT NOT NULL CHECK (length(tag) > 0),
      PRIMARY KEY (foldedTag, isDeleted, occurredAt, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX entryTagByEntry ON entryTag (entryID, foldedTag);
    CREATE TRIGGER entryTagPlace AFTER UPDATE OF occurredAt, deletedAt ON entry
    WHEN new.tags IS NOT NULL BEGIN
      UPDATE entryTag SET occurredAt = new.occurredAt, isDeleted = new.deletedAt IS NOT NULL
        WHERE entryID = new.id;
    END;

    CREATE VIRTUAL TABLE entryText USING fts5 (notes, words, tags, content = 'entry',
      content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'");
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
    INSERT INTO entryText (rowid, notes) SELECT id, notes FROM entry WHERE notes IS NOT NULL;

    CREATE TABLE symptom (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and without case.
      foldedName TEXT NOT NULL,
      severity REAL NOT NULL CHECK (severity BETWEEN 1 AND 5),
      -- What was said instead of a number.
      severityLabel TEXT
    ) STRICT;
    CREATE INDEX symptomByName ON symptom (foldedName);

    -- The lists that symptoms and episodes have of their own, in their order.
    CREATE TABLE entryItem (
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      list TEXT NOT NULL CHECK (list IN ('medication', 'symptom')),
      position INTEGER NOT NULL,
      text TEXT NOT NULL CHECK (length(text) > 0),
      PRIMARY KEY (entryID, list, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE dailyLog (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      sleepHours REAL CHECK (sleepHours BETWEEN 0 AND 12
        AND sleepHours * 4 = CAST(sleepHours * 4 AS INTEGER)),
      sleepQuality INTEGER CHECK (sleepQuality BETWEEN 1 AND 5),
      stress INTEGER CHECK (stress BETWEEN 1 AND 5),
      exerciseMinutes INTEGER CHECK (exerciseMinutes BETWEEN 0 AND 300),
      exerciseType TEXT CHECK (exerciseType IN ('walk', 'gym', 'yoga', 'other')),
      sugar TEXT CHECK (sugar IN ('low', 'medium', 'high')),
      alcohol TEXT CHECK (alcohol IN ('none', 'some')),
      officeDay INTEGER CHECK (officeDay IN (0, 1)),
      sickContact INTEGER CHECK (sickContact IN (0, 1)),
      humidifier INTEGER CHECK (humidifier IN (0, 1))
    ) STRICT;

    -- The entry's day is its first.
    CREATE TABLE episode (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      endDay TEXT CHECK (length(endDay) = 10),
      type TEXT NOT NULL CHECK (type IN ('cold', 'cough', 'fever', 'sinus', 'allergy', 'other')),
      severity INTEGER CHECK (severity BETWEEN 1 AND 5),
      mucus TEXT CHECK (mucus IN ('none', 'clear', 'yellow', 'green')),
      worstTime TEXT CHECK (worstTime IN ('morning', 'night', 'allDay')),
      doctorVisit TEXT,
      testResult TEXT
    ) STRICT;

    CREATE TABLE mood (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      mood TEXT NOT NULL CHECK (length(mood) > 0)
    ) STRICT;

    -- Quotes that somebody wrote down, that were fetched, or that are favourites.
    CREATE TABLE quote (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) > 0),
      text TEXT NOT NULL CHECK (length(text) > 0),
      author TEXT,
      source TEXT,
      origin TEXT NOT NULL CHECK (origin IN ('bundled', 'own', 'zenquotes')),
      createdAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE favouriteQuote (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      quoteID INTEGER NOT NULL REFERENCES quote (id)
    ) STRICT;
    CREATE INDEX favouriteByQuote ON favouriteQuote (quoteID);
    -- The quotes of days on which a service was asked for one.
    CREATE TABLE dayQuote (
      day TEXT PRIMARY KEY NOT NULL CHECK (length(day) = 10),
      quoteID INTEGER NOT NULL REFERENCES quote (id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dayQuoteByQuote ON dayQuote (quoteID);

    CREATE TABLE activity (
      id INTEGER PRIMARY KEY,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      foldedName TEXT NOT NULL,
      emoji TEXT NOT NULL CHECK (length(emoji) > 0),
      category TEXT NOT NULL CHECK (length(category) > 0),
      startFrom TEXT NOT NULL CHECK (length(startFrom) = 10),
      plantID INTEGER REFERENCES plant (id),
      notes TEXT,
      everyDays INTEGER CHECK (everyDays BETWEEN 1 AND 3660),
      weeklyGoal INTEGER CHECK (weeklyGoal BETWEEN 1 AND 7),
      monthlyGoal INTEGER CHECK (monthlyGoal BETWEEN 1 AND 31),
      -- The symbol that it had in an older program.
      iconName TEXT,
      -- Its place in the order of one's own.
      rank INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      updatedAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX activityByName ON activity (foldedName) WHERE deletedAt IS NULL;
    CREATE INDEX activityByPlant ON activity (plantID) WHERE plantID IS NOT NULL;

    CREATE TABLE completion (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      activityID INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
      -- That of the entry, nil while it is in the trash: an activity is done once a day.
      day TEXT CHECK (length(day) = 10),
      source TEXT NOT NULL CHECK (length(source) > 0),
      UNIQUE (activityID, day)
    ) STRICT;
    CREATE TRIGGER completionDay AFTER UPDATE OF localDay, deletedAt ON entry
    WHEN new.kind = 'completion' BEGIN
      UPDATE completion SET day = iif(new.deletedAt IS NULL, new.localDay, NULL)
        WHERE entryID = new.id;
    END;

    -- What an entry of another kind than photo was before a change, as JSON.
    ALTER TABLE changedEntry ADD COLUMN content TEXT;
    ALTER TABLE changedEntry ADD COLUMN tags TEXT;
    ALTER TABLE changedEntry ADD COLUMN isFavourite INTEGER NOT NULL DEFAULT 0;
    -- Entries that a change made.
    CREATE TABLE madeEntry (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      PRIMARY KEY (changeID, entryID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX madeEntryByEntry ON madeEntry (entryID);
    CREATE TABLE changedActivity (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      activityID INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
      -- All its columns as JSON; NULL when the change made it.
      before TEXT,
      PRIMARY KEY (changeID, activityID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changedActivityByActivity ON changedActivity (activityID);

    -- What else an import of a diary made.
    CREATE TABLE madePlant (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      plantID INTEGER NOT NULL REFERENCES plant (id) ON DELETE CASCADE,
      PRIMARY KEY (changeID, plantID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX madePlantByPlant ON madePlant (plantID);
    CREATE TABLE madeQuote (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      quoteID INTEGER NOT NULL REFERENCES quote (id) ON DELETE CASCADE,
      PRIMARY KEY (changeID, quoteID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX madeQuoteByQuote ON madeQuote (quoteID);
    CREATE TABLE madeDayQuote (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      day TEXT NOT NULL REFERENCES dayQuote (day) ON DELETE CASCADE,
      PRIMARY KEY (changeID, day)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX madeDayQuoteByDay ON madeDayQuote (day);
    CREATE TABLE madeSetting (
      changeID INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (changeID, key)
    ) STRICT, WITHOUT ROWID;
    """
}
