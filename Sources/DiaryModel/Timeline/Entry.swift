package import Fields

/// The kind of an entry on the timeline.
@nonexhaustive
public enum EntryKind: String, Sendable, CaseIterable {
  /// A photo, of a plant or of none.
  case photo
  /// A symptom at a time.
  case symptom
  /// The log of a day, of which there is at most one.
  case dailyLog
  /// A sickness episode, on the day on which it began.
  case episode
  /// The mood of a day, of which there is at most one.
  case mood
  /// A favourite quote, at the time at which it became one.
  case quote
  /// A completion of an activity, on its day.
  case completion

  /// Whether a day can have at most one.
  public var isOnceADay: Bool { self == .dailyLog || self == .mood }
}

/// Anything on the timeline. Every kind has a time, optional notes and an optional plant.
public struct Entry: Sendable, Hashable, Identifiable {
  /// Stable for the entry's life.
  public let id: EntryID
  /// When it happened, and how that was recorded.
  public let time: EntryTime
  /// The user's notes.
  public let notes: String?
  /// The user's tags, such as `pain` or `repotted`, in the order given.
  public let tags: [String]
  /// The plant it belongs to, if any.
  public let plant: PlantReference?
  /// The day of the plant's growth, 1 for the day of its first photo; nil before that, without a photo of the plant, and
  /// in the trash.
  public let plantDay: Int?
  /// The content, specific to the kind.
  public let content: EntryContent
  /// When the entry went to the trash; nil while it is on the timeline.
  public let deletedAt: Timestamp?

  package let sequence: Int64

  package init(
    id: EntryID, time: EntryTime, notes: String?, tags: [String] = [], plant: PlantReference?,
    plantDay: Int?, content: EntryContent, deletedAt: Timestamp?, sequence: Int64
  ) {
    self.id = id
    self.time = time
    self.notes = notes
    self.tags = tags
    self.plant = plant
    self.plantDay = plantDay
    self.content = content
    self.deletedAt = deletedAt
    self.sequence = sequence
  }

  /// The kind of the entry.
  public var kind: EntryKind { content.kind }

  /// The photo's summary; nil for other kinds.
  // Swift 6.3.1 fails to optimise callers that it is inlined into ("Found ownership error").
  @inline(never)
  public var photo: PhotoSummary? {
    if case .photo(let photo) = content { photo } else { nil }
  }

  /// The position of this entry, as a cursor that continues to older or newer ones.
  public func cursor(heading: Cursor.Heading) -> Cursor {
    let (day, moment) = time.place
    return Cursor(day: day, instant: moment, sequence: sequence, heading: heading)
  }
}

/// The plant an entry belongs to.
public struct PlantReference: Sendable, Hashable {
  /// Stable for the plant's life.
  public let id: PlantID
  /// The name of the plant when this was read.
  public let name: String

  /// Creates a reference; nothing is looked up.
  public init(id: PlantID, name: String) {
    self.id = id
    self.name = name
  }
}

/// A photo in a listing.
public struct PhotoSummary: Sendable, Hashable {
  /// The upright size, in pixels.
  public let size: PixelSize
  /// The name of the file it was imported from.
  public let originalName: String
  /// The source of its date.
  public let captureSource: CaptureSource
  /// SHA-256 of the file as it was imported.
  public let sourceDigest: BlobID
  /// The size of the imported file, in bytes.
  public let sourceByteCount: Int
  /// The total size of its renditions in the store, in bytes.
  public let storedByteCount: Int
  /// Whether it is marked as a favourite.
  public let isFavourite: Bool
  /// A thumbhash: about 25 bytes that show as a blurred picture.
  public let placeholder: [UInt8]
  /// SHA-256 of its thumbnail; nil if the catalog has lost it.
  public let thumbnail: BlobID?

  package init(
    size: PixelSize, originalName: String, captureSource: CaptureSource, sourceDigest: BlobID,
    sourceByteCount: Int, storedByteCount: Int, isFavourite: Bool, placeholder: [UInt8],
    thumbnail: BlobID?
  ) {
    self.size = size
    self.originalName = originalName
    self.captureSource = captureSource
    self.sourceDigest = sourceDigest
    self.sourceByteCount = sourceByteCount
    self.storedByteCount = storedByteCount
    self.isFavourite = isFavourite
    self.placeholder = placeholder
    self.thumbnail = thumbnail
  }
}

extension PhotoSummary {
  /// The mean lightness below which a photo is dark, of 63: black nights have 0, dusk has 6, and an infrared lamp gives 26.
  private static let darkLightness: UInt8 = 5

  /// Whether it shows next to nothing, as at night without a lamp.
  package var isDark: Bool { placeholder.first.map(Self.isDark) ?? false }

  /// The mean of red, green and blue over the picture, as they are stored in sRGB, from 0 for black to 1 for white, in 64
  /// steps. It is that of the placeholder (ThumbHash); nil if the catalog has lost it.
  public var meanLightness: Double? { placeholder.first.map { Double($0 & 63) / 63 } }

  /// - Parameter byte: the first byte of a placeholder, whose low six bits are the picture's mean lightness (ThumbHash).
  package static func isDark(_ byte: UInt8) -> Bool { byte & 63 < darkLightness }
}

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// - Parameters:
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height, at most `Int.max`.
  public var pixelCount: Int { width.multipliedSaturated(by: height) }
  public var description: String { "\(width) × \(height)" }
}

/// A tag and its use among the entries.
public struct Tag: Sendable, Hashable {
  /// The spelling used by the latest of its entries.
  public let name: String
  /// How many entries have it, not counting those in the trash.
  public let count: Int
  /// The latest day of these entries.
  public let lastDay: LocalDay

  package init(name: String, count: Int, lastDay: LocalDay) {
    self.name = name
    self.count = count
    self.lastDay = lastDay
  }
}

extension [String] {
  /// The trimmed texts in their order, without empty ones and duplicates (regardless of case).
  package var tidied: [String] {
    var seen: Set<String> = []
    return compactMap(\.tidied).filter { seen.insert(foldedName($0)).inserted }
  }

  /// The tags as they are stored: each a single trimmed line, without empty ones and duplicates.
  ///
  /// - Throws: `InvalidValue` for a tag with several lines or more than 100 characters.
  package func checkedTags() throws(InvalidValue) -> [String] {
    var checked: [String] = []
    for tag in tidied {
      let tag = try oneLine(tag, field: "tags", upTo: 100)
      checked.append(tag)
    }
    return checked
  }

  /// The tags that stand for keywords of other programs, which may be longer or in several lines.
  package var storableTags: [String] {
    let lines = map { keyword in
      let scalars = keyword.unicodeScalars.map {
        $0.properties.generalCategory == .control ? " " : $0
      }
      return String(
        String(String.UnicodeScalarView(scalars)).trimmingPrefix { $0 == " " }.prefix(100))
    }
    return (try? lines.checkedTags()) ?? []
  }
}
