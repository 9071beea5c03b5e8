/// The outcome of importing one file.
public struct FileOutcome: Sendable, Hashable {
  /// The result for a file.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// It is a new photo on the timeline.
    case added(ImportedPhoto)
    /// The library has it already.
    case duplicate(EntryID)
    /// It was in the trash, and is back on the timeline.
    case restored(EntryID)
    /// The library has it already, and has taken new facts over.
    case updated(EntryID)
    /// It is not a file to import.
    case skipped(SkipReason)
    /// It should have been imported and could not be; the sentence says why and what to do.
    case failed(FailureReason, message: String)
  }

  /// The path as the request named it, or below one of its folders.
  public let path: String
  /// The result, with the photo or the reason.
  public let result: Result
  /// Warnings about the file.
  public let warnings: [ImportWarning]
  /// The size of the file, in bytes; 0 if the file was not looked at.
  public let sourceByteCount: Int

  package init(
    path: String, result: Result, warnings: [ImportWarning] = [], sourceByteCount: Int = 0
  ) {
    self.path = path
    self.result = result
    self.warnings = warnings
    self.sourceByteCount = sourceByteCount
  }
}

/// A photo that an import added.
public struct ImportedPhoto: Sendable, Hashable {
  /// The entry on the timeline.
  public let id: EntryID
  /// The name of the plant it was assigned to, if any.
  public let plantName: String?
  /// When it was taken.
  public let time: EntryTime
  /// The source of the time.
  public let captureSource: CaptureSource
  /// The size of the file, in bytes.
  public let sourceByteCount: Int
  /// The size of its files in the store, in bytes.
  public let storedByteCount: Int
}

/// The reason why a file was skipped.
@nonexhaustive
public enum SkipReason: String, Sendable, CaseIterable {
  /// Its contents are no image, and its name does not say that it is one.
  case notAnImage
  /// An image of a format that Leaflog does not take.
  case unsupportedFormat
  /// A RAW file.
  case raw
  /// A RAW file beside the JPEG that was made from it.
  case rawBesideJPEG
  /// A sidecar, which is read with its photo.
  case sidecar
  /// A file or folder whose name begins with a dot.
  case hidden
  /// A video.
  case video
  /// Neither a file nor a folder, such as a socket.
  case notAFile
  /// A folder that was visited already, by another path.
  case alreadyVisited
  /// A Leaflog library, or a file of its own.
  case library
  /// A link to a folder, or to nothing.
  case link
  /// A place that the kernel makes up, such as `/proc`.
  case system
  /// A thumbnail, deleted file or old version that another program keeps.
  case otherProgram
  /// Its photo is in the trash, and the request does not restore it.
  case inTrash

  /// A few words for people.
  public var explanation: String {
    switch self {
    case .notAnImage: "not an image"
    case .unsupportedFormat: "an image of a format that Leaflog does not take"
    case .raw: "a RAW file; import a JPEG made from it"
    case .rawBesideJPEG: "a RAW file whose JPEG lies beside it"
    case .sidecar: "a sidecar, read with its photo"
    case .hidden: "hidden"
    case .video: "a video"
    case .notAFile: "neither a file nor a folder"
    case .alreadyVisited: "a link to a folder that was visited already"
    case .library: "a Leaflog library"
    case .link: "a link to a folder or to nothing"
    case .system: "a folder that the system makes up"
    case .otherProgram: "a thumbnail, bin or old version that another program keeps"
    case .inTrash: "in the trash"
    }
  }
}

/// The reason why a file could not be imported.
@nonexhaustive
public enum FailureReason: String, Sendable, CaseIterable {
  /// The file ends before its picture does.
  case truncated
  /// The picture is damaged.
  case corrupt
  /// The file is empty, although its name is that of an image.
  case empty
  /// The image has no picture, or one without width or height.
  case noPixels
  /// The file or its picture is larger than the library, the machine or the decoder takes.
  case tooLarge
  /// Its contents are no image that Leaflog takes, although its name says so.
  case notAnImage
  /// An image of a kind that is not decoded, such as a lossless JPEG.
  case unsupportedFormat
  /// There is nothing at a path that the request names.
  case notFound
  /// The file system does not give its bytes, or it is a link to itself.
  case unreadable
  /// It was found in a folder, and is not there any more.
  case vanished
  /// The library's disk is full.
  case noSpace
  /// The library cannot be written.
  case readOnly
  /// Another process holds the library's lock.
  case locked
  /// It could not be stored for any other reason.
  case storeFailed
}

