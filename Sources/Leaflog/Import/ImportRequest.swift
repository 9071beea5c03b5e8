public import Foundation

/// The files to import, with the options.
public struct ImportRequest: Sendable {
  /// Which plant a photo belongs to.
  public enum PlantAssignment: Sendable, Hashable {
    /// The one called like the folder that the photo lies in.
    case folder
    case named(String)
    case none
  }

  /// Which photos in the trash an import takes back onto the timeline.
  public enum Readmission: Sendable, Hashable {
    /// Those whose files the request names itself, and none that are found in a folder.
    case named
    /// All whose files are found.
    case all
    case none
  }

  /// Folders and files.
  public var paths: [String]
  /// By default the folder's name.
  public var plant: PlantAssignment = .folder
  /// Nil means the library's.
  public var policy: StoragePolicy?
  /// Notes for photos that have none from a sidecar.
  public var note: String?
  /// The zone of wall times that come without an offset, when it is known; they then count as
  /// recorded in it. Nil leaves them without.
  public var assumedTimeZone: TimeZone?
  /// The capture time of all photos, set by hand; a day alone keeps the time of day where it is
  /// known. Nil means as each photo says.
  public var time: RecordedTime?
  /// The others stay in the trash, with the plants that were deleted with them.
  public var readmission = Readmission.named
  /// Enters folders that links lead to. Those that `paths` names are entered in any case.
  public var followsLinks = false
  /// Reads everything and changes nothing.
  public var isDryRun = false
  /// Deletes each file once its exact bytes are durable in the library.
  public var isMove = false
  /// How many photos to work on at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount
  /// Larger files are not read, in bytes. Nil means the library's setting.
  public var maxFileByteCount: Int?
  /// The SSIMULACRA2 score that compressed copies have to reach.
  public var targetScore = 80.0

  /// Everything else has its default.
  public init(paths: [String]) { self.paths = paths }
}
