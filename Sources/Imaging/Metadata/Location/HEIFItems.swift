/// The items of a HEIF file's meta box, those that are pictures and the others, with their positions
/// (ISO/IEC 14496-12, 8.11.3 and 8.11.6).
struct HEIFItems {
  struct Item {
    /// `Exif`, `mime` and so on.
    let type: String
    /// Nil when the item is in several pieces, in another file or outside this one.
    let range: Range<Int>?
  }

  /// Nil when the boxes that list them are not understood.
  let metadata: [Item]?
  /// The items that are pictures; nil likewise.
  let pictures: [Item]?

  private static let pictureTypes: Set<String> = [
    "hvc1", "hev1", "av01", "avc1", "jpeg", "j2k1", "vvc1", "evc1", "unci", "mski", "grid", "iovl",
    "iden", "tmap",
  ]

  /// - Parameter children: the boxes in the meta box.
  init(_ children: [ISOBox], in bytes: UnsafeRawBufferPointer) {
    guard let list = children.first(where: { $0.type == "iinf" }) else {
      (metadata, pictures) = ([], [])
      return
    }
    let data = children.first { $0.type == "idat" }?.payload
    let places = children.first { $0.type == "iloc" }.flatMap {
      Self.places(bytes.rebased($0.payload), fileByteCount: bytes.count, data: data)
    }
    guard let types = Self.types(list, in: bytes), let places else {
      (metadata, pictures) = (nil, nil)
      return
    }
    func items(_ areWanted: (String) -> Bool) -> [Item] {
      types.filter { areWanted($0.type) }.map { id, type in
        Item(type: type, range: places[id] ?? nil)
      }
    }
    metadata = items { !Self.pictureTypes.contains($0) }
    pictures = items(Self.pictureTypes.contains)
  }

  static func types(
    _ list: ISOBox, in bytes: UnsafeRawBufferPointer
  ) -> [(id: Int, type: String)]? {
    guard let version = bytes.integer(at: list.start, size: 1),
      let entries = ISOBox.boxes(
        in: min(list.range.upperBound, list.start + (version == 0 ? 6 : 8))..<list.range.upperBound,
        of: bytes)
    else { return nil }
    var found: [(Int, String)] = []
    for entry in entries where entry.type == "infe" {
      let box = bytes.rebased(entry.payload)
      guard let version = box.integer(at: 0, size: 1),
        let id = box.integer(at: 4, size: version < 3 ? 2 : 4)
      else { return nil }
      let at = version < 3 ? 8 : 10
      guard version >= 2 else {
        found.append((id, "mime"))  // the first versions have only media types
        continue
      }
      guard at + 4 <= box.count else { return nil }
      found.append((id, String(decoding: box[at..<(at + 4)], as: UTF8.self)))
    }
    return found
  }

  /// The ranges by item; nil for an item that is not in one piece in this file.
  private static func places(
    _ box: UnsafeRawBufferPointer, fileByteCount: Int, data: Range<Int>?
  ) -> [Int: Range<Int>?]? {
    var at = 0
    func next(_ size: Int) -> Int? {
      defer { at += size }
      return box.integer(at: at, size: size)
    }
    guard let version = next(1), version <= 2, next(3) != nil, let sizes = next(1),
      let more = next(1), let count = next(version < 2 ? 2 : 4)
    else { return nil }
    var found: [Int: Range<Int>?] = [:]
    for _ in 0..<count {
      guard let id = next(version < 2 ? 2 : 4), let method = version > 0 ? next(2) : 0,
        let reference = next(2), let base = next(more >> 4), let extents = next(2)
      else { return nil }
      var range: Range<Int>?
      for _ in 0..<extents {
        if version > 0, next(more & 15) == nil { return nil }
        guard let offset = next(sizes >> 4), let length = next(sizes & 15) else { return nil }
        let whole = method == 0 ? 0..<fileByteCount : method == 1 ? data : nil
        guard extents == 1, reference == 0, let whole, base <= fileByteCount,
          offset <= fileByteCount, whole.lowerBound + base + offset <= whole.upperBound
        else { continue }
        let start = whole.lowerBound + base + offset
        guard length <= whole.upperBound - start else { continue }
        range = start..<(length == 0 ? whole.upperBound : start + length)
      }
      if extents == 0 { range = 0..<0 }
      found[id] = range
    }
    return found
  }
}
