/// Builds HEIC files around the coded picture of another, with the boxes that phones write.
package struct HEIFBuilder {
  /// Quarter turns against the clock (`irot`).
  package var quarterTurns: UInt8?
  /// Whether the rotation is the first property of the picture, as in Sony's files, and not the last.
  package var turnsFirst = false
  /// The whole item with EXIF, including anything before its TIFF header.
  package var exif: [UInt8]?
  /// An ICC profile.
  package var profile: [UInt8]?
  /// Codes of primaries and transfer function (`nclx`).
  package var codes: (primaries: UInt8, transfer: UInt8)?
  /// The kind of a second picture that is shown with the first (`auxC`).
  package var auxiliary: String?
  /// The size that the file claims for its picture.
  package var size: (width: Int, height: Int)?
  /// Whether the box with everything but the pictures is the last one, and of size 0: it extends to the end of the file.
  package var endsOpen = false
  /// The type of the picture's item; another one than the source's is not read.
  package var codec = "hvc1"
  /// Boxes at the end of the file.
  package var further: [(String, [UInt8])] = []

  package init() {}

  /// EXIF as the standard wants it: the distance of the TIFF header before it.
  package static func exifItem(_ block: [UInt8]) -> [UInt8] { [0, 0, 0, 0] + block }

  /// - Parameter heic: a file with one picture as its only item.
  package func file(_ heic: some Collection<UInt8>) -> [UInt8] {
    let source = Array(heic)
    let picture = Array(Self.box("mdat", in: source).dropFirst(8))
    var properties = ["hvcC", "pixi"].map { Self.box($0, in: source) }
    properties.append(size.map(Self.extent) ?? Self.box("ispe", in: source))
    if let profile { properties.append(Self.box("colr", Array("prof".utf8) + profile)) }
    if let codes {
      properties.append(
        Self.box("colr", Array("nclx".utf8) + [0, codes.primaries, 0, codes.transfer, 0, 6, 0x80]))
    }
    if let quarterTurns { properties.append(Self.box("irot", [quarterTurns])) }
    var shared = properties.indices.map { UInt8($0 + 1) }
    if turnsFirst, let last = shared.popLast() { shared.insert(last, at: 0) }
    var items: [(id: UInt8, type: String, data: [UInt8], properties: [UInt8])] = [
      (1, codec, picture, shared)
    ]
    var references: [UInt8] = []
    if let exif {
      items.append((2, "Exif", exif, []))
      references += Self.box("cdsc", [0, 2, 0, 1, 0, 1])
    }
    if let auxiliary {
      properties.append(Self.box("auxC", [0, 0, 0, 0] + Array(auxiliary.utf8) + [0]))
      items.append((3, "hvc1", picture, [1, 2, 3, UInt8(properties.count)]))
      references += Self.box("auxl", [0, 3, 0, 1, 0, 1])
    }
    let fileType = Self.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
    func meta(_ start: Int) -> [UInt8] {
      var at = start
      let places = items.flatMap { item -> [UInt8] in
        defer { at += item.data.count }
        return [0, item.id, 0, 0, 0, 1] + Self.number(at) + Self.number(item.data.count)
      }
      let associations = items.filter { !$0.properties.isEmpty }
      let names = items.map { item in
        Self.box("infe", [2, 0, 0, 0, 0, item.id, 0, 0] + Array(item.type.utf8) + [0])
      }
      return Self.box(
        "meta",
        [0, 0, 0, 0]
          + Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + Self.zeros(13))
          + Self.box("pitm", [0, 0, 0, 0, 0, 1])
          + Self.box("iloc", [0, 0, 0, 0, 0x44, 0, 0, UInt8(items.count)] + places)
          + Self.box("iinf", [0, 0, 0, 0, 0, UInt8(items.count)] + names.flatMap { $0 })
          + Self.box(
            "iprp",
            Self.box("ipco", properties.flatMap { $0 })
              + Self.box(
                "ipma",
                [0, 0, 0, 0] + Self.number(associations.count)
                  + associations.flatMap { [0, $0.id, UInt8($0.properties.count)] + $0.properties })
          )
          + (references.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + references)))
    }
    if endsOpen {
      let file = fileType + Self.box("mdat", items.flatMap(\.data))
      return file + [0, 0, 0, 0] + meta(fileType.count + 8).dropFirst(4)
    }
    let start = fileType.count + meta(0).count + 8
    return fileType + meta(start) + Self.box("mdat", items.flatMap(\.data))
      + further.flatMap { Self.box($0.0, $0.1) }
  }

  /// An animation without a still picture, which is not decoded: an AVIF file with a track, and EXIF in the track's
  /// items.
  package static func sequence(size: (width: Int, height: Int), exif: [UInt8]) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    func handler(_ type: String) -> [UInt8] { box("hdlr", zeros(8) + Array(type.utf8) + zeros(13)) }
    let item = exifItem(exif)
    let fileType = box("ftyp", Array("avis\0\0\0\0avismsf1iso8".utf8))
    let samples = Array(repeating: 7 as UInt8, count: 100)
    let entry =
      zeros(24) + short(size.width) + short(size.height) + zeros(50) + box("av1C", [0x81, 0, 0, 0])
    let table = box("stsd", zeros(4) + number(1) + box("av01", entry))
    let media = box("mdia", handler("pict") + box("minf", box("stbl", table)))
    let place = [0, 1, 0, 0, 0, 1] + number(fileType.count + 8) + number(item.count)
    let meta = box(
      "meta",
      zeros(4) + handler("pict") + box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 1] + place)
        + box(
          "iinf",
          zeros(4) + [0, 1] + box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array("Exif".utf8) + [0])))
    let movie = box("moov", box("mvhd", zeros(100)) + box("trak", meta + media))
    return fileType + box("mdat", item + samples) + movie
  }

  private static func extent(_ size: (width: Int, height: Int)) -> [UInt8] {
    box("ispe", [0, 0, 0, 0] + number(size.width) + number(size.height))
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(type.utf8) + content
  }

  /// The first box of a type in a file.
  private static func box(_ type: String, in file: [UInt8]) -> [UInt8] {
    guard let found = file.firstRange(of: Array(type.utf8))?.lowerBound else { return [] }
    let count = file[(found - 4)..<found].reduce(0) { $0 << 8 | Int($1) }
    return Array(file[(found - 4)..<(found - 4 + count)])
  }
}
