internal import CCoefficients
internal import DiaryModel

/// Tiles of a picture on which a quality is tried by requantising their blocks and decoding them, without
/// encoding or decoding a file.
struct CoefficientSample: QualitySample {
  private let tiles: SampleTiles
  private let halved: [TileBlocks]
  private let steps: CopiedSteps
  private let references: [SSIMULACRA2.Reference]

  /// - Parameter picture: the pixels that the coefficients were computed from; nil for those of a JPEG.
  init(
    _ coefficients: JPEGCoefficients, tiles: SampleTiles, picture: VipsPicture? = nil
  ) throws {
    self.tiles = tiles
    steps = coefficients.copiedSteps
    func blocks(_ planes: some Sequence<BlockPlane>) -> [TileBlocks] {
      planes.map { TileBlocks($0, tiles, coefficients.size) }
    }
    let source = blocks(coefficients.planes)
    halved = coefficients.halvedPlanes.map { [source[0]] + blocks($0.dropFirst()) } ?? source
    let tile = TilePyramid(tiles.size, isGrey: coefficients.planes.count == 1)
    if let picture {
      references = try picture.withSamples { samples in
        tiles.places.map { place in
          let row = picture.width * picture.bandCount
          let start = place.y * row + place.x * picture.bandCount
          tile.fill {
            $0.set(
              to: UnsafeRawBufferPointer(rebasing: samples[start...]), rowByteCount: row,
              bandCount: picture.bandCount)
          }
          return SSIMULACRA2.Reference(tile)
        }
      }
    } else {
      let decoded = source.map { $0.decoded($0.blocks, steps: $0.steps) }
      references = tiles.places.enumerated().map { index, place in
        tile.fill {
          DecodedPlane.light(decoded.map { $0[index] }, x: place.x, y: place.y, into: $0)
        }
        return SSIMULACRA2.Reference(tile)
      }
    }
  }

  /// Tiles are decoded with the chroma around them, so they have no more border than the whole. Measured on
  /// 23 camera photos, they score 0.2 less (standard deviation 0.4); on a camera's small photos, 0.4 (0.6).
  var bias: Double { tiles.followDetail ? SampleTiles.detailBias : 0.2 }

  var isWhole: Bool { tiles.isWhole }

  func score(_ quality: JPEGQuality) -> Double {
    let tables = steps.tables(quality)
    let decoded = halved.enumerated().map { index, part in
      let target = tables[min(index, 1)]
      let requantized = part.requantized(
        LeaflogRequantizer(from: part.steps, to: target, rounding: DeadZone.rounding))
      return part.decoded(requantized, steps: target.map { Float($0) })
    }
    let tile = TilePyramid(tiles.size, isGrey: decoded.count == 1)
    var sums = SSIMULACRA2.Sums()
    for (index, place) in tiles.places.enumerated() {
      tile.fill { DecodedPlane.light(decoded.map { $0[index] }, x: place.x, y: place.y, into: $0) }
      references[index].compare(tile, weight: place.weight, addingTo: &sums)
    }
    return SSIMULACRA2.score(sums)
  }
}

/// Copies of the blocks of one component that tiles are decoded from, tile after tile: those that the tile
/// covers and, around them, those that subsampled chroma is interpolated from.
private struct TileBlocks {
  let blocks: [LeaflogBlock]
  let steps: [Float]
  private let regions: [(columns: Range<Int>, rows: Range<Int>)]
  private let across: Int
  private let down: Int
  private let limit: PixelSize

