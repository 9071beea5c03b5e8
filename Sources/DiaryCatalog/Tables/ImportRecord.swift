package import DiaryModel

/// The metadata of a file that identifies it without reading it.
package struct FileFingerprint: Sendable, Hashable {
  /// The absolute path, as the file system's bytes.
  package let path: [UInt8]
  package let byteCount: Int
  /// Nanoseconds since 1970.
  package let modifiedAt: Int64
  package let inode: UInt64

  package init(path: [UInt8], byteCount: Int, modifiedAt: Int64, inode: UInt64) {
    self.path = path
    self.byteCount = byteCount
    self.modifiedAt = modifiedAt
    self.inode = inode
  }
}

/// A photo that is already in the catalog.
package struct KnownPhoto: Sendable, Hashable {
  package let id: EntryID
  package let isDeleted: Bool
  let row: Int64

  init(id: EntryID, isDeleted: Bool, row: Int64) {
    (self.id, self.isDeleted, self.row) = (id, isDeleted, row)
  }

  /// A photo in another machine's catalog, without a row in this one.
  package init(elsewhere id: EntryID, isDeleted: Bool) {
    self.init(id: id, isDeleted: isDeleted, row: 0)
  }
}

/// A photo to record, whose blobs are in the store.
package struct NewPhoto: Sendable {
  package let sourceDigest: BlobID
  package let sourceByteCount: Int
  package let sourceMediaType: String
  package let originalName: String
  /// The upright size.
  package let size: PixelSize
  package let time: EntryTime
  package let captureSource: CaptureSource
  package let notes: String?
  package var tags: [String] = []
  package var isFavourite = false
  package let plantName: String?
  package let placeholder: [UInt8]
  package let warnings: [ImportWarning]
  package let renditions: [Rendition]
  /// The variance of the thumbnail's Laplacian; nil if it was not measured.
  package var sharpness: Double?

  package init(
    sourceDigest: BlobID, sourceByteCount: Int, sourceMediaType: String, originalName: String,
    size: PixelSize, time: EntryTime, captureSource: CaptureSource, notes: String?,
    plantName: String?, placeholder: [UInt8], warnings: [ImportWarning], renditions: [Rendition]
  ) {
    self.sourceDigest = sourceDigest
    self.sourceByteCount = sourceByteCount
    self.sourceMediaType = sourceMediaType
    self.originalName = originalName
    self.size = size
    self.time = time
    self.captureSource = captureSource
    self.notes = notes
    self.plantName = plantName
    self.placeholder = placeholder
    self.warnings = warnings
    self.renditions = renditions
  }
}

/// The record of one file in a transaction.
package struct ImportRecord: Sendable {
  package enum Content: Sendable {
    case new(NewPhoto)
    case known(KnownPhoto)
  }

  package let content: Content
  /// Nil when the file will be gone (`--move`).
  package let file: FileFingerprint?
  /// Whether a photo in the trash is restored; otherwise it stays there.
  package let readmits: Bool

  package init(content: Content, file: FileFingerprint?, readmits: Bool = true) {
    self.content = content
    self.file = file
    self.readmits = readmits
  }
}

/// The outcome of a record.
package enum RecordOutcome: Sendable, Hashable {
  case added(EntryID)
  case duplicate(EntryID)
  /// It was in the trash, and is back on the timeline.
  case restored(EntryID)
  /// It is in the trash, and stays there.
  case inTrash(EntryID)
}
