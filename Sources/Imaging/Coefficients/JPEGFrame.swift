internal import DiaryModel

/// A JPEG's frame header (ITU-T T.81, B.2.2), as far as it determines the memory for its coefficients.
struct JPEGFrame {
  let size: PixelSize
  let isProgressive: Bool
  /// Sampling factors.
  let components: [(across: Int, down: Int)]

  /// The frame of a file that may be an ordinary one: Huffman-coded, 8 bits, grey or with three components
  /// of which the first may have twice the samples of the others in each direction. Nil for all others.
  init?(_ jpeg: ByteBuffer) {
    guard let frame = jpeg.withUnsafeBytes({ Self.header($0) }) else { return nil }
    self = frame
  }

  private init?(marker: UInt8, _ payload: ArraySlice<UInt8>) {
    let bytes = Array(payload)
    guard (0xC0...0xC2).contains(marker), bytes.count >= 6, bytes[0] == 8 else { return nil }
    let count = Int(bytes[5])
    guard [1, 3].contains(count), bytes.count == 6 + 3 * count else { return nil }
    size = PixelSize(
      width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    isProgressive = marker == 0xC2
    let factors = stride(from: 7, to: bytes.count, by: 3).map { at in
      (across: Int(bytes[at] >> 4), down: Int(bytes[at] & 15))
    }
    // The factors of a single component have no meaning.
    components = count == 1 ? [(1, 1)] : factors
    guard size.width > 0, size.height > 0 else { return nil }
    let luma = components[0]
    guard (1...2).contains(luma.across), (1...2).contains(luma.down),
      components.dropFirst().allSatisfy({ $0 == (1, 1) })
    else { return nil }
  }

  private static func header(_ bytes: UnsafeRawBufferPointer) -> JPEGFrame? {
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      guard end >= at + 4, end <= bytes.count, marker != 0xDA else { return nil }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return JPEGFrame(marker: marker, Array(bytes[(at + 4)..<end])[...])
      }
      at = end
    }
    return nil
  }

  /// The number of blocks of each component, padded to whole MCUs (T.81, A.2.4).
  var blockCounts: [(across: Int, down: Int)] {
    let (across, down) = (components[0].across, components[0].down)
    let columns = (size.width + 8 * across - 1) / (8 * across)
    let rows = (size.height + 8 * down - 1) / (8 * down)
    return components.map { (columns * $0.across, rows * $0.down) }
  }

  /// Whether chroma has to be halved for a copy.
  var halvesHeight: Bool { components.count == 3 && components[0].down == 1 }
  var halvesWidth: Bool { components.count == 3 && components[0].across == 1 }

  /// The memory for working on the coefficients: two bytes for each, including those of halved chroma, and
  /// some for samples and rows.
  var byteCount: Int {
    let counts = blockCounts
    let blocks = counts.reduce(0) { $0 + $1.across * $1.down }
    let halved =
      halvesWidth || halvesHeight
      ? 2 * counts[1].across * counts[1].down / (halvesWidth && halvesHeight ? 4 : 2) : 0
    return 128 * (blocks + halved) + 16 * counts[0].across + 8_000_000
  }
}
