internal import DiaryModel

/// The parts of a GIF file (GIF89a), found without decoding any of it: libvips does not expose its
/// application extensions.
struct GIFStructure {
  /// The packet in the application extension `XMP Data` / `XMP` (XMP specification part 3, 1.1.2).
  private(set) var xmp: [UInt8]?

  init(_ gif: SharedBytes) {
    gif.withUnsafeBytes { walk($0) }
  }

  private mutating func walk(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 13 else { return }
    var at = 13 + Self.colorTableByteCount(bytes[10])
    while at + 1 < bytes.count {
      switch bytes[at] {
      case 0x21:
        let isXMP = bytes[at + 1] == 0xFF && bytes[(at + 2)...].starts(with: [11] + Self.identifier)
        if isXMP {
          // The packet is not split into blocks. Readers take its bytes for lengths of blocks, so a
          // trailer of 256 bytes follows that leads any reader to its end.
          let start = at + 3 + Self.identifier.count
          let end = Self.endOfBlocks(bytes, from: start)
          if end - start > 258 { xmp = Array(bytes[start..<(end - 258)]) }
          return
        }
        at = Self.endOfBlocks(bytes, from: at + 2)
      case 0x2C where at + 10 < bytes.count:
        at = Self.endOfBlocks(bytes, from: at + 11 + Self.colorTableByteCount(bytes[at + 9]))
      default: return
      }
    }
  }

  private static let identifier = Array("XMP DataXMP".utf8)

  private static func colorTableByteCount(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// The offset after the empty block that ends a sequence of blocks, or the end of the file.
  private static func endOfBlocks(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] != 0 { at += 1 + Int(bytes[at]) }
    return min(at + 1, bytes.count)
  }
}

/// The blocks of a GIF file (GIF89a, appendix A), found without decoding any of it.
struct GIFBlocks {
  enum Kind: Equatable {
    case image
    /// An extension with its label and, for application extensions, the application's name.
    case extended(UInt8, String)
  }

  private(set) var blocks: [(kind: Kind, range: Range<Int>)] = []
  /// The offset after the last block, or after the trailer if there is one.
  private(set) var end: Int
  /// Whether it has its trailer.
  private(set) var isComplete = false

  /// The texts of the comment extensions (24).
  static func comments(_ gif: SharedBytes) -> [[UInt8]] {
    gif.withUnsafeBytes { bytes in
      GIFBlocks(bytes).blocks.filter { $0.kind == .extended(0xFE, "") }.map { block in
        var text: [UInt8] = []
        var at = block.range.lowerBound + 2
        while at < block.range.upperBound, bytes[at] != 0 {
          let next = at + 1 + Int(bytes[at])
          text += bytes[(at + 1)..<min(next, block.range.upperBound)]
          at = next
        }
        return text
      }
    }
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    end = bytes.count
    guard bytes.count > 13 else { return }
    func afterTable(_ at: Int, _ flags: UInt8) -> Int {
      at + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
    }
    func afterSubBlocks(_ start: Int) -> Int {
      var at = start
      while at < bytes.count, bytes[at] != 0 { at += Int(bytes[at]) + 1 }
      return min(bytes.count, at + 1)
    }
    var at = afterTable(13, bytes[10])
    while at < bytes.count {
      let start = at
      switch bytes[at] {
      case 0x2C where at + 10 < bytes.count:
        at = afterSubBlocks(afterTable(at + 10, bytes[at + 9]) + 1)
        blocks.append((.image, start..<at))
      case 0x21 where at + 2 < bytes.count:
        let label = bytes[at + 1]
        let name = bytes[min(bytes.count, at + 3)..<min(bytes.count, at + 14)]
        at = afterSubBlocks(at + 2)
        blocks.append(
          (.extended(label, label == 0xFF ? String(decoding: name, as: UTF8.self) : ""), start..<at)
        )
      case 0x3B:
        end = at + 1
        isComplete = true
        return
      default:  // no block starts like this: a decoder goes no further
        end = at
        return
      }
    }
  }
}
