internal import CCoefficients
package import DiaryModel
internal import Foundation

/// The perceptual metric SSIMULACRA2 (Jon Sneyers, Cloudinary, 2022-2023; version 2.1): 90 is
/// visually lossless side by side, 70 is high quality, 50 medium.
///
/// Only the terms whose weight is above 0.01 are computed; the rest add less than a thousandth of
/// the whole. The maps are averaged over any number of tiles, so that a sample of a large picture
/// can represent it.
enum SSIMULACRA2 {
  /// The opponent colours in which pictures are compared.
  enum Channel { case x, y, b }

  /// The weights of one channel at one scale (0 is full size, each next is half).
  struct Term {
    let channel: Channel
    let scale: Int
    /// Of the structural dissimilarity's mean and 4-norm.
    var dissimilarity = 0.0
    var dissimilarity4 = 0.0
    /// Of the 4-norm of edges that were added, and of edges that were lost.
    var artifact4 = 0.0
    var lostDetail4 = 0.0
  }

  fileprivate static let scaleCount = 5
  static let terms: [Term] = [
    Term(channel: .x, scale: 1, dissimilarity4: 1.104_172_642_7),
    Term(channel: .x, scale: 2, dissimilarity4: 1.842_245_552_1, artifact4: 11.441_172_603_8),
    Term(channel: .x, scale: 3, dissimilarity4: 1.878_759_498, artifact4: 10.949_069_906_1),
    Term(channel: .y, scale: 0, dissimilarity4: 7.466_890_328_1, lostDetail4: 17.445_833_984_1),
    Term(channel: .y, scale: 1, dissimilarity4: 6.683_678_146_2, lostDetail4: 1.027_889_937_8),
    Term(
      channel: .y, scale: 2, dissimilarity: 225.205_153_008_5, dissimilarity4: 19.213_238_186_1),
    Term(
      channel: .y, scale: 3, dissimilarity: 176.393_175_984_5, dissimilarity4: 24.433_009_998_7,
      artifact4: 0.285_208_026_1),
    Term(channel: .y, scale: 4, dissimilarity4: 34.779_063_444_8, artifact4: 44.835_625_328_9),
    Term(channel: .b, scale: 3, dissimilarity4: 8.826_982_765, artifact4: 23.192_433_439_9),
    Term(
      channel: .b, scale: 4, dissimilarity: 95.108_049_881_1, artifact4: 171.266_725_589_7,
      lostDetail4: 0.980_785_887_2),
  ]

  /// The sums of each term's maps, in the terms' order, over any number of tiles.
  struct Sums {
    /// The number of samples in each sum, times the weight of their tile.
    fileprivate var counts = [Double](repeating: 0, count: terms.count)
    fileprivate var maps = [LeaflogDifferences](repeating: .init(), count: terms.count)
  }

  static func score(_ sums: Sums) -> Double {
    var total = 0.0
    for (index, term) in terms.enumerated() where sums.counts[index] > 0 {
      let (map, count) = (sums.maps[index], sums.counts[index])
      func norm4(_ value: Double) -> Double { (value / count).squareRoot().squareRoot() }
      total += term.dissimilarity * map.dissimilarity / count
      total += term.dissimilarity4 * norm4(map.dissimilarity4)
      total += term.artifact4 * norm4(map.artifact4)
      total += term.lostDetail4 * norm4(map.lost_detail4)
    }
    let raw = total * 0.956_238_261_683_484_4
    let shaped =
      (6.248_496_625_763_138e-05 * raw - 0.020_884_521_182_843_837) * raw * raw
      + 2.326_765_642_916_932 * raw
    return shaped > 0 ? 100 - 10 * pow(shaped, 0.627_633_646_783_138_7) : 100
  }

  /// A tile of the picture to compare with, prepared once for any number of comparisons.
  struct Reference {
    private struct Prepared {
      let plane: FloatPlane
      let mean: FloatPlane
      let spread: FloatPlane

      init(_ plane: FloatPlane, _ scratch: PlaneScratch) {
        self.plane = FloatPlane(copying: plane)
        mean = FloatPlane(unset: plane.width, plane.height)
        spread = FloatPlane(unset: plane.width, plane.height)
        withUnsafePointer(to: view) { leaflog_prepare($0, scratch.samples) }
      }

      var view: LeaflogReference {
        LeaflogReference(
          shape: plane.shape, samples: plane.samples, mean: mean.samples, spread: spread.samples)
      }
    }
    private let prepared: [Prepared?]

    init(_ tile: TilePyramid) {
      prepared = tile.planes.map { plane in plane.map { Prepared($0, tile.scratch) } }
    }

    /// Adds the differences of a tile of the same size.
    ///
    /// - Parameter weight: the area that the tile stands for, relative to that of the others.
    func compare(_ tile: TilePyramid, weight: Double = 1, addingTo sums: inout Sums) {
      for (index, reference) in prepared.enumerated() {
        guard let reference, let plane = tile.planes[index] else { continue }
        var differences = LeaflogDifferences()
        withUnsafePointer(to: reference.view) {
          leaflog_compare($0, plane.samples, tile.scratch.samples, &differences)
        }
        sums.maps[index].add(differences, weight)
        sums.counts[index] += weight * Double(plane.width * plane.height)
      }
    }
  }
}

