/// The photos of a time-lapse, with the options.
public struct TimeLapseRequest: Sendable {
  /// How long each photo is shown.
  public enum Pace: String, Sendable, CaseIterable {
    /// All equally long.
    case even
    /// In proportion to the time until the next photo; three seconds at most.
    case real = "true"
  }

  /// The kind of file, by its extension.
  public enum Format: String, Sendable, CaseIterable {
    case webp, gif, mp4

    /// The default side of the picture in pixels, a compromise between quality and size.
    public var defaultSide: Int {
      switch self {
      case .webp: 960
      case .gif: 480
      case .mp4: 1280
      }
    }
  }

  /// The plant to show.
  public var plant: PlantID
  /// The file to write; its extension decides the format.
  public let path: String
  /// The kind of file.
  public let format: Format
  /// The first and the last day to show; nil sets no limit.
  public var firstDay: LocalDay?
  public var lastDay: LocalDay?
  /// Whether to show only one photo per day: the one taken nearest the usual time of day.
  public var isOnePerDay = false
  /// How long each photo is shown.
  public var pace = Pace.even
  /// Photos per second, on average.
  public var framesPerSecond = 10.0
  /// The longer side in pixels; never more than the photos have.
  public var side: Int
  /// Whether the day is written into the corner.
  public var hasDateStamp = false
  /// Whether shift, scale and rotation between photos are removed.
  public var isAligned = true
  /// Whether aligned photos that are much brighter or darker than the well-exposed ones are brought
  /// near these.
  public var isExposureCorrected = true

  /// - Throws: `LeaflogError` with code `invalidRequest` when the extension is not that of a supported format.
  public init(plant: PlantID, path: String) throws(LeaflogError) {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = Format(rawValue: ending) else {
      throw .invalid("\(path) should end in .webp, .gif or .mp4: that is what can be written.")
    }
    self.plant = plant
    self.path = path
    self.format = format
    side = format.defaultSide
  }
}

/// The result of a time-lapse.
public struct TimeLapseSummary: Sendable {
  /// A photo that could not be shown.
  public struct Failure: Sendable {
    public let id: EntryID
    public let message: String
  }

  /// The number of frames, one per photo.
  public let frameCount: Int
  /// The number of frames that were aligned; the others are shown as they are.
  public let alignedCount: Int
  /// The size of the picture, in pixels.
  public let size: PixelSize
  /// The length of the film.
  public let duration: Duration
  /// The size of the file.
  public let byteCount: Int
  /// The photos that could not be shown; the previous one is shown instead.
  public let failures: [Failure]
}
