internal import CCoefficients
internal import DiaryModel

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
