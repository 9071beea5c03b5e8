internal import CVips
internal import Foundation

/// The SSIMULACRA2 score that a compressed copy has to reach.
package struct PerceptualTarget: Sendable, Hashable {
  package let score: Double

  package init(score: Double) { self.score = score }

  /// 80: hard to tell from the original side by side.
  package static let standard = PerceptualTarget(score: 80)
}

/// Finds the lowest JPEG quality at which a photo reaches a target, by trying on a sample of it.
///
/// The sample is 48 tiles of 64 px, spread evenly with a little disorder and aligned to JPEG's
/// 16 px blocks, so that they are quantised exactly as they will be in the whole; a small picture is
/// its own sample. The README says how well the sample's score stands for the whole's.
struct QualitySearch {
  static let tileSide = 64
  static let tileCount = 48
  /// A picture with fewer pixels than this is taken whole.
  static let wholePixelCount = 512 * 512

  private let sample: VipsPicture
  private let tileShape: TileShape
  private let references: [SSIMULACRA2.Reference]

  init(_ picture: VipsPicture) throws {
    let (tiles, size) = Self.tiles(of: picture)
    let (rowByteCount, bandCount) = (picture.width * picture.bandCount, picture.bandCount)
    sample = try picture.withSamples { samples in
      let lineByteCount = size.width * bandCount
      var pixels = [UInt8](repeating: 0, count: lineByteCount * size.height * tiles.count)
      pixels.withUnsafeMutableBytes { target in
        for (index, tile) in tiles.enumerated() {
          for y in 0..<size.height {
            let from = (tile.y + y) * rowByteCount + tile.x * bandCount
            let to = (index * size.height + y) * lineByteCount
            UnsafeMutableRawBufferPointer(rebasing: target[to..<(to + lineByteCount)])
              .copyMemory(from: .init(rebasing: samples[from..<(from + lineByteCount)]))
          }
        }
      }
      let height = size.height * tiles.count
      return try Vips.image {
        leaflog_from_memory(
          pixels, pixels.count, CInt(size.width), CInt(height), CInt(bandCount))
      }
    }
    tileShape = TileShape(width: size.width, height: size.height, bandCount: bandCount)
    references = try sample.withSamples { [tileShape] in tileShape.tiles(of: $0) }
      .map { SSIMULACRA2.Reference($0) }
  }

  /// The lowest quality at which the photo reaches the target; nil when none does.
  ///
  /// The score is nearly a straight line of the level, so two or three trials find it: each next one
  /// is where the line through the nearest two meets the target.
  func quality(reaching target: PerceptualTarget) throws -> JPEGQuality? {
    let goal = target.score + Self.margin
    var trials: [Int: Double] = [:]
    var level = Self.firstLevel
    while true {
      trials[level] = try score(JPEGQuality(level: level))
      guard let nearest = trials.min(by: { abs($0.value - goal) < abs($1.value - goal) }) else {
        return nil
      }
      let slope = Self.slope(of: trials, around: nearest.key)
      var next = Int((Double(nearest.key) + (goal - nearest.value) / slope).rounded(.up))
      if let below = trials.filter({ $0.value < goal }).keys.max() { next = max(next, below + 1) }
      if let above = trials.filter({ $0.value >= goal }).keys.min() { next = min(next, above) }
      next = min(max(next, JPEGQuality.range.lowerBound), JPEGQuality.range.upperBound)
      if let known = trials[next] { return known >= goal ? JPEGQuality(level: next) : nil }
      // So close to a trial the line is surer than another trial would be worth.
      if trials.count > 1, abs(next - nearest.key) <= 2 { return JPEGQuality(level: next) }
      level = next
    }
  }

  /// Where most camera photos end up, give or take five.
  private static let firstLevel = 20

  /// The margin of the sample's score over the target, so that the whole photo rarely falls below it.
  static let margin = 0.5
  /// How much lower a sample scores than its photo: its tiles have more border than the whole has.
  static let sampleBias = 0.77

  /// Points of score that a level brings, from the two trials nearest to one.
  private static func slope(of trials: [Int: Double], around level: Int) -> Double {
    let near = trials.sorted { abs($0.key - level) < abs($1.key - level) }.prefix(2)
    guard let first = near.first, let last = near.last, first.key != last.key else { return 0.45 }
    return max(0.1, (first.value - last.value) / Double(first.key - last.key))
  }

  /// The photo's score when it is compressed like this, as far as the sample tells.
  func score(_ quality: JPEGQuality) throws -> Double {
    let encoded = try JPEGEncoder.encode(sample, quality, recipe: "trial")
    let decoded = try PhotoFile.load(encoded.bytes, .jpeg, failOn: VIPS_FAIL_ON_ERROR).inMemory()
    let pixels = try sample.withSamples { source in
      try decoded.withSamples { TileEdges.mended(Array($0), source: source, tile: tileShape) }
    }
    var sums = [SSIMULACRA2.Sums](repeating: .init(), count: SSIMULACRA2.terms.count)
    for (reference, tile) in zip(references, pixels.withUnsafeBytes { tileShape.tiles(of: $0) }) {
      for (index, sum) in reference.sums(comparing: tile).enumerated() { sums[index] += sum }
    }
    return SSIMULACRA2.score(sums) + (references.count > 1 ? Self.sampleBias : 0)
  }

  /// Where the tiles are: one in each cell of a grid, at a place in it that a low-discrepancy
  /// sequence chooses (the plastic number's, Martin Roberts 2018), so that no pattern in the photo
  /// meets a pattern in the grid.
  private static func tiles(
    of picture: VipsPicture
  ) -> (places: [(x: Int, y: Int)], size: (width: Int, height: Int)) {
    let (width, height) = (picture.width, picture.height)
    if width * height <= wholePixelCount { return ([(0, 0)], (width, height)) }
    let size = (width: min(tileSide, width), height: min(tileSide, height))
    let ideal = (Double(tileCount) * Double(width) / Double(height)).squareRoot()
    let columns = min(max(1, Int(ideal.rounded())), max(1, width / size.width))
    let rows = min(max(1, tileCount / columns), max(1, height / size.height))
    let places = (0..<(columns * rows)).map { index -> (x: Int, y: Int) in
      let (column, row) = (index % columns, index / columns)
      func place(_ cell: Int, of count: Int, in extent: Int, tile: Int, _ fraction: Double) -> Int {
        let start = extent * cell / count
        let room = max(0, extent / count - tile)
        return min((start + Int(fraction * Double(room))) & ~15, (extent - tile) & ~15)
      }
      let shift = (Double(index) + 0.5) * 0.754_877_666_246_692_7
      let drop = (Double(index) + 0.5) * 0.569_840_290_998_053_3
      return (
        place(column, of: columns, in: width, tile: size.width, shift - shift.rounded(.down)),
        place(row, of: rows, in: height, tile: size.height, drop - drop.rounded(.down))
      )
    }
    return (places, size)
  }
}
