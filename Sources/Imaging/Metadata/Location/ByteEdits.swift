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
  func applied(to file: UnsafeRawBufferPointer) -> ByteBuffer {
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
    return ByteBuffer(adopting: .init(rebasing: result[..<end])) { $0?.deallocate() }
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
