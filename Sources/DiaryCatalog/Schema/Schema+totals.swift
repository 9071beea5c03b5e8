extension Schema {
  /// The totals of entries, renditions and blobs, maintained by triggers.
  ///
  /// A changeset may add renditions before their blobs and remove them after; an entry is removed with its photo.
  static let totals = """
    -- Counts and sizes in bytes. Triggers keep them up to date, as counting millions of rows takes seconds.
    CREATE TABLE total (
      -- Entries on the timeline by kind, renditions by role, and blobs: all, and those that are referred to.
      subject TEXT NOT NULL CHECK (subject IN ('entry', 'rendition', 'blob')),
      kind TEXT NOT NULL,
      count INTEGER NOT NULL,
      -- For photos, that of the imported files.
      byteCount INTEGER NOT NULL,
      PRIMARY KEY (subject, kind)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO total (subject, kind, count, byteCount) VALUES
      ('entry', 'photo', 0, 0), ('entry', 'symptom', 0, 0), ('entry', 'dailyLog', 0, 0),
      ('entry', 'episode', 0, 0), ('entry', 'mood', 0, 0), ('entry', 'quote', 0, 0),
      ('entry', 'completion', 0, 0),
      ('rendition', 'original', 0, 0), ('rendition', 'packed', 0, 0),
      ('rendition', 'master', 0, 0), ('rendition', 'thumbnail', 0, 0),
      ('blob', 'all', 0, 0), ('blob', 'referenced', 0, 0);

    CREATE TRIGGER totalOfNewEntry AFTER INSERT ON entry WHEN new.deletedAt IS NULL BEGIN
      \(entry("new", "+"))
    END;
    -- Before: its photo goes with it.
    CREATE TRIGGER totalOfOldEntry BEFORE DELETE ON entry WHEN old.deletedAt IS NULL BEGIN
      \(entry("old", "-"))
    END;
    CREATE TRIGGER totalOfRestoredEntry AFTER UPDATE OF deletedAt ON entry
    WHEN old.deletedAt IS NOT NULL AND new.deletedAt IS NULL BEGIN
      \(entry("new", "+"))
    END;
    CREATE TRIGGER totalOfDeletedEntry AFTER UPDATE OF deletedAt ON entry
    WHEN old.deletedAt IS NULL AND new.deletedAt IS NOT NULL BEGIN
      \(entry("new", "-"))
    END;
    CREATE TRIGGER totalOfNewPhoto AFTER INSERT ON photo BEGIN
      \(photo("new", "+"))
    END;
    CREATE TRIGGER totalOfOldPhoto AFTER DELETE ON photo BEGIN
      \(photo("old", "-"))
    END;
    CREATE TRIGGER totalOfChangedPhoto AFTER UPDATE OF sourceByteCount ON photo
    WHEN old.sourceByteCount <> new.sourceByteCount BEGIN
      \(photo("old", "-"))
      \(photo("new", "+"))
    END;

    CREATE TRIGGER totalOfNewRendition AFTER INSERT ON rendition BEGIN
      \(rendition("new", "+"))
    END;
    CREATE TRIGGER totalOfOldRendition AFTER DELETE ON rendition BEGIN
      \(rendition("old", "-"))
    END;
    CREATE TRIGGER totalOfChangedRendition AFTER UPDATE OF blobID ON rendition
    WHEN old.blobID <> new.blobID BEGIN
      \(rendition("old", "-"))
      \(rendition("new", "+"))
    END;
    CREATE TRIGGER totalOfNewBlob AFTER INSERT ON blob BEGIN
      \(blob("new", "+"))
    END;
    CREATE TRIGGER totalOfOldBlob AFTER DELETE ON blob BEGIN
      \(blob("old", "-"))
    END;
    CREATE TRIGGER totalOfChangedBlob AFTER UPDATE OF byteCount ON blob
    WHEN old.byteCount <> new.byteCount BEGIN
      \(blob("old", "-"))
      \(blob("new", "+"))
    END;
    """

  /// The numbers of entries by day, maintained by triggers.
  static let dayTotals = """
    -- Entries on the timeline by day and kind.
    CREATE TABLE dayTotal (
      localDay TEXT NOT NULL,
      kind TEXT NOT NULL,
      -- Of photos; 0 for none, and for entries of other kinds.
      plantID INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0),
      PRIMARY KEY (localDay, kind, plantID)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO dayTotal (localDay, kind, plantID, count) \(countedDays);

    CREATE TRIGGER dayTotalOfNewEntry AFTER INSERT ON entry WHEN new.deletedAt IS NULL BEGIN
      \(addDay("new"))
    END;
    CREATE TRIGGER dayTotalOfOldEntry AFTER DELETE ON entry WHEN old.deletedAt IS NULL BEGIN
      \(removeDay("old"))
    END;
    CREATE TRIGGER dayTotalOfDeletedEntry AFTER UPDATE OF deletedAt ON entry
    WHEN old.deletedAt IS NULL AND new.deletedAt IS NOT NULL BEGIN
      \(removeDay("old"))
    END;
    CREATE TRIGGER dayTotalOfRestoredEntry AFTER UPDATE OF deletedAt ON entry
    WHEN old.deletedAt IS NOT NULL AND new.deletedAt IS NULL BEGIN
      \(addDay("new"))
    END;
    CREATE TRIGGER dayTotalOfMovedEntry AFTER UPDATE OF localDay, plantID ON entry
    WHEN old.deletedAt IS NULL AND new.deletedAt IS NULL
      AND (old.localDay <> new.localDay OR \(plant("old")) <> \(plant("new"))) BEGIN
      \(removeDay("old"))
      \(addDay("new"))
    END;
    """

  /// The numbers of symptoms by name and day, maintained by triggers.
  static let symptomTotals = """
    -- Symptoms on the timeline: their names are listed by how often they were used, and when.
    CREATE TABLE symptomTotal (
      foldedName TEXT NOT NULL,
      -- Days since 1970-01-01.
      day INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0),
      PRIMARY KEY (foldedName, day)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO symptomTotal (foldedName, day, count) \(countedSymptoms);

    CREATE TRIGGER symptomTotalOfNewSymptom AFTER INSERT ON symptom BEGIN
      \(addSymptom("new"))
    END;
    CREATE TRIGGER symptomTotalOfOldSymptom AFTER DELETE ON symptom BEGIN
      \(removeSymptom("old"))
    END;
    CREATE TRIGGER symptomTotalOfRenamedSymptom AFTER UPDATE OF foldedName ON symptom
    WHEN old.foldedName <> new.foldedName BEGIN
      \(removeSymptom("old"))
      \(addSymptom("new"))
    END;
    -- Before: its symptom goes with it.
    CREATE TRIGGER symptomTotalOfOldEntry BEFORE DELETE ON entry
    WHEN old.deletedAt IS NULL AND old.kind = 'symptom' BEGIN
      \(removeSymptom(ofEntry: "old"))
    END;
    CREATE TRIGGER symptomTotalOfChangedEntry AFTER UPDATE OF deletedAt, localDay ON entry
    WHEN new.kind = 'symptom' AND ((old.deletedAt IS NULL) <> (new.deletedAt IS NULL)
      OR old.localDay <> new.localDay) BEGIN
      \(removeSymptom(ofEntry: "old"))
      INSERT INTO symptomTotal (foldedName, day, count)
        SELECT foldedName, \(dayNumber("new")), 1 FROM symptom
        WHERE entryID = new.id AND new.deletedAt IS NULL
        ON CONFLICT DO UPDATE SET count = count + 1;
    END;
    """

  /// The rows of `symptomTotal`.
  static let countedSymptoms = """
    SELECT s.foldedName, \(dayNumber("e")) AS day, count(*) AS count
    FROM symptom s JOIN entry e ON e.id = s.entryID WHERE e.deletedAt IS NULL GROUP BY 1, 2
    """

  /// The days from 1970-01-01 to an entry's.
  private static func dayNumber(_ row: String) -> String {
    "CAST(julianday(\(row).localDay) - 2440587.5 AS INTEGER)"
  }

  private static func addSymptom(_ row: String) -> String {
    """
    INSERT INTO symptomTotal (foldedName, day, count)
      SELECT \(row).foldedName, \(dayNumber("entry")), 1 FROM entry
      WHERE id = \(row).entryID AND deletedAt IS NULL
      ON CONFLICT DO UPDATE SET count = count + 1;
    """
  }

  private static func removeSymptom(_ row: String) -> String {
    removeSymptom(
      totalOf:
        "SELECT \(row).foldedName, \(dayNumber("entry")) FROM entry WHERE id = \(row).entryID AND deletedAt IS NULL"
    )
  }

  private static func removeSymptom(ofEntry row: String) -> String {
    removeSymptom(
      totalOf:
        "SELECT foldedName, \(dayNumber(row)) FROM symptom WHERE entryID = \(row).id AND \(row).deletedAt IS NULL"
    )
  }

  /// - Parameter key: a query for the total's name and day.
  private static func removeSymptom(totalOf key: String) -> String {
    """
    DELETE FROM symptomTotal WHERE (foldedName, day) = (\(key)) AND count = 1;
    UPDATE symptomTotal SET count = count - 1 WHERE (foldedName, day) = (\(key)) AND count > 1;
    """
  }

  /// The rows of `dayTotal`.
  static let countedDays = """
    SELECT localDay, kind, \(plant("entry")) AS plantID, count(*) AS count FROM entry
    WHERE deletedAt IS NULL GROUP BY 1, 2, 3
    """

  /// The plant that an entry is counted for.
  ///
  /// - Parameter row: `new`, `old` or `entry`.
  static func plant(_ row: String) -> String {
    "CASE \(row).kind WHEN 'photo' THEN coalesce(\(row).plantID, 0) ELSE 0 END"
  }

  private static func addDay(_ row: String) -> String {
    """
    INSERT INTO dayTotal (localDay, kind, plantID, count)
      VALUES (\(row).localDay, \(row).kind, \(plant(row)), 1)
      ON CONFLICT DO UPDATE SET count = count + 1;
    """
  }

  private static func removeDay(_ row: String) -> String {
    let total = "(localDay, kind, plantID) = (\(row).localDay, \(row).kind, \(plant(row)))"
    return """
      DELETE FROM dayTotal WHERE \(total) AND count = 1;
      UPDATE dayTotal SET count = count - 1 WHERE \(total) AND count > 1;
      """
  }

  /// - Parameters:
  ///   - row: `new` or `old`.
  ///   - sign: `+` or `-`.
  private static func entry(_ row: String, _ sign: String) -> String {
    """
    UPDATE total SET count = count \(sign) 1, byteCount = byteCount \(sign) coalesce(
      (SELECT sourceByteCount FROM photo WHERE entryID = \(row).id), 0)
      WHERE subject = 'entry' AND kind = \(row).kind;
    """
  }

  private static func photo(_ row: String, _ sign: String) -> String {
    """
    UPDATE total SET byteCount = byteCount \(sign) \(row).sourceByteCount
      WHERE subject = 'entry' AND kind =
        (SELECT kind FROM entry WHERE id = \(row).entryID AND deletedAt IS NULL);
    """
  }

  /// The blob counts as referenced from its first rendition to its last.
  private static func rendition(_ row: String, _ sign: String) -> String {
    let byteCount = "(SELECT byteCount FROM blob WHERE id = \(row).blobID)"
    return """
      UPDATE total SET count = count \(sign) 1, byteCount = byteCount \(sign) \(byteCount)
        WHERE subject = 'rendition' AND kind = \(row).role AND \(byteCount) IS NOT NULL;
      UPDATE total SET count = count \(sign) 1, byteCount = byteCount \(sign) \(byteCount)
        WHERE subject = 'blob' AND kind = 'referenced' AND \(byteCount) IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM rendition WHERE blobID = \(row).blobID
            AND (photoID, role) <> (\(row).photoID, \(row).role));
      """
  }

  private static func blob(_ row: String, _ sign: String) -> String {
    """
    UPDATE total SET count = count \(sign) 1, byteCount = byteCount \(sign) \(row).byteCount
      WHERE subject = 'blob' AND (kind = 'all'
        OR EXISTS (SELECT 1 FROM rendition WHERE blobID = \(row).id));
    UPDATE total SET (count, byteCount) = (
        SELECT total.count \(sign) count(*), total.byteCount \(sign) count(*) * \(row).byteCount
        FROM rendition WHERE blobID = \(row).id AND role = total.kind)
      WHERE subject = 'rendition' AND EXISTS (SELECT 1 FROM rendition WHERE blobID = \(row).id);
    """
  }
}
