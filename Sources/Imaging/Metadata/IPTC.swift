package import DiaryModel

/// The dates, caption and keywords in a photo's IPTC data: the application record of IPTC-IIM (version 4.2, 2).
package struct IPTC: Sendable, Equatable {
  /// The dates that the data may have.
  package enum Date: Sendable, CaseIterable {
    case created, digitized
  }

  /// DateCreated (2:55) and TimeCreated (2:60).
  package var created: RecordedTime?
  /// DigitalCreationDate (2:62) and DigitalCreationTime (2:63).
  package var digitized: RecordedTime?
  /// The dates that are present but cannot be read. Zeros do not count: they say that a date is unknown.
  package var unreadable: Set<Date> = []
  /// The dates of which only the day can be read, although there is a time of day.
  package var partlyRead: Set<Date> = []
  /// Caption (2:120).
  package var caption: String?
  /// Keywords (2:25).
  package var keywords: [String] = []

  /// Data or resources that are longer are not read to their end.
  static let maxByteCount = 4 << 20

  /// No dates.
  package init() {}

  /// Reads IIM data sets, or Photoshop's image resources that contain them.
  package init(block: some Collection<UInt8>) {
    let bytes = Array(block.prefix(Self.maxByteCount))
    bytes.withUnsafeBytes { bytes in
      if bytes.first == Self.tagMarker {
        take(bytes)
      } else if let data = Self.dataSets(inResources: bytes) {
        take(bytes.rebased(data))
      }
    }
  }

  /// Reads the segments APP13 of a JPEG, over which Photoshop's image resources are spread.
  init(jpeg: SharedBytes) {
    let marker = Array("Photoshop 3.0\0".utf8)
    let segments = JPEGStructure(headerOf: jpeg).segments
    self.init(
      block: jpeg.withUnsafeBytes { bytes in
        segments.reduce(into: [UInt8]()) { resources, segment in
          let payload = bytes[segment.payload]
          guard segment.marker == 0xED, payload.starts(with: marker),
            resources.count < Self.maxByteCount
          else { return }
          resources += payload.dropFirst(marker.count)
        }
      })
  }

  /// Reads the tags of a TIFF file: IPTC's own (TIFF/EP, 33723), or the one for Photoshop's image resources.
  init(tiffFile: SharedBytes) {
    guard let main = TIFFStructure(tiffFile)?.metadata,
      let field = main[0x83BB] ?? main[0x8649]
    else {
      self.init()
      return
    }
    self.init(block: Self.bytes(of: field))
  }

  /// The data in a tag of a TIFF file. Where it has the type LONG, the four bytes of each may be in the other order.
  static func bytes(of field: TIFFStructure.Field) -> [UInt8] {
    var bytes = Array(field.bytes.prefix(Self.maxByteCount))
    if field.type == 4, bytes.count >= 4, bytes[0] != Self.tagMarker, bytes[3] == Self.tagMarker {
      for at in stride(from: 0, to: bytes.count - 3, by: 4) { bytes[at..<(at + 4)].reverse() }
    }
    return bytes
  }

  /// The first byte of each data set (IIM 4.2, 1.5).
  static let tagMarker: UInt8 = 0x1C

  /// The range of the IPTC data among Photoshop's image resources.
  private static func dataSets(inResources bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    ImageResources.all(in: bytes).first { $0.number == ImageResources.iptc }?.data
  }

  /// Further keywords are not read, nor the rest of longer texts; the standard allows 64 and 2,000 bytes.
  private static let (maxKeywordCount, maxTextByteCount) = (500, 32_000)

  /// Reads data sets: a marker, a record, a number and a length. The first of a number counts, of keywords each.
  private mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var texts: [UInt8: String] = [:]
    var isUTF8 = false
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == Self.tagMarker,
      var count = bytes.integer(at: at + 3, size: 2)
    {
      let (record, number) = (bytes[at + 1], bytes[at + 2])
      at += 5
      if count >= 0x8000 {
        // Of an extended data set, this is the size of the length.
        let size = count - 0x8000
        guard let length = bytes.integer(at: at, size: size) else { break }
        at += size
        count = length
      }
      guard count <= bytes.count - at else { break }
      if record == 2, [55, 60, 62, 63].contains(number), texts[number] == nil {
        let value = bytes[at..<(at + count)].prefix(32).prefix { $0 != 0 }
        texts[number] = String(decoding: value, as: UTF8.self).trimmingSpaces()
      }
      let value = bytes[at..<(at + count)].prefix(Self.maxTextByteCount)
      switch (record, number) {
      // The escape sequence of ISO 2022 for UTF-8.
      case (1, 90): isUTF8 = value.elementsEqual([0x1B, 0x25, 0x47])
      case (2, 25) where keywords.count < Self.maxKeywordCount:
        Self.text(value, isUTF8: isUTF8).map { keywords.append($0) }
      case (2, 120) where caption == nil: caption = Self.text(value, isUTF8: isUTF8)
      default: break
      }
      at += count
    }
    created = time(.created, texts[55], texts[60])
    digitized = time(.digitized, texts[62], texts[63])
  }

  /// A text in UTF-8, or in Windows-1252 if it is not said to be UTF-8 and is none; nil when it is empty.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>, isUTF8: Bool) -> String? {
    let bytes = bytes.prefix { $0 != 0 }
    let text =
      isUTF8
      ? String(decoding: bytes, as: UTF8.self)
      : String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map(Self.scalar)))
    let trimmed = text.trimmingSpaces()
    return trimmed.isEmpty ? nil : trimmed
  }

  /// The characters of Windows-1252 from 0x80 on; elsewhere it is Latin 1. Five of these bytes have no character, and
  /// are the controls of Latin 1 (WHATWG Encoding, index windows-1252).
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  private static func scalar(_ byte: UInt8) -> UnicodeScalar {
    (0x80..<0xA0).contains(byte) ? windows1252[Int(byte) - 0x80] : UnicodeScalar(byte)
  }

  private mutating func time(_ kind: Date, _ day: String?, _ clock: String?) -> RecordedTime? {
    guard let day, !DateText.isBlank(day) else { return nil }
    let reading = DateText.iptc(day, clock: clock)
    if reading.time == nil { unreadable.insert(kind) }
    if reading.hasUnreadableClock { partlyRead.insert(kind) }
    return reading.time
  }
}
