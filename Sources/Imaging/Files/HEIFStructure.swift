internal import DiaryModel

/// The picture's properties in a HEIF or AVIF file, and its other items (ISO/IEC 23008-12), found without decoding any
/// of it.
struct HEIFStructure {
  /// Whether the container says how to turn or mirror the picture (`irot`, `imir`), which libheif then does.
  private(set) var isTurned = false
  /// The EXIF item, as it is. libheif only lists one that refers to the picture, and libvips cuts off its beginning.
  private(set) var exif: [UInt8]?
  /// The colours that the container names by numbers (`colr` with `nclx`); nil where it does not, or has a profile of
  /// colours that are not HDR.
  private(set) var colours: PictureEncoding.Colours?
  /// Whether the colours were multiplied by the transparency (`prem`, 6.10.1.2).
  private(set) var isPremultiplied = false
  /// Whether the picture is grey, and its samples have a limited range.
  private(set) var hasLimitedGreys = false
  private(set) var furtherContent: Set<FurtherContent> = []
  /// Changes after which libheif decodes the file; none for most.
  private var edits = ByteEdits()

  /// The file as libheif decodes it: Sony's cameras list a portrait's rotation before its size, which libheif 1.15 then
  /// takes for that of the turned picture, and it does not know a `meta` box that extends to the end of the file.
  func decodable(_ file: SharedBytes) -> SharedBytes {
    edits.isEmpty ? file : file.withUnsafeBytes { edits.applied(to: $0) }
  }

  /// No EXIF needs more.
  private static let maxEXIFByteCount = 16 << 20
  private static let knownBoxes: Set<String> = ["ftyp", "meta", "mdat", "free", "skip", "wide"]
  private static let videoBoxes: Set<String> = ["moov", "moof", "mpvd"]

  init(_ file: SharedBytes) {
    file.withUnsafeBytes { bytes in
      let boxes = ISOBox.leadingBoxes(in: 0..<bytes.count, of: bytes)
      if let meta = boxes.first(where: { $0.type == "meta" }) {
        sizeLast(meta, bytes)
        read(meta, bytes)
      }
      let end = boxes.last?.range.upperBound ?? 0
      let types = Set(boxes.map(\.type))
      let fileTypeCount = boxes.count { $0.type == "ftyp" }
      // Without a still picture, the film is the picture.
      let hasVideo = !types.isDisjoint(with: Self.videoBoxes) && types.contains("meta")
      if hasVideo || fileTypeCount > 1 {
        furtherContent.insert(.video)
      } else if !types.isSubset(of: Self.knownBoxes.union(Self.videoBoxes)) {
        furtherContent.insert(.data)
      }
      furtherContent.formUnion(FurtherContent.trailing(bytes.rebased(end..<bytes.count)))
    }
  }

  /// Gives a box of size 0, which extends to the end of the file (ISO/IEC 14496-12, 4.2), the size that it has.
  private mutating func sizeLast(_ box: ISOBox, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.integer(at: box.range.lowerBound, size: 4) == 0,
      let size = UInt32(exactly: box.range.count)
    else { return }
    edits.overwrite(box.range.lowerBound, with: withUnsafeBytes(of: size.bigEndian) { Array($0) })
  }

  private mutating func read(_ meta: ISOBox, _ bytes: UnsafeRawBufferPointer) {
    guard
      let children = ISOBox.boxes(
        in: min(meta.start + 4, meta.range.upperBound)..<meta.range.upperBound, of: bytes),
      case let items = HEIFItems(children, in: bytes), let primary = items.primary
    else { return }
    for (offset, bytes) in items.ordered { edits.overwrite(offset, with: bytes) }
    let properties = items.properties[primary] ?? []
    isTurned = properties.contains { ["irot", "imir"].contains($0.type) }
    isPremultiplied = items.references.contains { $0.type == "prem" && $0.from == primary }
    exif = Self.exif(items, primary, bytes)
    readColours(properties, tile: items.firstPart(of: primary), bytes)
    furtherContent = Self.furtherContent(items, primary, bytes)
  }

