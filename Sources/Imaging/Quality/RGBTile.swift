internal import DiaryModel
internal import Foundation

/// A piece of a picture in linear light, one plane per primary.
struct RGBTile {
  let red: FloatPlane
  let green: FloatPlane
  let blue: FloatPlane

  /// A tile whose samples are not initialized yet; a grey one has the same plane three times.
  init(width: Int, height: Int, isGrey: Bool) {
    red = FloatPlane(unset: width, height)
    green = isGrey ? red : FloatPlane(unset: width, height)
    blue = isGrey ? red : FloatPlane(unset: width, height)
  }

  private var isGrey: Bool { green === red }

  /// Whether the picture has no colours beyond what compression makes of greys.
  var isColourless: Bool {
    if isGrey { return true }
    var coloured = 0
    for y in 0..<red.height {
      let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
      for x in 0..<red.width {
        let (least, most) = (min(r[x], g[x], b[x]), max(r[x], g[x], b[x]))
        // About five steps of 255 in the encoded samples, in the shadows and in the light.
        if most - least > 0.004 + 0.06 * most { coloured += 1 }
      }
    }
    return coloured * 50 < red.width * red.height
  }

  /// sRGB's transfer curve (IEC 61966-2-1) for 8-bit samples.
  static let linear: [Float] = (0...255).map { Float(light(of: Double($0) / 255)) }

  /// The light of a sample by the same curve, both from 0 to 1.
  static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Sets the tile from rows of 8-bit samples, grey or RGB.
  func set(to samples: UnsafeRawBufferPointer, rowByteCount: Int, bandCount: Int) {
    let width = red.width
    Self.linear.withUnsafeBufferPointer { table in
      for y in 0..<red.height {
        let source = UnsafeRawBufferPointer(
          rebasing: samples[(y * rowByteCount)..<(y * rowByteCount + width * bandCount)])
        let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
        if isGrey {
          for x in 0..<width { r[x] = table[Int(source[x * bandCount])] }
        } else {
          for x in 0..<width {
            r[x] = table[Int(source[x * bandCount])]
            g[x] = table[Int(source[x * bandCount + 1])]
            b[x] = table[Int(source[x * bandCount + 2])]
          }
        }
      }
    }
  }

  func halved() -> RGBTile {
    let result = RGBTile(
      width: (red.width + 1) / 2, height: (red.height + 1) / 2, isGrey: isGrey)
    halve(into: result)
    return result
  }

  /// - Parameter result: a tile of half the size, rounded up.
  func halve(into result: RGBTile) {
    red.halve(into: result.red)
    if isGrey { return }
    green.halve(into: result.green)
    blue.halve(into: result.blue)
  }
}

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
