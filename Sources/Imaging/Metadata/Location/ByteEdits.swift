internal import DiaryModel

/// Changes to a file: bytes overwritten in place, and ranges removed.
struct ByteEdits {
  private var overwrites: [(start: Int, bytes: [UInt8])] = []
  private var removals: [Range<Int>] = []

  private(set) var removedByteCount = 0

  var isEmpty: Bool { overwrites.isEmpty && removals.isEmpty }

  /// The later one wins where two overlap.
  mutating func overwrite(_ start: Int, with bytes: [UInt8]) { overwrites.append((start, bytes)) }

  mutating func blank(_ range: Range<Int>, with byte: UInt8 = 0) {
    overwrites.append((range.lowerBound, [UInt8](repeating: byte, count: range.count)))
  }

  /// Ranges must not overlap.
  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    removals.append(range)
    removedByteCount += range.count
  }

  /// The file with these changes.
  func applied(to file: UnsafeRawBufferPointer) -> SharedBytes {
    let result = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, file.count), alignment: 16)
    result.copyMemory(from: file)
    for (start, bytes) in overwrites {
      let end = min(result.count, start + bytes.count)
      UnsafeMutableRawBufferPointer(rebasing: result[start..<end])
        .copyBytes(from: bytes.prefix(end - start))
    }
    var end = file.count
    if let first = removals.map(\.lowerBound).min() {
      end = first
      let sorted = removals.sorted { $0.lowerBound < $1.lowerBound }
      let nexts = sorted.dropFirst().map(\.lowerBound) + [file.count]
      for (removal, next) in zip(sorted, nexts) {
        let kept = UnsafeRawBufferPointer(rebasing: result[removal.upperBound..<next])
        UnsafeMutableRawBufferPointer(rebasing: result[end..<(end + kept.count)])
          .copyMemory(from: kept)
        end += kept.count
      }
    }
    return SharedBytes(adopting: .init(rebasing: result[..<end])) { $0?.deallocate() }
  }
}

extension UnsafeRawBufferPointer {
  /// The integer of `size` bytes at an offset; nil beyond the end, or above 63 bits.
  func integer(at offset: Int, size: Int, isLittleEndian: Bool = false) -> Int? {
    guard offset >= 0, size >= 0, offset <= count, size <= count - offset, size <= 8 else {
      return nil
    }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(self[offset + (isLittleEndian ? size - 1 - index : index)])
    }
    return Int(exactly: value)
  }

  /// Whether a text is at an offset.
  func holds(_ text: String, at offset: Int) -> Bool {
    offset >= 0 && offset + text.utf8.count <= count
      && self[offset..<(offset + text.utf8.count)].elementsEqual(text.utf8)
  }

  func rebased(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

/// Removes locations from a TIFF structure: a TIFF file, or an EXIF block (TIFF 6.0, section 2).
extension ByteEdits {
  /// Tags that can reveal locations.
  private static let telling: Set<Int> = [
    gps, 0x927C,  // MakerNote, which only its maker can read, and which may contain locations
    0x02BC, 0x83BB, 0x8649, 0x935C,  // XMP, IPTC, Photoshop's resources and layers
    0x830E, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480,  // GeoTIFF's and GDAL's
    0xC634,  // a DNG's private data
  ]
  private static let gps = 0x8825
  /// EXIF's directory, further pictures, and EXIF's interoperability.
  private static let directories: Set<Int> = [0x8769, 0x014A, 0xA005]
  private static let sizes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

  /// Removes the entries that can reveal locations from all directories, and blanks their values.
  ///
  /// - Parameter base: the offset of `block` in the edited file.
  /// - Returns: false when it is not a TIFF structure; nothing is changed then.
  mutating func clean(tiff block: UnsafeRawBufferPointer, at base: Int) -> Bool {
    let isLittleEndian = block.holds("II", at: 0)
    func integer(_ offset: Int, _ size: Int) -> Int? {
      block.integer(at: offset, size: size, isLittleEndian: isLittleEndian)
    }
    guard isLittleEndian || block.holds("MM", at: 0), integer(2, 2) == 42 else { return false }
    var queue = [integer(4, 4) ?? 0]
    var visited: Set<Int> = []
    while let start = queue.popLast() {
      guard start >= 8, visited.insert(start).inserted, let claimed = integer(start, 2) else {
        continue
      }
      let count = min(claimed, (block.count - start - 2) / 12)
      let end = start + 2 + 12 * count
      let next = integer(end, 4)
      if let next { queue.append(next) }
      var kept: [UInt8] = []
      for entry in stride(from: start + 2, to: end, by: 12) {
        guard let tag = integer(entry, 2), let type = integer(entry + 2, 2) else { continue }
        let value = Self.value(of: entry, in: block, integer)
        if Self.directories.contains(tag) || tag == Self.gps, let value {
          let size = type == 3 ? 2 : 4
          let offsets = stride(from: value.lowerBound, to: value.upperBound - size + 1, by: size)
            .prefix(1000).compactMap { integer($0, size) }
          if tag == Self.gps {
            for offset in offsets { blankDirectory(at: offset, in: block, base, integer) }
          } else {
            queue += offsets
          }
        }
        guard Self.telling.contains(tag) else {
          kept += block[entry..<(entry + 12)]
          continue
        }
        if tag != Self.gps, let value {
          blank((base + value.lowerBound)..<(base + value.upperBound))
        }
      }
      guard kept.count < 12 * count else { continue }
      let left = kept.count / 12
      let (low, high) = (UInt8(left & 0xFF), UInt8(left >> 8))
      let link = next == nil ? [] : Array(block[end..<(end + 4)])
      let rest = [UInt8](repeating: 0, count: 12 * count - kept.count)
      overwrite(
        base + start,
        with: (isLittleEndian ? [low, high] : [high, low]) + kept + link + rest)
    }
    return true
  }

  /// The range of an entry's value; nil when it is outside the structure.
  private static func value(
    of entry: Int, in block: UnsafeRawBufferPointer, _ integer: (Int, Int) -> Int?
  ) -> Range<Int>? {
    guard let type = integer(entry + 2, 2), (1...sizes.count).contains(type),
      let count = integer(entry + 4, 4)
    else { return nil }
    let byteCount = count * sizes[type - 1]
    let start = byteCount <= 4 ? entry + 8 : integer(entry + 8, 4)
    guard let start, start <= block.count, byteCount <= block.count - start else { return nil }
    return start..<(start + byteCount)
  }

  /// Blanks a GPS directory and its values. A directory that does not look like one is the target of
  /// a broken pointer, and stays.
  private mutating func blankDirectory(
    at start: Int, in block: UnsafeRawBufferPointer, _ base: Int, _ integer: (Int, Int) -> Int?
  ) {
    guard start >= 8, let count = integer(start, 2), (1...64).contains(count),
      start + 2 + 12 * count <= block.count
    else { return }
    let entries = stride(from: start + 2, to: start + 2 + 12 * count, by: 12)
    guard entries.allSatisfy({ (1...13).contains(integer($0 + 2, 2) ?? 0) }) else { return }
    for entry in entries {
      guard let value = Self.value(of: entry, in: block, integer), value.count <= 4096 else {
        continue
      }
      blank((base + value.lowerBound)..<(base + value.upperBound))
    }
    blank((base + start)..<(base + start + 2 + 12 * count))
  }
}
