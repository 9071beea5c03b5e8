package import DiaryModel

/// The metadata of a file that identifies it without reading it.
package struct FileFingerprint: Sendable, Hashable {
  /// The absolute path, as the file system's bytes.
  package let path: [UInt8]
  package let byteCount: Int
  /// Nanoseconds since 1970.
  package let modifiedAt: Int64
  /// When its contents or its inode last changed, in nanoseconds since 1970.
  package let changedAt: Int64
  package let inode: UInt64

  package init(path: [UInt8], byteCount: Int, modifiedAt: Int64, changedAt: Int64, inode: UInt64) {
    self.path = path
    self.byteCount = byteCount
    self.modifiedAt = modifiedAt
    self.changedAt = changedAt
    self.inode = inode
  }
}

/// A photo that is already in the catalog.
package struct KnownPhoto: Sendable, Hashable {
  package let id: EntryID
  package let isDeleted: Bool
  /// The digest of the facts of the sidecars that were taken over from the file, if it is known by its file.
  package var sidecars: BlobID?
  /// The warning about facts that have not been taken over from the file.
  package var pending: ImportWarning?
  let row: Int64

  init(id: EntryID, isDeleted: Bool, row: Int64) {
    (self.id, self.isDeleted, self.row) = (id, isDeleted, row)
  }

  /// A photo in another machine's catalog, without a row in this one.
  package init(elsewhere id: EntryID, isDeleted: Bool) {
    self.init(id: id, isDeleted: isDeleted, row: 0)
  }
}

/// The plant of a photo to record, by its name or by a folder's. It is added if there is none of the name.
package enum PhotoPlant: Sendable, Hashable {
  case named(String)
  /// The plant that has the folder's name as its own or as an alias; `plant` is what it was called when the library was asked.
  case folder(String, plant: String)

  /// The plant's name.
  package var name: String {
    switch self {
    case .named(let name), .folder(_, plant: let name): name
    }
  }
}

/// A photo to record, whose blobs are in the store.
package struct NewPhoto: Sendable {
  /// The id that it has in another catalog, and gets if it is free.
  package var id: EntryID?
  package let sourceDigest: BlobID
  package let sourceByteCount: Int
  package let sourceMediaType: String
  /// Of the parts of the source that make the picture.
  package var pictureDigest: BlobID?
  /// The time that was recorded for the source; nil if there is none but a guess.
  package var foundTime: RecordedTime?
  package let originalName: String
  /// The upright size.
  package let size: PixelSize
  package var time: EntryTime
  package let captureSource: CaptureSource
  package let notes: String?
  package var tags: [String] = []
  package var isFavourite = false
  package let plant: PhotoPlant?
  package let placeholder: [UInt8]
  package var warnings: [ImportWarning]
  package let renditions: [Rendition]
  /// The variance of the thumbnail's Laplacian; nil if it was not measured.
  package var sharpness: Double?
  /// The sender, if it came over the network.
  package var sender: SenderToken?

  package init(
    sourceDigest: BlobID, sourceByteCount: Int, sourceMediaType: String, originalName: String,
    size: PixelSize, time: EntryTime, captureSource: CaptureSource, notes: String?,
    plant: PhotoPlant?, placeholder: [UInt8], warnings: [ImportWarning], renditions: [Rendition]
  ) {
    self.sourceDigest = sourceDigest
    self.sourceByteCount = sourceByteCount
    self.sourceMediaType = sourceMediaType
    self.originalName = originalName
    self.size = size
    self.time = time
    self.captureSource = captureSource
    self.notes = notes
    self.plant = plant
    self.placeholder = placeholder
    self.warnings = warnings
    self.renditions = renditions
  }

  /// The size of its blobs. One may serve as both the photo and its thumbnail.
  package var storedByteCount: Int {
    Dictionary(renditions.map { ($0.blob, $0.byteCount) }, uniquingKeysWith: { first, _ in first })
      .values.reduce(0, +)
  }
}

/// The record of one file in a transaction.
package struct ImportRecord: Sendable {
  package enum Content: Sendable {
    case new(NewPhoto)
    case known(KnownPhoto)

    /// The same, if it is a new photo, as one that came from a sender.
    package func sent(by sender: SenderToken?) -> Content {
      guard case .new(var photo) = self, sender != nil else { return self }
      photo.sender = sender
      return .new(photo)
    }
  }

  package let content: Content
  /// Nil when the file will be gone (`--move`).
  package let file: FileFingerprint?
  /// Whether a photo in the trash is restored; otherwise it stays there.
  package let readmits: Bool
  /// The file's own facts; nil if they were not read.
  package var metadata: FileMetadata?
  /// The token by which it comes; nil for none.
  package let sender: SenderToken?

  package init(
    content: Content, file: FileFingerprint?, readmits: Bool = true,
    metadata: FileMetadata? = nil, sender: SenderToken? = nil
  ) {
    self.content = content
    self.file = file
    self.readmits = readmits
    self.metadata = metadata
    self.sender = sender
  }
}

/// The facts about a photo in its file and its sidecars, as they are compared with those taken over before.
package struct FileFacts: Codable, Sendable, Equatable {
  /// In ISO 8601; nil if there is no time but a guess or that in the file's name.
  package var time: String?
  package var notes: String?
  package var tags: [String]?
  package var plant: String?
  package var isFavourite: Bool?

  package init(
    time: String? = nil, notes: String? = nil, tags: [String] = [], plant: String? = nil,
    isFavourite: Bool = false
  ) {
    (self.time, self.notes, self.plant) = (time, notes, plant)
    (self.tags, self.isFavourite) = (tags.isEmpty ? nil : tags, isFavourite ? true : nil)
  }
}

/// The facts of a file, and what to do with those that are new.
package struct FileMetadata: Sendable {
  package let facts: FileFacts
  /// The time of `facts`.
  package let time: (EntryTime, CaptureSource)?
  /// Whether the clocks showed that time twice.
  package var isHourRepeated = false
  /// A digest of the facts of its sidecars; nil if it has none.
  package let sidecars: BlobID?
  /// Whether new facts are taken over into a photo that is known.
  package let isTaken: Bool
  /// Whether a plant that the facts name is the photo's.
  package let namesPlant: Bool
  /// Whether the file has the picture of a known photo in other bytes.
  package var isRetagged = false
  /// The photo as it would be if it were new: what is kept of its bytes replaces what is kept of the known photo's.
  package var replacement: NewPhoto?

  package init(
    facts: FileFacts, time: (EntryTime, CaptureSource)?, sidecars: BlobID?, isTaken: Bool,
    namesPlant: Bool
  ) {
    (self.facts, self.time, self.sidecars) = (facts, time, sidecars)
    (self.isTaken, self.namesPlant) = (isTaken, namesPlant)
  }
}

/// The photos that have the same picture as a file.
package enum PictureMatch: Sendable, Hashable {
  case noPhoto
  /// A photo of the same time, with the role in which its exact bytes are kept, if they are.
  case same(KnownPhoto, RenditionRole?)
  /// Only photos of other times, or those that somebody has sent who may do nothing else.
  case other
}

/// The outcome of a record.
package enum RecordOutcome: Sendable, Hashable {
  case added(EntryID)
  case duplicate(EntryID)
  /// It was in the trash, and is back on the timeline.
  case restored(EntryID)
  /// It is in the trash, and stays there.
  case inTrash(EntryID)
  /// The catalog has it, and has taken new facts over, be it with a time that the clocks showed twice.
  case updated(EntryID, isHourRepeated: Bool)
  /// The catalog has it, and has not taken new facts over.
  case outdated(EntryID, ImportWarning)

  var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
}