extension LeaflogDifferences {
  fileprivate mutating func add(_ other: LeaflogDifferences, _ weight: Double) {
    dissimilarity += weight * other.dissimilarity
    dissimilarity4 += weight * other.dissimilarity4
    artifact4 += weight * other.artifact4
    lost_detail4 += weight * other.lost_detail4
  }
}

extension DecodedPhoto {
  /// How similar a copy of the same size is to this photo: SSIMULACRA2 over all pixels. It takes a second
  /// for ten megapixels; the quality search uses samples instead.
  package func score(of copy: DecodedPhoto) throws -> Double {
    func withTile(of picture: VipsPicture, _ body: (TilePyramid) -> Void) throws {
      let shape = TileShape(
        width: picture.width, height: picture.height, bandCount: picture.bandCount)
      try picture.withSamples { shape.forEachTile(of: $0) { body($1) } }
    }
    precondition(copy.size == size, "pictures of different sizes")
    var reference: SSIMULACRA2.Reference?
    try withTile(of: picture) { reference = SSIMULACRA2.Reference($0) }
    var sums = SSIMULACRA2.Sums()
    try withTile(of: copy.picture) { reference?.compare($0, addingTo: &sums) }
    return SSIMULACRA2.score(sums)
  }

  /// The sharpness of a small 8-bit picture: the variance of the Laplacian of its first band.
  package func sharpness() throws -> Double {
    let (width, height, bands) = (picture.width, picture.height, picture.bandCount)
    guard width > 2, height > 2 else { return 0 }
    return try picture.withSamples { samples in
      let band = (0..<(width * height)).map { Int32(samples[$0 * bands]) }
      var (sum, squares) = (0, 0)
      band.withUnsafeBufferPointer { band in
        for y in 1..<(height - 1) {
          // 32 bits hold the sum of 1024 squares of at most 1020.
          for first in stride(from: 1, to: width - 1, by: 1024) {
            var (rowSum, rowSquares): (Int32, Int32) = (0, 0)
            for at in (y * width + first)..<(y * width + min(first + 1024, width - 1)) {
              let laplacian =
                4 &* band[at] &- band[at - 1] &- band[at + 1] &- band[at - width]
                &- band[at + width]
              rowSum &+= laplacian
              rowSquares &+= laplacian &* laplacian
            }
            sum += Int(rowSum)
            squares += Int(rowSquares)
          }
        }
      }
      let count = Double((width - 2) * (height - 2))
      let mean = Double(sum) / count
      return Double(squares) / count - mean * mean
    }
  }

  /// The 8-bit samples of one pixel.
  package func pixel(x: Int, y: Int) throws -> [UInt8] {
    try picture.withSamples { samples in
      let start = (y * picture.width + x) * picture.bandCount
      return Array(samples[start..<(start + picture.bandCount)])
    }
  }

  /// The mean absolute difference of all samples from those of a picture of the same shape.
  package func meanDifference(from other: DecodedPhoto) throws -> Double {
    try picture.withSamples { samples in
      try other.picture.withSamples { others in
        precondition(samples.count == others.count, "pictures of different shapes")
        var sum = 0
        for (a, b) in zip(samples, others) { sum += abs(Int(a) - Int(b)) }
        return Double(sum) / Double(max(1, samples.count))
      }
    }
  }

  /// The size as decoded.
  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}

/// Whether two small pictures show the same.
extension DecodedPhoto {
  /// The side of the squares whose mean colours are compared: what compression changes evens out in them.
  private static let cellSide = 16
  /// The greatest difference of a mean, of 255, that compression leaves: it left 5 in photos, and Adobe RGB that was taken
  /// for sRGB differs by 20.
  private static let greatestNoise = 8.0

  /// Whether another upright picture of 8 bits shows the same, apart from what compression changes: wherever one looks,
  /// colours are nearly the same.
  package func isLike(_ other: DecodedPhoto) throws -> Bool {
    guard size == other.size else { return false }
    let (means, others) = try (cellMeans(), other.cellMeans())
    return zip(means, others).allSatisfy { abs($0 - $1) <= Self.greatestNoise }
  }

  /// The mean red, green and blue of each square. A grey picture has the same in all three.
  private func cellMeans() throws -> [Double] {
    let (width, height, bands) = (picture.width, picture.height, picture.bandCount)
    let columns = (width + Self.cellSide - 1) / Self.cellSide
    let rows = (height + Self.cellSide - 1) / Self.cellSide
    var sums = [Int](repeating: 0, count: 3 * columns * rows)
    var counts = [Int](repeating: 0, count: columns * rows)
    try picture.withSamples { samples in
      for y in 0..<height {
        for x in 0..<width {
          let cell = y / Self.cellSide * columns + x / Self.cellSide
          let at = (y * width + x) * bands
          for band in 0..<3 { sums[3 * cell + band] += Int(samples[at + (bands < 3 ? 0 : band)]) }
          counts[cell] += 1
        }
      }
    }
    return sums.indices.map { Double(sums[$0]) / Double(counts[$0 / 3]) }
  }
}

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
