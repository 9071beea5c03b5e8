package import DiaryModel

/// What a file beside a photo, or a packet inside it, says of the photo.
package struct SidecarFacts: Sendable, Equatable {
  package var time: RecordedTime?
  /// Whether a date stands there, more trusted than `time`, that could not be read.
  package var hasUnreadableTime: Bool
  package var notes: String?
  /// The plant's name, in sidecars that Leaflog exported.
  package var plant: String?

  package init(
    time: RecordedTime? = nil, hasUnreadableTime: Bool = false, notes: String? = nil,
    plant: String? = nil
  ) {
    self.time = time
    self.hasUnreadableTime = hasUnreadableTime
    self.notes = notes
    self.plant = plant
  }
}

/// XMP (ISO 16684-1): when a photo was taken and what was written about it.
package enum XMP {
  /// Longer packets are not read: editors' histories reach some megabytes.
  static let maxByteCount = 64 << 20

  /// What Leaflog writes into the sidecars of an export.
  static let leaflogNamespace = "urn:leaflog:1.0"

  /// The namespaces that are read and written, under their usual prefixes.
  static let namespaces = [
    "dc": "http://purl.org/dc/elements/1.1/", "exif": "http://ns.adobe.com/exif/1.0/",
    "leaflog": leaflogNamespace, "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
  ]

  /// The properties that say when, most trusted first, with the EXIF tags they stand for
  /// (XMP specification part 2). CreateDate is last: editors write when they made the file.
  static let timeProperties = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized",
    "exif:GPSTimeStamp", "xmp:CreateDate",
  ]

  /// Nil when the bytes are not well-formed XML, or declare a document type: XMP never does, and
  /// entity bombs have to.
  package static func facts(_ packet: some Collection<UInt8>) -> SidecarFacts? {
    guard let values = XMPReader.properties(of: packet) else { return nil }
    var facts = SidecarFacts(notes: values["dc:description"], plant: values["leaflog:plant"])
    for property in timeProperties {
      guard let text = values[property], !DateText.isBlank(text) else { continue }
      if let time = DateText.timestamp(text) {
        facts.time = property == "exif:GPSTimeStamp" ? time.withoutPlace : time
        break
      }
      facts.hasUnreadableTime = true
    }
    return facts
  }
}

extension RecordedTime {
  /// GPS tells UTC and nothing of a place's clocks.
  fileprivate var withoutPlace: RecordedTime {
    switch self {
    case .zoned(let wall, let offset): .instant(wall.timestamp(offset: offset))
    case .wall(let wall): .instant(wall.timestamp(offset: .utc))
    case .instant, .day: self
    }
  }
}
