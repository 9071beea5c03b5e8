/// The photos of a time-lapse, with the options.
public struct TimeLapseRequest: Sendable {
  /// How long each photo is shown.
  public enum Pace: String, Sendable, CaseIterable {
    /// All equally long.
    case even
    /// As long as it was until the next photo, in proportion; three seconds at the most.
    case real = "true"
  }

  /// The kind of file, by its name's ending.
  public enum Format: String, Sendable, CaseIterable {
    case webp, gif, mp4

    /// The default side of the picture in pixels, a compromise of looks and size.
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
  /// The file to write; its ending decides the format.
  public let path: String
  /// The kind of file.
  public let format: Format
  /// The first and the last day to show; nil is without bound.
  public var firstDay: LocalDay?
  public var lastDay: LocalDay?
  /// Of each day the photo that was taken nearest the usual time of day.
  public var isOnePerDay = false
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

  /// - Throws: `LeaflogError` when the name's ending is not a supported format.
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

  public let frameCount: Int
  /// How many of them lie on the others; the rest is shown as it is.
  public let alignedCount: Int
  public let size: PixelSize
  /// How long it runs.
  public let duration: Duration
  /// Of the file.
  public let byteCount: Int
  /// The photos that could not be shown; the previous one is shown instead.
  public let failures: [Failure]
}