  init(_ plane: BlockPlane, _ tiles: SampleTiles, _ size: PixelSize) {
    (across, down, steps) = (plane.across, plane.down, plane.steps)
    limit = PixelSize(
      width: (size.width + across - 1) / across, height: (size.height + down - 1) / down)
    func range(_ start: Int, _ length: Int, _ factor: Int, _ count: Int) -> Range<Int> {
      let margin = factor > 1 ? 1 : 0
      let end = (start + length + 8 * factor - 1) / (8 * factor)
      return max(0, start / (8 * factor) - margin)..<min(count, end + margin)
    }
    regions = tiles.places.map { place in
      (
        range(place.x, tiles.size.width, plane.across, plane.width),
        range(place.y, tiles.size.height, plane.down, plane.height)
      )
    }
    var blocks: [LeaflogBlock] = []
    blocks.reserveCapacity(regions.reduce(0) { $0 + $1.columns.count * $1.rows.count })
    for region in regions {
      for y in region.rows {
        guard let row = plane.rows[y] else { continue }
        blocks.append(
          contentsOf: UnsafeBufferPointer(
            start: row + region.columns.lowerBound, count: region.columns.count))
      }
    }
    self.blocks = blocks
  }

  func requantized(_ requantizer: LeaflogRequantizer) -> [LeaflogBlock] {
    var requantizer = requantizer
    return [LeaflogBlock](unsafeUninitializedCapacity: blocks.count) { target, count in
      leaflog_requantize(&requantizer, blocks, target.baseAddress, blocks.count)
      count = blocks.count
    }
  }

  /// Each tile's samples.
  func decoded(_ blocks: [LeaflogBlock], steps: [Float]) -> [DecodedPlane] {
    blocks.withUnsafeBufferPointer { blocks in
      var start = 0
      return regions.map { region in
        let part = DecodedPlane(
          columns: region.columns, rows: region.rows, blockWidth: 8, blockHeight: 8,
          across: across, down: down, limit: limit)
        if let base = blocks.baseAddress { part.decode(base + start, steps: steps) }
        start += region.columns.count * region.rows.count
        return part
      }
    }
  }
}

extension LeaflogRequantizer {
  /// Converts coefficients quantised by `steps` to those quantised by `target`.
  init(from steps: [Float], to target: [UInt32], rounding: [Float]) {
    self = leaflog_requantizer(steps, target, rounding)
  }
}

/// The quantisation steps of a copy's planes, which follow from its quality and from the source's own steps.
struct CopiedSteps {
  /// The source's steps, in natural order; nil for chroma whose planes differ, and without chroma.
  private let luma: [Float]
  private let chroma: [Float]?

  init(of planes: [BlockPlane]) {
    luma = planes[0].steps
    chroma = planes.count == 3 && planes[1].steps == planes[2].steps ? planes[1].steps : nil
  }

  /// The steps of luma and of chroma, each from 1 to 255.
  func tables(_ quality: JPEGQuality) -> [[UInt32]] {
    [Self.steps(quality.luma, over: luma), Self.steps(quality.chroma, over: chroma)]
  }

  /// A step that would be finer than the source's, or hardly coarser, becomes the source's: what was rounded
  /// to multiples of it is kept exactly, while another step of about its size would cost as much and round
  /// once more. Measured on a camera's small photos, this makes copies of equal score 14 % smaller.
  private static func steps(_ wanted: [UInt32], over source: [Float]?) -> [UInt32] {
    guard let source else { return wanted }
    return zip(wanted, source).map { wanted, source in
      (1...255).contains(source) && Float(wanted) < leastRatio * source ? UInt32(source) : wanted
    }
  }

  private static let leastRatio = Float(2).squareRoot()
}

/// The rounding of a copy's coefficients: those near zero become zero, which costs next to nothing.
enum DeadZone {
  /// How much less than half is added before the fraction is dropped, at the lowest and at the highest
  /// frequency. Measured on five camera photos at equal scores, copies are 7 % smaller than with plain
  /// rounding at a finer quality; 0.15 for all frequencies saves 6 %, more than 0.2 at the lowest is worse.
  private static let lowest: Float = 0.15
  private static let highest: Float = 0.3

  /// The values for the 64 frequencies, in natural order; the mean of a block is rounded plainly.
  static let rounding: [Float] = (0..<64).map { index in
    guard index > 0 else { return 0.5 }
    let distance = Float(index / 8 + index % 8 - 1) / 13
    return 0.5 - lowest - (highest - lowest) * distance
  }
}
