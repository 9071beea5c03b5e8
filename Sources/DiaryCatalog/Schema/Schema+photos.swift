extension Schema {
  /// Photos, their renditions, and the blobs of the store.
  static let photos = """
    CREATE TABLE photo (
      entryID INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
      sourceDigest BLOB NOT NULL UNIQUE CHECK (length(sourceDigest) = 32),
      sourceByteCount INTEGER NOT NULL CHECK (sourceByteCount > 0),
      sourceMediaType TEXT NOT NULL,
      -- SHA-256 of the parts of the source that make the picture; NULL where they are not known.
      pictureDigest BLOB CHECK (length(pictureDigest) = 32),
      -- The time that was recorded for the source, before any edit; NULL if there is none but a guess.
      foundTime TEXT,
      originalName TEXT NOT NULL,
      -- Upright.
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      -- Where the time came from, such as 'exif'.
      captureSource TEXT NOT NULL CHECK (length(captureSource) > 0),
      placeholder BLOB NOT NULL,
      -- The variance of the thumbnail's Laplacian; NULL if it was not measured.
      sharpness REAL,
      -- Names of warnings, separated by spaces.
      warnings TEXT NOT NULL
    ) STRICT;
    CREATE INDEX photoByPicture ON photo (pictureDigest) WHERE pictureDigest IS NOT NULL;

    CREATE TABLE blob (
      -- Never reused, so that a change that is redone does not find another blob under it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      createdAt INTEGER NOT NULL
    ) STRICT;

    -- Notes of this place about its blobs, in no changeset.
    CREATE TABLE blobUpkeep (
      blobID INTEGER PRIMARY KEY REFERENCES blob (id) ON DELETE CASCADE,
      -- When prune found that nothing refers to it.
      condemnedAt INTEGER,
      -- When all of its bytes were last read and found correct.
      verifiedAt INTEGER,
      digest BLOB NOT NULL CHECK (length(digest) = 32)
    ) STRICT;
    CREATE INDEX blobByVerification ON blobUpkeep (verifiedAt, blobID) WHERE verifiedAt IS NOT NULL;
    CREATE INDEX condemnedBlob ON blobUpkeep (condemnedAt) WHERE condemnedAt IS NOT NULL;

    -- Blobs that were moved into the store's trash, and are unlinked later.
    CREATE TABLE trashedBlob (
      digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
      -- Its former id in blob, by which a change that is undone finds it again.
      blobID INTEGER NOT NULL,
      byteCount INTEGER NOT NULL,
      trashedAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX trashedBlobByID ON trashedBlob (blobID);

    CREATE TABLE rendition (
      photoID INTEGER NOT NULL REFERENCES photo (entryID) ON DELETE CASCADE,
      -- 'original', 'packed', 'master' or 'thumbnail'.
      role TEXT NOT NULL CHECK (length(role) > 0),
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
      -- Nanoseconds. A program that edits a file may set the time of modification back, but not that of change.
      modifiedAt INTEGER NOT NULL,
      changedAt INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      -- The facts that were taken over from the file and its sidecars, in JSON, and a digest of the sidecars' facts.
      facts TEXT,
      sidecars BLOB CHECK (length(sidecars) = 32),
      -- The warning about facts that have not been taken over.
      pending TEXT,
      photoID INTEGER NOT NULL REFERENCES photo (entryID) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sourceFileByPhoto ON sourceFile (photoID);
    """

  /// The second of a photo's recorded time that does not depend on a zone; NULL for other times. Its text has an offset after
  /// the fraction of a second.
  static let foundMoment = """
    unixepoch(substr(foundTime, 1, 19)) - unixepoch('1970-01-01',
      replace(ltrim(substr(foundTime, 20), '.0123456789'), 'Z', '+00:00'))
    """

  /// Indexes by which an import finds the one photo that it looks for, however many have the same picture, and the one file
  /// among all that a photo was imported from.
  static let importIndexes = """
    CREATE INDEX photoByPictureAndTime ON photo (pictureDigest, foundTime)
      WHERE pictureDigest IS NOT NULL;
    CREATE INDEX photoByPictureAndMoment ON photo (pictureDigest, (\(foundMoment)))
      WHERE pictureDigest IS NOT NULL AND \(foundMoment) IS NOT NULL;
    -- Facts may have long notes; so much of them is enough.
    DROP INDEX sourceFileByPhoto;
    CREATE INDEX sourceFileByFacts ON sourceFile (photoID, \(factsKey));
    """

  /// The beginning of the facts of a file.
  static let factsKey = "substr(facts, 1, 100)"

  /// The tokens by which photos came.
  static let senders = """
    CREATE TABLE sentPhoto (
      photoID INTEGER PRIMARY KEY REFERENCES photo (entryID) ON DELETE CASCADE,
      -- The id and the name of the token.
      senderID TEXT NOT NULL CHECK (length(senderID) > 0),
      sender TEXT NOT NULL CHECK (length(sender) > 0),
      -- Whether the token allowed nothing but sending, so that the photo's picture keeps no other file out.
      isSendOnly INTEGER NOT NULL CHECK (isSendOnly IN (0, 1))
    ) STRICT;
    CREATE INDEX sentPhotoBySender ON sentPhoto (senderID);
    """

  /// Retired keys in an object store.
  static let retiredKeys = """
    -- Blobs whose earlier keys were retired. The rows stay, because a DELETE may be carried out late.
    CREATE TABLE retiredKey (
      digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
      -- Of the key that the blob gets when it is stored again.
      generation INTEGER NOT NULL CHECK (generation > 0),
      -- Whether objects with earlier keys may still exist.
      isDeleting INTEGER NOT NULL CHECK (isDeleting IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deletingKey ON retiredKey (digest) WHERE isDeleting = 1;
    """
}
