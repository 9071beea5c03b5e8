public import Foundation

/// What to import, and how.
public struct ImportRequest: Sendable {
  /// Which plant a photo belongs to.
  public enum PlantAssignment: Sendable, Hashable {
    /// The one called like the folder that the photo lies in.
    case folder
    case named(String)
    case none
  }

  /// Folders and files.
  public var paths: [String]
  /// The folder's name, unless told.
  public var plant: PlantAssignment = .folder
  /// Nil means the library's.
  public var policy: StoragePolicy?
  /// Notes for photos that have none from a sidecar.
  public var note: String?
  /// The zone of wall times that come without an offset, when it is known; they then count as
  /// recorded in it. Nil leaves them without.
  public var assumedTimeZone: TimeZone?
  /// When all of them were taken, as somebody says; a day alone leaves photos the time of day that they
  /// are known to have. Nil means as each photo says.
  public var time: RecordedTime?
  /// Looks at everything and changes nothing.
  public var isDryRun = false
  /// Deletes each file once its exact bytes are durable in the library.
  public var isMove = false
  /// How many photos to work on at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount
  /// What compressed copies have to reach (SSIMULACRA2).
  public var targetScore = 80.0

  /// Everything else has its default.
  public init(paths: [String]) { self.paths = paths }
}
