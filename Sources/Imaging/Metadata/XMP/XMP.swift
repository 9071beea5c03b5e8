package import DiaryModel

/// Facts about a photo from a sidecar file or an embedded packet.
package struct SidecarFacts: Sendable, Equatable {
  package var time: RecordedTime?
  /// Whether `time` comes from a property for the time of capture, and not one for a digital file or a position.
  package var isCaptureTime = true
  /// Whether there is a date more trusted than `time` that could not be read.
  package var hasUnreadableTime: Bool
  package var notes: String?
  /// The plant's name, in sidecars that Leaflog exported.
  package var plant: String?
  /// Whether it calls the photo a favourite.
  package var isFavourite: Bool
  /// Whether the photo is in the bin of the program that wrote it.
  package var isTrashed: Bool

  package init(
    time: RecordedTime? = nil, isCaptureTime: Bool = true, hasUnreadableTime: Bool = false,
    notes: String? = nil, plant: String? = nil, isFavourite: Bool = false, isTrashed: Bool = false
  ) {
    self.time = time
    self.isCaptureTime = isCaptureTime
    self.hasUnreadableTime = hasUnreadableTime
    self.notes = notes
    self.plant = plant
    self.isFavourite = isFavourite
    self.isTrashed = isTrashed
  }
}

/// XMP (ISO 16684-1): reading a photo's capture time, description and plant.
package enum XMP {
  /// Longer packets are not read: editors' histories reach some megabytes.
  static let maxByteCount = 64 << 20

  /// The namespace of Leaflog's own properties in the sidecars of an export.
  static let leaflogNamespace = "urn:leaflog:1.0"

  /// The namespaces that are read and written, under their usual prefixes.
  static let namespaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "exif": "http://ns.adobe.com/exif/1.0/",
    "leaflog": leaflogNamespace, "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
  ]

  /// The properties with a capture time, most trusted first (XMP specification part 2). CreateDate is last:
  /// editors write the time at which they made the file.
  static let timeProperties = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized",
    "exif:GPSTimeStamp", "xmp:CreateDate",
  ]

  /// Which part of the time was recorded, in sidecars that Leaflog exported.
  static let basisProperty = "leaflog:timeBasis"

  /// Whether a time has the form in which Leaflog exports a moment in UTC. One that was edited since has
  /// another offset, or none.
  private static func isExportedMoment(_ time: RecordedTime, _ values: [String: String]) -> Bool {
    guard case .zoned(_, .utc) = time else { return false }
    return values[basisProperty] == EntryTime.Basis.instant.rawValue
  }

  /// Nil when the bytes are not well-formed XML, or declare a document type: XMP never does, and
  /// entity bombs have to.
  package static func facts(_ packet: some Collection<UInt8>) -> SidecarFacts? {
    guard let values = XMPReader.properties(of: packet) else { return nil }
    var facts = SidecarFacts(notes: values["dc:description"], plant: values["leaflog:plant"])
    for property in timeProperties {
      guard let text = values[property], !DateText.isBlank(text) else { continue }
      if let time = DateText.timestamp(text) {
        let isMoment = property == "exif:GPSTimeStamp" || isExportedMoment(time, values)
        facts.time = isMoment ? time.withoutPlace : time
        facts.isCaptureTime = timeProperties.prefix(2).contains(property)
        break
      }
      facts.hasUnreadableTime = true
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
    case .instant, .day: self
    }
  }
}
