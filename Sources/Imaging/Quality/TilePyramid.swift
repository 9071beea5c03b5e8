internal import CCoefficients
internal import DiaryModel

/// A tile's planes at every scale, in memory that is reused for all tiles of one size.
final class TilePyramid {
  /// In linear light, full size first.
  private let tiles: [RGBTile]
  /// The plane of each of SSIMULACRA2's terms; nil where the tile is too small for its scale.
  let planes: [FloatPlane?]
  let scratch: PlaneScratch

  init(_ size: PixelSize, isGrey: Bool) {
    var tiles: [RGBTile] = []
    var (width, height) = (size.width, size.height)
    while tiles.count < SSIMULACRA2.scaleCount, tiles.isEmpty || (width >= 4 && height >= 4) {
      tiles.append(RGBTile(width: width, height: height, isGrey: isGrey))
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
    }
    planes = SSIMULACRA2.terms.map { [tiles] term in
      guard term.scale < tiles.count else { return nil }
      let plane = tiles[term.scale].red
      return plane.width < 4 || plane.height < 4
        ? nil : FloatPlane(unset: plane.width, plane.height)
    }
    self.tiles = tiles
    scratch = PlaneScratch(stride: tiles[0].red.stride)
  }

  /// Replaces the tile; `body` sets its samples at full size.
  func fill(_ body: (RGBTile) -> Void) {
    body(tiles[0])
    for (scale, tile) in tiles.enumerated() {
      if scale > 0 { tiles[scale - 1].halve(into: tile) }
      func samples(_ channel: SSIMULACRA2.Channel) -> UnsafeMutablePointer<Float>? {
        let index = SSIMULACRA2.terms.firstIndex { $0.scale == scale && $0.channel == channel }
        return index.flatMap { planes[$0]?.samples }
      }
      leaflog_xyb(
        tile.red.samples, tile.green.samples, tile.blue.samples, tile.red.stride * tile.red.height,
        samples(.x), samples(.y), samples(.b))
    }
  }
}
