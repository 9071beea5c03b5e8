internal import CCoefficients
internal import DiaryModel

/// The blocks of one component of a JPEG: coefficients in natural order, quantised by `steps`. The owner
/// of a plane keeps the memory that it points to.
struct BlockPlane {
  /// One pointer for each row of blocks.
  let rows: [UnsafePointer<LeaflogBlock>?]
  /// In blocks.
  let width: Int
  let height: Int
  /// The width and height of a sample in the picture's pixels, 1 or 2.
  let across: Int
  let down: Int
  let steps: [Float]
}

/// Chroma at half its resolution, computed from its blocks alone.
enum ChromaHalving {
  /// The planes with chroma halved in each direction in which it has as many samples as luma, and the
  /// memory of the new blocks, which the caller frees; nil when there is nothing to halve.
  static func halved(
    _ planes: [BlockPlane], _ frame: JPEGFrame
  ) -> (planes: [BlockPlane], memory: UnsafeMutableBufferPointer<LeaflogBlock>)? {
    let (width, height) = (frame.halvesWidth, frame.halvesHeight)
    guard width || height else { return nil }
    let columns = width ? (planes[1].width + 1) / 2 : planes[1].width
    let rows = height ? (planes[1].height + 1) / 2 : planes[1].height
    let memory = UnsafeMutableBufferPointer<LeaflogBlock>.allocate(capacity: 2 * columns * rows)
    guard let start = memory.baseAddress else { return nil }
    let chroma = planes.dropFirst().enumerated().map { index, plane in
      let targets = (0..<rows).map { start + (index * rows + $0) * columns }
      for (y, target) in targets.enumerated() {
        let upper = height ? 2 * y : y
        // Beyond the edge of the picture, the last row of blocks is repeated.
        let lower = min(height ? 2 * y + 1 : y, plane.height - 1)
        leaflog_halve(
          plane.rows[upper], plane.rows[lower], plane.width, plane.steps, height ? 1 : 0,
          width ? 1 : 0, target)
      }
      return BlockPlane(
        rows: targets.map { UnsafePointer($0) }, width: columns, height: rows, across: 2, down: 2,
        steps: Array(repeating: LEAFLOG_FINE_STEP, count: 64))
    }
    return ([planes[0]] + chroma, memory)
  }
}

/// The samples of a rectangle of blocks, 8 bits each.
final class DecodedPlane {
  let samples: UnsafeMutablePointer<UInt8>
  /// In samples; the stride is that of whole blocks.
  private let left: Int
  private let top: Int
  private let width: Int
  private let height: Int
  private let stride: Int
  private let rowCount: Int
  /// The width and height of a sample in pixels, 1 or 2.
  private let across: Int
  private let down: Int

  /// Allocates room for a component's blocks in these columns and rows.
  ///
  /// - Parameter limit: the size of the component in the whole picture, in samples; those beyond it only fill up
  ///   the last blocks and are not used.
  init(
    columns: Range<Int>, rows: Range<Int>, blockWidth: Int, blockHeight: Int,
    across: Int, down: Int, limit: PixelSize
  ) {
    stride = columns.count * blockWidth
    left = columns.lowerBound * blockWidth
    top = rows.lowerBound * blockHeight
    width = min(stride, max(1, limit.width - left))
    height = min(rows.count * blockHeight, max(1, limit.height - top))
    (self.across, self.down) = (across, down)
    rowCount = rows.count * blockHeight
    samples = .allocate(capacity: stride * rowCount)
  }

  deinit { samples.deallocate() }

  /// A whole component at `blockSide` / 8 of the picture's size, or at its own resolution if that is lower.
  convenience init(_ plane: BlockPlane, blockSide: Int, of size: PixelSize) {
    let blockWidth = min(8, blockSide * plane.across)
    let blockHeight = min(8, blockSide * plane.down)
    let across = blockSide * plane.across / blockWidth
    let down = blockSide * plane.down / blockHeight
    self.init(
      columns: 0..<plane.width, rows: 0..<plane.height, blockWidth: blockWidth,
      blockHeight: blockHeight, across: across, down: down,
      limit: PixelSize(
        width: (size.width + across - 1) / across, height: (size.height + down - 1) / down))
    for (y, row) in plane.rows.enumerated() {
      leaflog_inverse(
        row, plane.width, plane.steps, CInt(blockHeight), CInt(blockWidth),
        samples + y * blockHeight * stride, stride)
    }
  }

  /// - Parameters:
  ///   - blocks: as many as there is room for, row by row.
  ///   - steps: the quantisation steps of the blocks.
  func decode(_ blocks: UnsafePointer<LeaflogBlock>, steps: [Float]) {
    let columns = stride / 8
    for y in 0..<(rowCount / 8) {
      leaflog_inverse(blocks + y * columns, columns, steps, 8, 8, samples + y * 8 * stride, stride)
    }
  }

  private var view: LeaflogPlane {
    LeaflogPlane(
      samples: samples, stride: stride, left: CInt(left), top: CInt(top), width: CInt(width),
      height: CInt(height), across: CInt(across), down: CInt(down))
  }

  /// Writes the pixels of one plane or three, as grey or RGB, starting at (x, y) of the picture.
  static func pixels(
    _ planes: [DecodedPlane], x: Int, y: Int, size: PixelSize,
    into pixels: UnsafeMutablePointer<UInt8>
  ) {
    leaflog_pixels(
      planes.map(\.view), CInt(planes.count), CInt(x), CInt(y), CInt(size.width),
      CInt(size.height), pixels)
  }

  /// Fills a tile with the pixels in linear light, starting at (x, y) of the picture.
  static func light(_ planes: [DecodedPlane], x: Int, y: Int, into tile: RGBTile) {
    leaflog_light(
      planes.map(\.view), CInt(planes.count), CInt(x), CInt(y), tile.red.shape, RGBTile.linear,
      [tile.red.samples, tile.green.samples, tile.blue.samples])
  }
}
