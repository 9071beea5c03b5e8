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
