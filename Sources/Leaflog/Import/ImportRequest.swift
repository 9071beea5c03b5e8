public import Foundation
internal import Glibc
internal import Imaging

/// The files to import, with the options.
public struct ImportRequest: Sendable {
  /// The plant that photos are assigned to.
  public enum PlantAssignment: Sendable, Hashable {
    /// The plant that the photo's XMP sidecar names; without one, the plant named like the photo's folder.
    case folder
    /// Likewise, but the plant is named like all folders between what is imported and the photo, with slashes between their
    /// names (`drought/basil`), except dates and folders that cameras and systems make.
    case path
    /// The plant with this name, which is added if there is none.
    case named(String)
    /// No plant.
    case none
  }

  /// The photos that an import restores from the trash.
  public enum Readmission: Sendable, Hashable {
    /// Those whose files the request names itself, not those found in a folder.
    case named
    /// All photos whose files are found.
    case all
    /// None; they stay in the trash.
    case none
  }

  /// The folders and files to import.
  public var paths: [String]
  /// The plant that the photos are assigned to.
  public var plant: PlantAssignment = .folder
  /// The storage policy; nil means the library's.
  public var policy: StoragePolicy?
  /// Notes for photos that have none from a sidecar.
  public var note: String?
  /// The zone of wall times that come without an offset, when it is known; they then count as
  /// recorded in it. Nil leaves them without.
  public var assumedTimeZone: TimeZone?
  /// The capture time of all photos, set by hand; a day alone keeps the time of day where it is known.
  /// Nil means each photo's own.
  public var time: RecordedTime?
  /// The photos to restore from the trash. Others stay there, with the plants that were deleted with them.
  public var readmission = Readmission.named
  /// Whether to follow symbolic links to folders. Links that `paths` names are always followed.
  public var followsLinks = false
  /// Whether to search hidden files and folders too, and those that network storage, desktops and other programs keep
  /// for themselves, such as thumbnails and deleted files. Named ones are always searched.
  public var takesAll = false
  /// Whether to take new facts of files and sidecars over into photos that the library has already: what has changed
  /// in them since they were imported. Under the policies `lossless` and `exact`, the new bytes of a file replace the
  /// photo's.
  public var updatesPhotos = false
  /// Whether to read everything and change nothing.
  public var isDryRun = false
  /// Whether to delete each file once its exact bytes are durable in the library.
  public var movesFiles = false
  /// The number of photos to process at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount
  /// The size of the largest file to read, in bytes. Nil means the library's setting.
  public var maxFileByteCount: Int?
  /// The SSIMULACRA2 score that compressed copies have to reach, 0 to 100.
  public var targetScore = 80.0

  /// Creates a request with default options. One without paths is for photos that are in memory.
  public init(paths: [String] = []) { self.paths = paths }
}

extension PerceptualTarget {
  /// - Throws: `LeaflogError` with code `invalidRequest` for a score that no copy can have.
  static func check(_ score: Double) throws(LeaflogError) {
    guard (0...100).contains(score) else {
      throw .invalid("A score that copies have to reach is from 0 to 100, not \(score).")
    }
  }
}

/// Process-wide settings for programs that mainly import photos.
public enum ImportProcess {
  /// Tunes the C library's allocator for images, which saves a tenth of the time and a quarter of the
  /// memory. Call it once, before anything else, in a program of your own; never in a library.
  public static func prepare() { ProcessMemory.keepLargeBlocks() }

  /// Sets the memory that the process may take, in bytes, instead of what its control groups and the machine allow. Photos
  /// that take more keep their exact bytes, and get a thumbnail from a reduced picture. Call it before any photo is
  /// imported.
  ///
  /// - Parameter byteCount: at least `leastMemory`.
  public static func limitMemory(to byteCount: Int) { ProcessMemory.limit(to: byteCount) }

  /// The least memory with which a process works, in bytes.
  public static let leastMemory = ProcessMemory.least

  /// Gives memory that is free in the C library's allocator back to the system.
  package static func releaseFreeMemory() { ProcessMemory.releaseFree() }

  /// Ignores SIGHUP from now on if the process has no terminal that could be closed: whoever rotates logs sends it to all
  /// services.
  package static func ignoreHangupWithoutTerminal() {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    if terminal < 0 { signal(SIGHUP, SIG_IGN) } else { close(terminal) }
  }

  /// Whether the process goes on when its terminal is closed, as nohup(1) starts it.
  package static var ignoresHangup: Bool {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
