package import DiaryModel

/// Facts about a photo from a sidecar file or an embedded packet.
package struct SidecarFacts: Sendable, Equatable {
  package var time: RecordedTime?
  /// Whether `time` comes from a property for the time of capture, and not one for a digital file or a position.
  package var isCaptureTime = true
  /// Whether there is a date more trusted than `time` that could not be read.
  package var hasUnreadableTime: Bool
  /// Whether only the day could be read of a date with a time of day.
  package var isPartlyRead = false
  /// Whether `time` is a day in UTC.
  package var isDayInUTC = false
  /// Whether the XML is not well-formed, and was read nevertheless.
  package var isMended = false
  package var notes: String?
  /// Keywords, without the plant's name in sidecars that Leaflog exported.
  package var tags: [String]
  /// The plant's name, in sidecars that Leaflog exported.
  package var plant: String?
  /// The source of `time`, in sidecars that Leaflog exported and whose time nobody has changed.
  package var captureSource: CaptureSource?
  /// The warning that `time` is a guess or that clocks showed it twice, likewise.
  package var guess: ImportWarning?
  /// Whether Leaflog exported it: what it does not say, the photo does not have.
  package var isExported: Bool
  /// Whether it calls the photo a favourite.
  package var isFavourite: Bool
  /// Whether the photo is in the bin of the program that wrote it.
  package var isTrashed: Bool

  package init(
    time: RecordedTime? = nil, isCaptureTime: Bool = true, hasUnreadableTime: Bool = false,
    notes: String? = nil, tags: [String] = [], plant: String? = nil, isFavourite: Bool = false,
    isTrashed: Bool = false, isExported: Bool = false
  ) {
    self.time = time
    self.isCaptureTime = isCaptureTime
    self.hasUnreadableTime = hasUnreadableTime
    self.notes = notes
    self.tags = tags
    self.plant = plant
    self.isExported = isExported
    self.isFavourite = isFavourite
    self.isTrashed = isTrashed
  }
}

/// XMP (ISO 16684-1): reading a photo's capture time, description, keywords, rating and plant.
package enum XMP {
  /// Longer packets are not read: editors' histories reach some megabytes.
  static let maxByteCount = 64 << 20

  /// The namespace of Leaflog's own properties in the sidecars of an export.
  static let leaflogNamespace = "urn:leaflog:1.0"

  /// The namespaces that are read and written, under their usual prefixes.
  static let namespaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "exif": "http://ns.adobe.com/exif/1.0/",
    "leaflog": leaflogNamespace, "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "xmp": "http://ns.adobe.com/xap/1.0/", "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
  ]

  /// The properties with a capture time, most trusted first (XMP specification part 2). CreateDate is last:
  /// editors write the time at which they made the file.
  static let timeProperties = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized",
    "exif:GPSTimeStamp", "xmp:CreateDate",
  ]

  /// Which part of the time was recorded, in sidecars that Leaflog exported.
  static let basisProperty = "leaflog:timeBasis"
  /// The time as it was exported. While the time is the same, `sourceProperty` says where it came from, and
  /// `guessProperty` that it is a guess or that clocks showed it twice.
  static let capturedProperty = "leaflog:capturedAt"
  static let sourceProperty = "leaflog:captureSource"
  static let guessProperty = "leaflog:dateWarning"
  /// The rating of a favourite: the best there is (XMP specification part 2, 1.2.2.2).
  static let favouriteRating = 5

  /// Whether a time has the form in which Leaflog exports a moment in UTC. One that was edited since has
  /// another offset, or none.
  private static func isExportedMoment(_ time: RecordedTime, _ values: [String: String]) -> Bool {
    guard case .zoned(_, .utc) = time else { return false }
    return values[basisProperty] == EntryTime.Basis.instant.rawValue
  }

  /// Nil when the bytes are not XML, or declare a document type: XMP never does, and entity bombs have to.
  package static func facts(_ packet: some Collection<UInt8>) -> SidecarFacts? {
    guard let reader = XMPReader.read(packet) else { return nil }
    let values = reader.values
    var facts = SidecarFacts(
      notes: values["dc:description"], tags: reader.subjects, plant: values["leaflog:plant"],
      isFavourite: values["xmp:Rating"].flatMap(Double.init) == Double(favouriteRating),
      isExported: values[capturedProperty] != nil)
    facts.isMended = reader.isMended
    // An export names the plant among the keywords, for other programs.
    if let plant = facts.plant, let index = facts.tags.firstIndex(of: plant.trimmingSpaces()) {
      facts.tags.remove(at: index)
    }
    for property in timeProperties {
      guard let text = values[property], !DateText.isBlank(text) else { continue }
      let reading = DateText.timestamp(text)
      guard let time = reading.time else {
        facts.hasUnreadableTime = facts.hasUnreadableTime || facts.time == nil
        continue
      }
      let isGPS = property == "exif:GPSTimeStamp"
      let recorded = isGPS || isExportedMoment(time, values) ? time.withoutPlace : time
      if let partial = facts.time {
        // A property that is less trusted completes a date of which only a part is known.
        guard partial.isDate, recorded.isFuller(than: partial) else { continue }
        facts.isDayInUTC = false
      } else {
        facts.isCaptureTime = timeProperties.prefix(2).contains(property)
        facts.isPartlyRead = reading.hasUnreadableClock
        facts.isDayInUTC = isGPS && recorded.isDate
        if values[capturedProperty] == text {
          facts.captureSource = values[sourceProperty].flatMap(CaptureSource.init)
          facts.guess = values[guessProperty].flatMap(ImportWarning.init)
        }
      }
      facts.time = recorded
    }
    return facts
  }
}

extension RecordedTime {
  /// The time as an instant: GPS gives UTC and says nothing about local clocks.
  fileprivate var withoutPlace: RecordedTime {
    switch self {
    case .zoned(let wall, let offset): .instant(wall.timestamp(offset: offset))
    case .wall(let wall): .instant(wall.timestamp(offset: .utc))
    case .instant, .day, .month, .year: self
    }
  }
}
