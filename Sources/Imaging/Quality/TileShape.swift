internal import DiaryModel

/// The shape of tiles that are stacked in a buffer of 8-bit samples.
struct TileShape {
  let width: Int
  let height: Int
  let bandCount: Int

  var rowByteCount: Int { width * bandCount }
  var byteCount: Int { rowByteCount * height }

  /// Calls `body` with one tile after another, all in the same memory.
  func forEachTile(of samples: UnsafeRawBufferPointer, _ body: (Int, TilePyramid) -> Void) {
    let tile = TilePyramid(PixelSize(width: width, height: height), isGrey: bandCount < 3)
    for index in 0..<(samples.count / byteCount) {
      let start = index * byteCount
      tile.fill {
        $0.set(
          to: .init(rebasing: samples[start..<(start + byteCount)]), rowByteCount: rowByteCount,
          bandCount: bandCount)
      }
      body(index, tile)
    }
  }
}

/// Restores the outermost pixels of tiles, which were changed by cutting them out.
enum TileEdges {
  /// A decoder interpolates halved chroma from the neighbouring pixels. Along the edge of a tile
  /// those belong to another tile, which is an error that the whole photo does not have. The edge
  /// is given the error of the pixels next to it instead.
  static func mended(
    _ samples: [UInt8], source: UnsafeRawBufferPointer, tile: TileShape
  ) -> [UInt8] {
    guard tile.width > 2, tile.height > 2 else { return samples }
    var mended = samples
    func copyError(to edge: Int, from inner: Int) {
      for band in 0..<tile.bandCount {
        let error = Int(mended[inner + band]) - Int(source[inner + band])
        mended[edge + band] = UInt8(min(max(Int(source[edge + band]) + error, 0), 255))
      }
    }
    for start in stride(from: 0, to: samples.count - tile.byteCount + 1, by: tile.byteCount) {
      func at(_ x: Int, _ y: Int) -> Int { start + y * tile.rowByteCount + x * tile.bandCount }
      for y in 1..<(tile.height - 1) {
        copyError(to: at(0, y), from: at(1, y))
        copyError(to: at(tile.width - 1, y), from: at(tile.width - 2, y))
      }
      for x in 0..<tile.width {
        copyError(to: at(x, 0), from: at(x, 1))
        copyError(to: at(x, tile.height - 1), from: at(x, tile.height - 2))
      }
    }
    return mended
  }
}
