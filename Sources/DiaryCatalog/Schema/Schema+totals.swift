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
