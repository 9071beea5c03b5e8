/// Finding GPS directories of TIFF structures, wherever in a file one starts: in EXIF, in a preview's
/// EXIF, in an item of HEIF.
extension PlaceSearch {
  static func directory(_ bytes: UnsafeRawBufferPointer) -> String? {
    for magic in [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]] as [[UInt8]] {
      var at = 0
      while let found = bytes.offset(of: magic, from: at) {
        let walk = DirectoryWalk(bytes.rebased(found..<bytes.count))
        if let trace = walk.trace { return trace }
        at = found + 1
      }
    }
    return nil
  }
}

/// A walk through all directories of one TIFF structure.
private struct DirectoryWalk {
  private(set) var trace: String?
  private let bytes: UnsafeRawBufferPointer
  private let isLittleEndian: Bool

  private static let names = [
    0x927C: "a maker's notes", 0x02BC: "XMP", 0x83BB: "IPTC", 0x8649: "Photoshop's resources",
    0x8482: "GeoTIFF's tags", 0x87AF: "GeoTIFF's tags",
  ]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    isLittleEndian = bytes[0] == 0x49
    var visited: Set<Int> = []
    var queue = [integer(4, 4) ?? 0]
    while let start = queue.popLast(), trace == nil {
      guard visited.insert(start).inserted else { continue }
      let entries = entries(at: start)
      if let end = entries.last { queue.append(integer(end + 12, 4) ?? 0) }
      for entry in entries {
        guard let tag = integer(entry, 2) else { continue }
        switch tag {
        case 0x8825:
          if children(of: entry).contains(where: isPosition) { trace = "a GPS directory" }
        case 0x8769, 0x014A, 0xA005: queue += children(of: entry)
        default:
          if let name = Self.names[tag], saysAnything(entry) { trace = name }
        }
      }
    }
  }

  private func integer(_ offset: Int, _ size: Int) -> Int? {
    bytes.integer(at: offset, size: size, isLittleEndian: isLittleEndian)
  }

  /// The offsets of a directory's entries; empty when their types are invalid.
  private func entries(at start: Int) -> [Int] {
    guard start >= 8, let count = integer(start, 2), count > 0, start < bytes.count - 14 else {
      return []
    }
    let fitting = min(count, (bytes.count - start - 2) / 12)
    let entries = (0..<fitting).map { start + 2 + 12 * $0 }
    let known = entries.filter { (1...18).contains(integer($0 + 2, 2) ?? 0) }
    return known.count * 2 > entries.count ? entries : []
  }

  private func children(of entry: Int) -> [Int] {
    guard let count = integer(entry + 4, 4), let value = integer(entry + 8, 4) else { return [] }
    let size = integer(entry + 2, 2) == 3 ? 2 : 4
    if count * size <= 4 {
      return (0..<max(1, count)).compactMap { integer(entry + 8 + size * $0, size) }
    }
    return (0..<min(count, 1000)).compactMap { integer(value + size * $0, size) }
  }

  /// Whether the directory at an offset has a tag of a GPS directory (EXIF 2.32, 4.6.6).
  private func isPosition(_ start: Int) -> Bool {
    entries(at: start).contains { (0...0x1F).contains(integer($0, 2) ?? .max) }
  }

  /// Whether an entry's value is more than blanks.
  private func saysAnything(_ entry: Int) -> Bool {
    guard let type = integer(entry + 2, 2), (1...13).contains(type),
      let count = integer(entry + 4, 4)
    else { return false }
    let byteCount = count * [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4][type - 1]
    guard let start = byteCount <= 4 ? entry + 8 : integer(entry + 8, 4), start < bytes.count else {
      return false
    }
    return bytes[start..<min(bytes.count, start + byteCount)].contains { $0 != 0 && $0 != 0x20 }
  }
}