  /// - Parameter tile: the properties of the first of the pictures that the picture is made of.
  private mutating func readColours(
    _ properties: [ISOBox], tile: [ISOBox], _ bytes: UnsafeRawBufferPointer
  ) {
    func named(_ properties: [ISOBox]) -> [UnsafeRawBufferPointer] {
      properties.filter { $0.type == "colr" }.map { bytes.rebased($0.payload) }
    }
    let boxes = named(properties).isEmpty ? named(tile) : named(properties)
    guard let codes = boxes.first(where: { $0.holds("nclx", at: 0) }),
      let primaries = codes.integer(at: 4, size: 2), let transfer = codes.integer(at: 6, size: 2)
    else { return }
    let found = ColourProfile.colours(primaries: primaries, transfer: transfer)
    let hasProfile = boxes.contains { $0.holds("prof", at: 0) || $0.holds("rICC", at: 0) }
    if case .wide = found { colours = found } else if !hasProfile { colours = found }
    // The highest bit says that the range is full.
    let isLimited = codes.integer(at: 10, size: 1).map { $0 & 0x80 == 0 } ?? false
    hasLimitedGreys = isLimited && (properties + tile).contains { Self.isGrey($0, bytes) }
  }

  /// Whether a decoder's configuration says that there is no chroma (AV1-ISOBMFF 2.3.3; ISO/IEC 14496-15, 8.3.3.1).
  private static func isGrey(_ property: ISOBox, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let box = bytes.rebased(property.payload)
    switch property.type {
    case "av1C": return box.integer(at: 2, size: 1).map { $0 & 0x10 != 0 } ?? false
    case "hvcC": return box.integer(at: 16, size: 1).map { $0 & 3 == 0 } ?? false
    default: return false
    }
  }

  /// The EXIF item that describes a picture, or the first one.
  static func exif(
    _ items: HEIFItems, _ primary: Int?, _ bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let described = items.references.filter { reference in
      reference.type == "cdsc" && primary.map(reference.to.contains) == true
    }.map(\.from)
    let blocks = items.all?.filter { $0.type == "Exif" } ?? []
    guard
      let pieces = (blocks.first { described.contains($0.id) } ?? blocks.first)?.pieces,
      pieces.reduce(0, { $0 + min($1.count, maxEXIFByteCount) }) <= maxEXIFByteCount
    else { return nil }
    return pieces.flatMap { Array(bytes[$0]) }
  }

