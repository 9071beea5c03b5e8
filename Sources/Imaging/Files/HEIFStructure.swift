internal import DiaryModel

/// The picture's properties in a HEIF or AVIF file, and its other items (ISO/IEC 23008-12), found without decoding any
/// of it.
struct HEIFStructure {
  /// Whether the container says how to turn or mirror the picture (`irot`, `imir`), which libheif then does.
  private(set) var isTurned = false
  /// The EXIF item, as it is. libheif only lists one that refers to the picture, and libvips cuts off its beginning.
  private(set) var exif: [UInt8]?
  /// A profile for the colours that the container names by numbers (`colr` with `nclx`), where these are not sRGB's.
  private(set) var profile: [UInt8]?
  private(set) var furtherContent: Set<FurtherContent> = []
  /// Changes after which libheif decodes the file; none for most.
  private var edits = ByteEdits()

  /// The file as libheif decodes it: Sony's cameras list a portrait's rotation before its size, which libheif 1.15 then
  /// takes for that of the turned picture.
  func decodable(_ file: ByteBuffer) -> ByteBuffer {
    edits.isEmpty ? file : file.withUnsafeBytes { edits.applied(to: $0) }
  }

  /// No EXIF needs more.
  private static let maxEXIFByteCount = 16 << 20
  private static let knownBoxes: Set<String> = ["ftyp", "meta", "mdat", "free", "skip", "wide"]
  private static let videoBoxes: Set<String> = ["moov", "moof", "mpvd"]

  init(_ file: ByteBuffer) {
    file.withUnsafeBytes { bytes in
      let boxes = ISOBox.leadingBoxes(in: 0..<bytes.count, of: bytes)
      if let meta = boxes.first(where: { $0.type == "meta" }) { read(meta, bytes) }
      let end = boxes.last?.range.upperBound ?? 0
      let types = Set(boxes.map(\.type))
      let fileTypeCount = boxes.count { $0.type == "ftyp" }
      if !types.isDisjoint(with: Self.videoBoxes) || fileTypeCount > 1 {
        furtherContent.insert(.video)
      } else if !types.isSubset(of: Self.knownBoxes) {
        furtherContent.insert(.data)
      }
      furtherContent.formUnion(FurtherContent.trailing(bytes.rebased(end..<bytes.count)))
    }
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
    exif = Self.exif(items, primary, bytes)
    let colours = properties.filter { $0.type == "colr" }.map { bytes.rebased($0.payload) }
    if !colours.contains(where: { $0.holds("prof", at: 0) || $0.holds("rICC", at: 0) }),
      let named = colours.first(where: { $0.holds("nclx", at: 0) }),
      let primaries = named.integer(at: 4, size: 2), let transfer = named.integer(at: 6, size: 2)
    {
      profile = ColourProfile(primaries: primaries, transfer: transfer)?.bytes
    }
    furtherContent = Self.furtherContent(items, primary, bytes)
  }

  private static func exif(
    _ items: HEIFItems, _ primary: Int, _ bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let described = items.references.filter { $0.type == "cdsc" && $0.to.contains(primary) }
      .map(\.from)
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
      let isXMP = item.type == "mime" && (item.contentType ?? "").contains("xml")
      if !isXMP { found.insert(.data) }
    }
    return found
  }
}