/// The totals of an import.
public struct ImportSummary: Sendable, Hashable {
  /// New photos.
  public internal(set) var added = 0
  /// Files of photos that the library already has.
  public internal(set) var duplicate = 0
  /// Photos that were restored from the trash.
  public internal(set) var restored = 0
  /// Photos that the library already has, into which new facts were taken over.
  public internal(set) var updated = 0
  /// Files that were skipped.
  public internal(set) var skipped = 0
  /// Files that should have been imported and could not be.
  public internal(set) var failed = 0
  /// How many added photos have a date that is a guess, such as their file's modification time.
  public internal(set) var guessedDates = 0
  /// How many added or updated photos have a time that the clocks showed twice, as they were put back over it.
  public internal(set) var repeatedHours = 0
  /// The size of the added photos' source files, in bytes.
  public internal(set) var sourceByteCount = 0
  /// The size of the added photos' files in the store, in bytes.
  public internal(set) var storedByteCount = 0
  /// The time from the start of the scan to the last commit.
  public internal(set) var duration = Duration.zero
  /// A sentence about the machine's clock if it is behind, so that dates could not be checked by it.
  public internal(set) var clockWarning: String?
  /// Plants of which it found photos in folders of one name with different parents.
  public internal(set) var mixedPlants: [MixedPlant] = []
  /// Whether it was cancelled; photos imported before that remain.
  public internal(set) var isInterrupted = false

  mutating func count(_ outcome: FileOutcome) {
    repeatedHours += outcome.warnings.contains(.repeatedHour) ? 1 : 0
    switch outcome.result {
    case .added(let photo):
      added += 1
      guessedDates += outcome.warnings.contains(where: \.isGuessedDate) ? 1 : 0
      sourceByteCount = sourceByteCount.addingSaturated(photo.sourceByteCount)
      // A service has said so.
      storedByteCount = storedByteCount.addingSaturated(photo.storedByteCount)
    case .duplicate: duplicate += 1
    case .restored: restored += 1
    case .updated: updated += 1
    case .skipped: skipped += 1
    case .failed: failed += 1
    }
  }
}

extension ImportSummary {
  /// Adds the totals of a further run.
  public static func += (left: inout ImportSummary, right: ImportSummary) {
    left.added += right.added
    left.duplicate += right.duplicate
    left.restored += right.restored
    left.updated += right.updated
    left.skipped += right.skipped
    left.failed += right.failed
    left.guessedDates += right.guessedDates
    left.repeatedHours += right.repeatedHours
    left.sourceByteCount = left.sourceByteCount.addingSaturated(right.sourceByteCount)
    left.storedByteCount = left.storedByteCount.addingSaturated(right.storedByteCount)
    left.duration += right.duration
    left.clockWarning = left.clockWarning ?? right.clockWarning
    left.mixedPlants += right.mixedPlants.filter { plant in
      !left.mixedPlants.contains { $0.name == plant.name }
    }
    left.isInterrupted = left.isInterrupted || right.isInterrupted
  }
}

/// File names with the extension of an image format.
enum ImageNames {
  private static let endings = [
    "jpg", "jpeg", "jpe", "png", "webp", "tif", "tiff", "gif", "heic", "heif", "avif", "jxl",
  ]

  /// The endings of RAW files, in lower case.
  static let rawEndings: Set = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "kdc", "mef",
    "mos",
    "mrw", "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  static func fit(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix("." + $0) }
  }
}

extension FileOutcome {
  /// The photo of the library, new or not; nil if it has none of the file.
  package var photo: EntryID? {
    switch result {
    case .added(let photo): photo.id
    case .duplicate(let id), .restored(let id), .updated(let id): id
    case .skipped, .failed: nil
    }
  }

  var isAdded: Bool { if case .added = result { true } else { false } }

  /// The same with a further warning.
  func warned(of warning: ImportWarning) -> FileOutcome {
    FileOutcome(
      path: path, result: result, warnings: warnings + [warning], sourceByteCount: sourceByteCount)
  }

  /// Whether a skipped file may have been meant as a photo, judging by its contents if they were read,
  /// otherwise by its name. Files that macOS keeps beside photos (`._IMG_1.jpg`) do not count.
  public var isSkippedImage: Bool {
    guard case .skipped(let reason) = result else { return false }
    switch reason {
    case .raw, .unsupportedFormat: return true
    case .hidden:
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return !name.hasPrefix("._") && ImageNames.fit(name)
    case .notAFile, .system: return ImageNames.fit(path)
    case .notAnImage, .rawBesideJPEG, .sidecar, .video, .alreadyVisited, .library, .link,
      .otherProgram, .inTrash:
      return false
    }
  }
}
