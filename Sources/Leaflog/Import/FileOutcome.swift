/// What became of one file.
public struct FileOutcome: Sendable, Hashable {
  public enum Result: Sendable, Hashable {
    /// It is a new photo on the timeline.
    case added(ImportedPhoto)
    /// The library has it already.
    case duplicate(EntryID)
    /// It was in the trash, and is back on the timeline.
    case restored(EntryID)
    /// It is nothing to import.
    case skipped(SkipReason)
    /// It should have been imported and could not be; the sentence says why and what to do.
    case failed(FailureReason, message: String)
  }

  /// As the request named it, or below one of its folders.
  public let path: String
  public let result: Result
  /// What was odd about it.
  public let warnings: [ImportWarning]
  /// How many bytes were looked at.
  public let sourceByteCount: Int

  init(
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
  public let id: EntryID
  public let plantName: String?
  public let time: EntryTime
  public let captureSource: CaptureSource
  public let sourceByteCount: Int
  /// What its renditions take in the store.
  public let storedByteCount: Int
}

/// Why a file is nothing to import.
public enum SkipReason: String, Sendable, CaseIterable {
  case notAnImage, unsupportedFormat, raw, rawBesideJPEG, sidecar, hidden, video, notAFile
  case alreadyVisited, library

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
    }
  }
}

/// Why a file could not be imported.
public enum FailureReason: String, Sendable, CaseIterable {
  case truncated, corrupt, empty, noPixels, tooLarge, notAnImage, unsupportedFormat
  case unreadable, vanished
  case noSpace, readOnly, locked, storeFailed
}

/// What an import did in all.
public struct ImportSummary: Sendable, Hashable {
  public internal(set) var added = 0
  public internal(set) var duplicate = 0
  public internal(set) var restored = 0
  public internal(set) var skipped = 0
  public internal(set) var failed = 0
  /// Of the photos that were added, before and after.
  public internal(set) var sourceByteCount = 0
  public internal(set) var storedByteCount = 0
  public internal(set) var duration = Duration.zero
  /// Whether it was cancelled; what was done stays done.
  public internal(set) var isInterrupted = false

  mutating func count(_ outcome: FileOutcome) {
    switch outcome.result {
    case .added(let photo):
      added += 1
      sourceByteCount += photo.sourceByteCount
      storedByteCount += photo.storedByteCount
    case .duplicate: duplicate += 1
    case .restored: restored += 1
    case .skipped: skipped += 1
    case .failed: failed += 1
    }
  }
}

extension ImportSummary {
  /// Notes that it was ended before everything was done.
  public mutating func interrupt() { isInterrupted = true }

  /// Adds what a further run did.
  public static func += (left: inout ImportSummary, right: ImportSummary) {
    left.added += right.added
    left.duplicate += right.duplicate
    left.restored += right.restored
    left.skipped += right.skipped
    left.failed += right.failed
    left.sourceByteCount += right.sourceByteCount
    left.storedByteCount += right.storedByteCount
    left.duration += right.duration
    left.isInterrupted = left.isInterrupted || right.isInterrupted
  }
}
