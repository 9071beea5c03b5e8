internal import DiaryModel

/// The size and the metadata of a picture in a HEIF or AVIF file that is not decoded, and the reason for it, from the
/// file's boxes (ISO/IEC 14496-12; ISO/IEC 23008-12).
struct HEIFOutline {
  /// The size after the container's rotation; nil when the file does not say it.
  private(set) var size: PixelSize?
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  /// The reason, unless it is that of a codec.
  private var fault: ImagingError?

  init(_ file: SharedBytes) {
    self = file.withUnsafeBytes { bytes in
      HEIFOutline(ISOBox.leadingBoxes(in: 0..<bytes.count, of: bytes), bytes)
    }
  }

  /// - Parameter boxes: those of the file.
  init(_ boxes: [ISOBox], _ bytes: UnsafeRawBufferPointer) {
    let movie = boxes.first { $0.type == "moov" }
    let items = boxes.first { $0.type == "meta" }
      .flatMap { $0.children(in: bytes, after: 4) }.map { HEIFItems($0, in: bytes) }
    if let items, let primary = items.primary {
      readPicture(items, primary)
      readMetadata(items, primary, bytes)
      readSize(items.properties[primary] ?? [], bytes)
    } else if let movie {
      fault = ImagingError(
        .unsupported, "It is an animation without a still picture, which is not read.")
      readSequence(movie, bytes)
    } else if boxes.contains(where: { $0.type == "mini" }) {
      fault = Self.unread  // ISO/IEC 23008-12, amendment 1
    } else {
      fault = DecodingFailure.damaged
    }
  }

  private static let unread = ImagingError(
    .unsupported, "Its pictures are of a kind that is not read.")

  /// - Parameter isOpened: whether the decoder understood the boxes, so that it failed at the picture.
  func failure(isOpened: Bool) -> ImagingError {
    fault ?? (isOpened ? DecodingFailure.damaged : Self.unread)
  }

  /// The types of items that libheif decodes, with the property that each needs for it.
  private static let codecs = ["hvc1": "hvcC", "av01": "av1C"]
  private static let derived: Set<String> = ["grid", "iovl", "iden"]

  /// Notes what is wrong with the picture: its kind, its place, or the properties that it needs.
  private mutating func readPicture(_ items: HEIFItems, _ primary: Int) {
    guard let all = items.all, let picture = all.first(where: { $0.id == primary }) else {
      fault = DecodingFailure.damaged
      return
    }
    // A picture that is made of others has them in its references.
    let parts = Set(
      items.references.filter { $0.type == "dimg" && $0.from == primary }.flatMap(\.to))
    let coded =
      Self.derived.contains(picture.type) ? all.filter { parts.contains($0.id) } : [picture]
    if coded.contains(where: { Self.codecs[$0.type] == nil && !Self.derived.contains($0.type) }) {
      fault = Self.unread
    } else if coded.contains(where: { $0.pieces == nil }) {
      fault = DecodingFailure.truncated("Its picture lies beyond its end.")
    } else if coded.isEmpty || coded.contains(where: { lacksProperties($0, items) }) {
      fault = DecodingFailure.damaged
    }
  }

  private func lacksProperties(_ item: HEIFItems.Item, _ items: HEIFItems) -> Bool {
    let types = Set(items.properties[item.id]?.map(\.type) ?? [])
    return !types.contains("ispe") || Self.codecs[item.type].map { !types.contains($0) } ?? false
  }

  private mutating func readMetadata(
    _ items: HEIFItems, _ primary: Int?, _ bytes: UnsafeRawBufferPointer
  ) {
    exif = exif ?? HEIFStructure.exif(items, primary, bytes)
    let packet = items.all?.first { $0.isXMP }?.pieces
    if xmp == nil, let packet, packet.reduce(0, { $0 + $1.count }) <= XMP.maxByteCount {
      xmp = packet.flatMap { Array(bytes[$0]) }
    }
  }

  /// Reads `ispe` and `irot` (ISO/IEC 23008-12, 6.5.3 and 6.5.10).
  private mutating func readSize(_ properties: [ISOBox], _ bytes: UnsafeRawBufferPointer) {
    guard let extent = properties.first(where: { $0.type == "ispe" }),
      let width = bytes.rebased(extent.payload).integer(at: 4, size: 4),
      let height = bytes.rebased(extent.payload).integer(at: 8, size: 4)
    else { return }
    let turns =
      properties.first { $0.type == "irot" }
      .flatMap { bytes.rebased($0.payload).integer(at: 0, size: 1) } ?? 0
    take(turns % 2 == 0 ? (width, height) : (height, width))
  }

  private mutating func take(_ sides: (width: Int, height: Int)) {
    guard sides.width > 0, sides.height > 0 else { return }
    size = PixelSize(width: sides.width, height: sides.height)
  }

  /// Reads the size of the first track of pictures (ISO/IEC 14496-12, 8.5.2 and 12.1.3), and the items with metadata that
  /// the film or the track has.
  private mutating func readSequence(_ movie: ISOBox, _ bytes: UnsafeRawBufferPointer) {
    let boxes = movie.children(in: bytes) ?? []
    let tracks = boxes.filter { $0.type == "trak" }.map { $0.children(in: bytes) ?? [] }
    for meta in (tracks + [boxes]).flatMap({ $0.filter { $0.type == "meta" } }) {
      guard let children = meta.children(in: bytes, after: 4) else { continue }
      readMetadata(HEIFItems(children, in: bytes), nil, bytes)
    }
    for track in tracks where size == nil {
      guard let media = track.first(where: { $0.type == "mdia" })?.children(in: bytes),
        let handler = media.first(where: { $0.type == "hdlr" }),
        ["pict", "vide"].contains(where: { bytes.holds($0, at: handler.start + 8) }),
        let description = media.first("minf", bytes)?.first("stbl", bytes)?
          .first(where: { $0.type == "stsd" }),
        let entry = description.children(in: bytes, after: 8)?.first,
        case let fields = bytes.rebased(entry.payload),
        let width = fields.integer(at: 24, size: 2), let height = fields.integer(at: 26, size: 2)
      else { continue }
      take((width, height))
    }
  }
}

extension HEIFItems.Item {
  /// Whether it is an XMP packet, by its media type.
  var isXMP: Bool { type == "mime" && (contentType ?? "").contains("xml") }
}

extension ISOBox {
  /// The boxes in it, behind so many bytes of its own; nil when they do not fit into it.
  func children(in bytes: UnsafeRawBufferPointer, after count: Int = 0) -> [ISOBox]? {
    ISOBox.boxes(in: min(start + count, range.upperBound)..<range.upperBound, of: bytes)
  }
}

extension [ISOBox] {
  /// The boxes in the first one of a type.
  fileprivate func first(_ type: String, _ bytes: UnsafeRawBufferPointer) -> [ISOBox]? {
    first { $0.type == type }?.children(in: bytes)
  }
}
