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
