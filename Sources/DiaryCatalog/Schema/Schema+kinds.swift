extension Schema {
  /// The contents of entries of the other kinds, with quotes and activities.
  static let kinds = """
    CREATE TABLE symptom (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      name TEXT NOT NULL CHECK (length(name) > 0),
      -- Composed and with case folded.
      foldedName TEXT NOT NULL,
      severity REAL NOT NULL CHECK (severity BETWEEN 1 AND 5),
      -- The label that was chosen instead of a number.
      severityLabel TEXT
    ) STRICT;
    CREATE INDEX symptomByName ON symptom (foldedName);

    -- The ordered lists of symptoms and episodes.
    CREATE TABLE entryItem (
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      -- 'medication' or 'symptom'.
      list TEXT NOT NULL CHECK (length(list) > 0),
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
      exerciseType TEXT CHECK (length(exerciseType) > 0),
      sugar TEXT CHECK (length(sugar) > 0),
      alcohol TEXT CHECK (length(alcohol) > 0),
      officeDay INTEGER CHECK (officeDay IN (0, 1)),
      sickContact INTEGER CHECK (sickContact IN (0, 1)),
      humidifier INTEGER CHECK (humidifier IN (0, 1))
    ) STRICT;

    -- The entry's day is its first.
    CREATE TABLE episode (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      endDay TEXT CHECK (length(endDay) = 10),
      type TEXT NOT NULL CHECK (length(type) > 0),
      severity INTEGER CHECK (severity BETWEEN 1 AND 5),
      mucus TEXT CHECK (length(mucus) > 0),
      worstTime TEXT CHECK (length(worstTime) > 0),
      doctorVisit TEXT,
      testResult TEXT
    ) STRICT;

    CREATE TABLE mood (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      mood TEXT NOT NULL CHECK (length(mood) > 0)
    ) STRICT;

    -- Quotes that somebody wrote down, that were fetched, or that are favourites.
    CREATE TABLE quote (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) > 0),
      text TEXT NOT NULL CHECK (length(text) > 0),
      author TEXT,
      source TEXT,
      -- 'bundled', 'own' or 'zenquotes'.
      origin TEXT NOT NULL CHECK (length(origin) > 0),
      createdAt INTEGER NOT NULL,
      -- Only for a user's own quote; favourites and past days may still refer to it.
      deletedAt INTEGER CHECK (deletedAt IS NULL OR origin = 'own')
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
      id INTEGER PRIMARY KEY AUTOINCREMENT,
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
      -- Its position in the user's order.
      rank INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      deletedAt INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX activityByName ON activity (foldedName) WHERE deletedAt IS NULL;
    CREATE INDEX activityByPlant ON activity (plantID) WHERE plantID IS NOT NULL;

    CREATE TABLE completion (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      activityID INTEGER NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
      -- The day of the entry, or NULL while that is in the trash: an activity can be done once a day.
      day TEXT CHECK (length(day) = 10),
      source TEXT NOT NULL CHECK (length(source) > 0),
      UNIQUE (activityID, day)
    ) STRICT;
    CREATE TRIGGER completionDay AFTER UPDATE OF localDay, deletedAt ON entry
    WHEN new.kind = 'completion' BEGIN
      UPDATE completion SET day = iif(new.deletedAt IS NULL, new.localDay, NULL)
        WHERE entryID = new.id;
    END;
    """

  /// Triggers by which each table takes entries of its kind only.
  static let kindTriggers = [
    (table: "photo", kind: "photo"), ("symptom", "symptom"), ("dailyLog", "dailyLog"),
    ("episode", "episode"), ("mood", "mood"), ("favouriteQuote", "quote"),
    ("completion", "completion"),
  ].map { table, kind in
    """
    CREATE TRIGGER \(table)Kind BEFORE INSERT ON \(table)
    WHEN (SELECT kind FROM entry WHERE id = new.entryID) IS NOT '\(kind)' BEGIN
      SELECT RAISE(ABORT, 'an entry of another kind than \(kind)');
    END;
    """
  }.joined(separator: "\n")
}

extension Schema {
  /// Fields that users add to the daily log.
  static let factors = """
    CREATE TABLE factor (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      publicID TEXT NOT NULL UNIQUE CHECK (length(publicID) = 32),
      name TEXT NOT NULL CHECK (length(name) > 0),
      foldedName TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('flag', 'number', 'choice')),
      unit TEXT CHECK (unit IS NULL OR length(unit) > 0 AND kind = 'number'),
      lowest REAL CHECK ((lowest IS NOT NULL) = (kind = 'number')),
      highest REAL CHECK ((highest IS NOT NULL) = (kind = 'number')),
      step REAL CHECK (step IS NULL OR step > 0 AND kind = 'number'),
      -- One per line, in order.
      choices TEXT CHECK ((choices IS NOT NULL) = (kind = 'choice')),
      isHidden INTEGER NOT NULL CHECK (isHidden IN (0, 1)),
      -- Its position in the user's order.
      rank INTEGER NOT NULL,
      createdAt INTEGER NOT NULL,
      CHECK (highest > lowest)
    ) STRICT;

    CREATE TABLE factorValue (
      entryID INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      factorID INTEGER NOT NULL REFERENCES factor (id),
      -- 0 or 1 of a flag, a real of a number, the text of a choice.
      value ANY NOT NULL,
      PRIMARY KEY (entryID, factorID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX factorValueByFactor ON factorValue (factorID);
    CREATE TRIGGER factorValueKind BEFORE INSERT ON factorValue
    WHEN (SELECT kind FROM entry WHERE id = new.entryID) IS NOT 'dailyLog' BEGIN
      SELECT RAISE(ABORT, 'an entry of another kind than dailyLog');
    END;
    """
}