  /// The auxiliary pictures that are part of the picture, or replaceable: transparency.
  private static let transparency: Set<String> = [
    "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  ]

  private static func furtherContent(
    _ items: HEIFItems, _ primary: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Set<FurtherContent> {
    var found: Set<FurtherContent> = []
    for item in items.all ?? [] where item.isPicture {
      if item.type == "tmap" { found.insert(.gainMap) }
      // Pictures that are shown with the first, such as depth and gain maps (`auxC`, 6.5.8).
      guard items.references.contains(where: { $0.type == "auxl" && $0.from == item.id }) else {
        continue
      }
      let property = items.properties[item.id]?.first { $0.type == "auxC" }
      let kind = property.map {
        String(decoding: bytes[$0.payload].dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
      }
      if let kind, transparency.contains(kind) { continue }
      let isGainMap = kind?.lowercased().contains("gainmap") == true
      found.insert(isGainMap ? .gainMap : .pictures)
    }
    for item in items.metadata ?? [] where item.type != "Exif" {
      // libvips knows an XMP packet by its media type, or by what is in it.
      if !item.isXMP { found.insert(.data) }
    }
    return found
  }
}

/// The items of a HEIF file's meta box, with their positions, properties and references
/// (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).
struct HEIFItems {
  struct Item {
    let id: Int
    /// `hvc1`, `Exif`, `mime` and so on.
    let type: String
    /// The media type of a `mime` item.
    let contentType: String?
    /// The ranges that make it up, in order; nil when one of them is in another file or outside this one.
    let pieces: [Range<Int>]?

    var isPicture: Bool { HEIFItems.pictureTypes.contains(type) }
    /// Nil when the item is in several pieces, in another file or outside this one.
    var range: Range<Int>? {
      guard let pieces, pieces.count < 2 else { return nil }
      return pieces.first ?? 0..<0
    }
  }

  /// A reference of an item to others, such as `thmb` or `auxl`.
  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
  }

  /// Nil when the boxes that list them are not understood.
  let all: [Item]?
  /// The item of the file's picture (`pitm`).
  let primary: Int?
  let references: [Reference]
  /// The properties of each item, by its id.
  private(set) var properties: [Int: [ISOBox]] = [:]
  /// Associations to write over those at these offsets: the same properties, those that transform the picture last, as
  /// the standard wants them (ISO/IEC 23008-12, 6.5.1). libheif 1.15 takes the size of a picture from the last one.
  private(set) var ordered: [(offset: Int, bytes: [UInt8])] = []

  /// The items that are not pictures; nil when the boxes that list them are not understood.
  var metadata: [Item]? { all?.filter { !$0.isPicture } }
  /// The items that are pictures; nil likewise.
  var pictures: [Item]? { all?.filter(\.isPicture) }

  /// The properties of the first of the pictures that a picture is made of, as a grid is (`dimg`); none for others.
  func firstPart(of item: Int) -> [ISOBox] {
    references.first { $0.type == "dimg" && $0.from == item }?.to.first
      .flatMap { properties[$0] } ?? []
  }

  private static let pictureTypes: Set<String> = [
    "hvc1", "hev1", "av01", "avc1", "jpeg", "j2k1", "vvc1", "evc1", "unci", "mski", "grid", "iovl",
    "iden", "tmap",
  ]

  /// - Parameter children: the boxes in the meta box.
  init(_ children: [ISOBox], in bytes: UnsafeRawBufferPointer) {
    func box(_ type: String) -> ISOBox? { children.first { $0.type == type } }
    primary = box("pitm").flatMap {
      let version = bytes.integer(at: $0.start, size: 1)
      return bytes.rebased($0.payload).integer(at: 4, size: version == 0 ? 2 : 4)
    }
    references = box("iref").flatMap { Self.references(bytes.rebased($0.payload)) } ?? []
    all = box("iinf").map { Self.all($0, children, bytes) } ?? []
    if let properties = box("iprp") { readProperties(properties, in: bytes) }
  }

  private static func all(
    _ list: ISOBox, _ children: [ISOBox], _ bytes: UnsafeRawBufferPointer
  ) -> [Item]? {
    func box(_ type: String) -> ISOBox? { children.first { $0.type == type } }
    let data = box("idat")?.payload
    let places = box("iloc").flatMap {
      Self.places(bytes.rebased($0.payload), fileByteCount: bytes.count, data: data)
    }
    guard let types = types(list, in: bytes), let places else { return nil }
    return types.map { id, type, contentType in
      Item(id: id, type: type, contentType: contentType, pieces: places[id] ?? nil)
    }
  }

  static func types(
    _ list: ISOBox, in bytes: UnsafeRawBufferPointer
  ) -> [(id: Int, type: String, contentType: String?)]? {
    guard let version = bytes.integer(at: list.start, size: 1),
      let entries = ISOBox.boxes(
        in: min(list.range.upperBound, list.start + (version == 0 ? 6 : 8))..<list.range.upperBound,
        of: bytes)
    else { return nil }
    var found: [(Int, String, String?)] = []
    for entry in entries where entry.type == "infe" {
      let box = bytes.rebased(entry.payload)
      guard let version = box.integer(at: 0, size: 1),
        let id = box.integer(at: 4, size: version < 3 ? 2 : 4)
      else { return nil }
      let at = version < 3 ? 8 : 10
      guard version >= 2 else {
        found.append((id, "mime", nil))  // the first versions have only media types
        continue
      }
      guard at + 4 <= box.count else { return nil }
      let type = String(decoding: box[at..<(at + 4)], as: UTF8.self)
      // The name of the item, then its media type, each up to a NUL.
      let texts = box[(at + 4)...].split(
        separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      let hasContentType = type == "mime" && texts.count > 1
      found.append((id, type, hasContentType ? String(decoding: texts[1], as: UTF8.self) : nil))
    }
    return found
  }

  /// The pieces by item; nil for an item that is not wholly in this file.
  private static func places(
    _ box: UnsafeRawBufferPointer, fileByteCount: Int, data: Range<Int>?
  ) -> [Int: [Range<Int>]?]? {
    var at = 0
    func next(_ size: Int) -> Int? {
      defer { at += size }
      return box.integer(at: at, size: size)
    }
    guard let version = next(1), version <= 2, next(3) != nil, let sizes = next(1),
      let more = next(1), let count = next(version < 2 ? 2 : 4)
    else { return nil }
    var found: [Int: [Range<Int>]?] = [:]
    for _ in 0..<count {
      guard let id = next(version < 2 ? 2 : 4), let method = version > 0 ? next(2) : 0,
        let reference = next(2), let base = next(more >> 4), let extents = next(2)
      else { return nil }
      var pieces: [Range<Int>] = []
      for _ in 0..<extents {
        if version > 0, next(more & 15) == nil { return nil }
        guard let offset = next(sizes >> 4), let length = next(sizes & 15) else { return nil }
        let whole = method == 0 ? 0..<fileByteCount : method == 1 ? data : nil
        guard reference == 0, let whole, base <= fileByteCount,
          offset <= fileByteCount, whole.lowerBound + base + offset <= whole.upperBound
        else { continue }
        let start = whole.lowerBound + base + offset
        guard length <= whole.upperBound - start else { continue }
        pieces.append(start..<(length == 0 ? whole.upperBound : start + length))
      }
      found[id] = pieces.count == extents ? pieces : .some(nil)
    }
    return found
  }

  private static func references(_ box: UnsafeRawBufferPointer) -> [Reference]? {
    guard let version = box.integer(at: 0, size: 1), box.count >= 4,
      let entries = ISOBox.boxes(in: 4..<box.count, of: box)
    else { return nil }
    let size = version == 0 ? 2 : 4
    return entries.compactMap { entry in
      let list = box.rebased(entry.payload)
      guard let from = list.integer(at: 0, size: size), let count = list.integer(at: size, size: 2)
      else { return nil }
      let to = (0..<count).compactMap { list.integer(at: size + 2 + $0 * size, size: size) }
      return Reference(type: entry.type, from: from, to: to)
    }
  }

  private static let transformations: Set<String> = ["irot", "imir", "clap"]

  /// Reads the properties that `ipma` gives to each item of those in `ipco`.
  private mutating func readProperties(_ box: ISOBox, in bytes: UnsafeRawBufferPointer) {
    let children = ISOBox.boxes(in: box.payload, of: bytes) ?? []
    let known =
      children.first { $0.type == "ipco" }
      .flatMap { ISOBox.boxes(in: $0.payload, of: bytes) } ?? []
    for list in children where list.type == "ipma" {
      let box = bytes.rebased(list.payload)
      var at = 4
      func next(_ size: Int) -> Int? {
        defer { at += size }
        return box.integer(at: at, size: size)
      }
      guard let version = box.integer(at: 0, size: 1), let flags = box.integer(at: 3, size: 1),
        let count = next(4)
      else { continue }
      // The highest bit says that a property is essential.
      let size = flags & 1 == 1 ? 2 : 1
      let mask = size == 2 ? 0x7FFF : 0x7F
      for _ in 0..<count {
        guard let id = next(version < 1 ? 2 : 4), let associations = next(1),
          associations * size <= box.count - at
        else { break }
        let entries = (0..<associations).map { entry -> (bytes: [UInt8], property: ISOBox?) in
          let place = at + entry * size
          let index = (box.integer(at: place, size: size) ?? 0) & mask
          let isKnown = index > 0 && index <= known.count
          return (Array(box[place..<(place + size)]), isKnown ? known[index - 1] : nil)
        }
        properties[id, default: []] += entries.compactMap(\.property)
        let isLast = entries.map { Self.transformations.contains($0.property?.type ?? "") }
        if let first = isLast.firstIndex(of: true), isLast[first...].contains(false) {
          let sorted =
            zip(entries, isLast).filter { !$0.1 } + zip(entries, isLast).filter(\.1)
          ordered.append((list.payload.lowerBound + at, sorted.flatMap(\.0.bytes)))
        }
        at += associations * size
      }
    }
  }
}

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), as used by HEIF and JPEG XL.
struct ISOBox {
  /// Four letters.
  let type: String
  let range: Range<Int>
  /// The offset of its contents.
  let start: Int

  var payload: Range<Int> { start..<range.upperBound }
  /// The offset of the letters of its type.
  var typeOffset: Int { range.lowerBound + 4 }

  /// The boxes that fill a range; nil when they do not fit into it.
  static func boxes(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [ISOBox]? {
    var found: [ISOBox] = []
    var at = range.lowerBound
    while at < range.upperBound {
      guard let box = ISOBox(at: at, within: range, of: bytes) else { return nil }
      found.append(box)
      at = box.range.upperBound
    }
    return found
  }

  /// The boxes at the beginning of a range, up to the first that does not fit into it, at most a thousand.
  static func leadingBoxes(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [ISOBox] {
    var found: [ISOBox] = []
    var at = range.lowerBound
    while found.count < 1000, let box = ISOBox(at: at, within: range, of: bytes) {
      found.append(box)
      at = box.range.upperBound
    }
    return found
  }

  /// The box at an offset; nil when it does not fit into the range.
  private init?(at: Int, within range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
    guard range.upperBound - at >= 8, let short = bytes.integer(at: at, size: 4) else { return nil }
    let isLong = short == 1
    let size = isLong ? bytes.integer(at: at + 8, size: 8) : short
    guard let size else { return nil }
    let length = short == 0 ? range.upperBound - at : size
    guard length >= (isLong ? 16 : 8), length <= range.upperBound - at else { return nil }
    type = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
    self.range = at..<(at + length)
    start = at + (isLong ? 16 : 8)
  }
}
