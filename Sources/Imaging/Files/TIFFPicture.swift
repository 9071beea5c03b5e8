internal import DiaryModel

/// How the first picture of a TIFF file is stored (TIFF 6.0, section 8), found without decoding any of
/// it.
struct TIFFPicture {
  /// The compressions that libtiff decodes here.
  static let compressions: Set<Int> = [
    1, 2, 3, 4, 5, 6, 7, 8, 32_771, 32_773, 32_946, 34_925, 50_000, 50_001,
  ]

  let size: PixelSize?
  let compression: Int?
  /// The strips or tiles.
  let pieces: [Range<Int>]
  /// The number of rows in a strip or tile; nil when the picture is one strip.
  let rowsPerPiece: Int?

  /// Nil when its directory lies beyond the file's end, and for BigTIFF.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let isLittleEndian = bytes.holds("II", at: 0)
    func integer(_ offset: Int, _ size: Int) -> Int? {
      bytes.integer(at: offset, size: size, isLittleEndian: isLittleEndian)
    }
    guard integer(2, 2) == 42, let start = integer(4, 4), let count = integer(start, 2),
      start + 2 + 12 * count <= bytes.count
    else { return nil }
    var fields: [Int: [Int]] = [:]
    for entry in stride(from: start + 2, to: start + 2 + 12 * count, by: 12) {
      guard let tag = integer(entry, 2), let type = integer(entry + 2, 2),
        let size = [3: 2, 4: 4][type], let count = integer(entry + 4, 4)
      else { continue }
      let position = count * size <= 4 ? entry + 8 : integer(entry + 8, 4) ?? bytes.count
      guard position <= bytes.count, count * size <= bytes.count - position else { continue }
      fields[tag] = (0..<count).compactMap { integer(position + $0 * size, size) }
    }
    size =
      if let width = fields[256]?.first, let height = fields[257]?.first {
        PixelSize(width: width, height: height)
      } else { nil }
    compression = fields[259]?.first
    pieces = zip(fields[273] ?? fields[324] ?? [], fields[279] ?? fields[325] ?? [])
      .map { $0..<($0 + $1) }
    rowsPerPiece = (fields[323] ?? fields[278])?.first
  }
}
