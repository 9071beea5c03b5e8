internal import CCoefficients
internal import CVips
internal import DiaryModel

/// How much detail lies in each part of a picture.
///
/// The detail of a block is the square of the number of coefficients that a copy of ordinary quality would
/// keep: it grows like the fourth powers of the differences that decide a score, and neither noise nor slow
/// changes of light count. Chroma counts like luma, for a flower that is as bright as its ground.
struct DetailMap {
  /// The side of a cell in pixels.
  static let cellSide = SampleTiles.tileSide

  /// In cells.
  private let columns: Int
  private let rows: Int
  /// The detail of each cell, row by row.
  private(set) var cells: [UInt32]

  private init(of size: PixelSize) {
    columns = (size.width + Self.cellSide - 1) / Self.cellSide
    rows = (size.height + Self.cellSide - 1) / Self.cellSide
    cells = Array(repeating: 0, count: columns * rows)
  }

  /// Counts the coefficients of a photo.
  init(_ coefficients: JPEGCoefficients) {
    self.init(of: coefficients.size)
    add(coefficients, at: 0)
  }

  /// Counts the coefficients that pixels in memory have, 8-bit, grey or RGB. They are computed a row of cells at
  /// a time, as those of the whole picture would take as much memory as its pixels.
  init(of picture: VipsPicture) throws {
    self.init(of: PixelSize(width: picture.width, height: picture.height))
    let rowByteCount = picture.width * picture.bandCount
    try picture.withSamples { samples in
      for row in 0..<rows {
        let lines = (row * Self.cellSide)..<min((row + 1) * Self.cellSide, picture.height)
        let start = samples.baseAddress.map { $0 + lines.lowerBound * rowByteCount }
        let strip = try Vips.image {
          leaflog_from_memory(
            start, lines.count * rowByteCount, CInt(picture.width), CInt(lines.count),
            CInt(picture.bandCount))
        }
        add(try JPEGCoefficients(of: strip), at: row)
      }
    }
  }

  /// Adds the detail of coefficients that begin at a row of cells.
  ///
  /// Of 16 lines of pixels, those of one row of blocks are counted, which halves the time and misses no subject
  /// of more than eight lines.
  private mutating func add(_ coefficients: JPEGCoefficients, at firstRow: Int) {
    for (index, plane) in coefficients.planes.enumerated() {
      let limits = Self.limits(index == 0 ? Self.quality.luma : Self.quality.chroma, plane.steps)
      let across = Self.cellSide / (8 * plane.across)
      let down = Self.cellSide / (8 * plane.down)
      for y in stride(from: 0, to: plane.height, by: 2 / plane.down) {
        let row = firstRow + y / down
        guard row < rows, let blocks = plane.rows[y] else { continue }
        cells.withUnsafeMutableBufferPointer { cells in
          leaflog_detail(
            blocks, min(plane.width, columns * across), limits, UInt32(plane.across), across,
            cells.baseAddress.map { $0 + row * columns })
        }
      }
    }
  }

  /// The cells that a tile meets, and the part of it that lies in each.
  func parts(of tile: SampleTiles.Place) -> [(cell: Int, part: Double)] {
    func parts(_ start: Int) -> [(cell: Int, part: Double)] {
      let (cell, offset) = start.quotientAndRemainder(dividingBy: Self.cellSide)
      let second = Double(offset) / Double(Self.cellSide)
      return offset == 0 ? [(cell, 1)] : [(cell, 1 - second), (cell + 1, second)]
    }
    return parts(tile.y).flatMap { row in
      parts(tile.x).map { ($0.cell + row.cell * columns, $0.part * row.part) }
    }
  }

  /// The place of a cell's upper left corner, in pixels.
  func place(of cell: Int) -> (x: Int, y: Int) {
    (cell % columns * Self.cellSide, cell / columns * Self.cellSide)
  }

  /// The quality of many copies.
  private static let quality = JPEGQuality(level: 16)

  /// The magnitudes up to which coefficients that are quantised by `steps` become zero when quantised by `target`.
  private static func limits(_ target: [UInt32], _ steps: [Float]) -> [Int16] {
    zip(target, steps).map { target, step in
      // A step of zero, which only a damaged file has, makes zeros of all.
      Int16(min(max((Float(target) / (2 * step)).rounded(.up) - 1, 0), Float(Int16.max)))
    }
  }
}
