internal import Foundation

/// The perceptual metric SSIMULACRA2 (Jon Sneyers, Cloudinary, 2022-2023; version 2.1): 90 is
/// visually lossless side by side, 70 is high quality, 50 medium.
///
/// Only the terms whose weight is above 0.01 are computed; the rest add less than a thousandth of
/// the whole. The maps are averaged over any number of tiles, so that a sample of a large picture
/// can stand for it.
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

  static let scaleCount = 5
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

  /// The sums of one term's maps, with the number of samples.
  struct Sums {
    var count = 0.0
    var dissimilarity = 0.0
    var dissimilarity4 = 0.0
    var artifact4 = 0.0
    var lostDetail4 = 0.0

    static func += (left: inout Sums, right: Sums) {
      left.count += right.count
      left.dissimilarity += right.dissimilarity
      left.dissimilarity4 += right.dissimilarity4
      left.artifact4 += right.artifact4
      left.lostDetail4 += right.lostDetail4
    }
  }

  /// The score of the sums of all terms, in their order.
  static func score(_ sums: [Sums]) -> Double {
    var total = 0.0
    for (term, sum) in zip(terms, sums) where sum.count > 0 {
      func norm4(_ value: Double) -> Double { (value / sum.count).squareRoot().squareRoot() }
      total += term.dissimilarity * sum.dissimilarity / sum.count
      total += term.dissimilarity4 * norm4(sum.dissimilarity4)
      total += term.artifact4 * norm4(sum.artifact4)
      total += term.lostDetail4 * norm4(sum.lostDetail4)
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
      let meanOfSquares: FloatPlane
    }
    private let prepared: [Prepared?]

    init(_ tile: RGBTile) {
      prepared = SSIMULACRA2.planes(of: tile).map { plane in
        plane.map {
          Prepared(
            plane: $0, mean: $0.blurred(), meanOfSquares: $0.combined(with: $0, *).blurred())
        }
      }
    }

    /// Compares a tile of the same size; one value for each term.
    func sums(comparing tile: RGBTile) -> [Sums] {
      zip(prepared, SSIMULACRA2.planes(of: tile)).map { reference, distorted in
        guard let reference, let distorted else { return Sums() }
        return SSIMULACRA2.sums(
          Maps(
            reference: reference.plane, distorted: distorted, mean1: reference.mean,
            mean2: distorted.blurred(), square1: reference.meanOfSquares,
            square2: distorted.combined(with: distorted, *).blurred(),
            product: reference.plane.combined(with: distorted, *).blurred()))
      }
    }
  }

  /// The plane that each term looks at; nil where the tile is too small for its scale.
  private static func planes(of tile: RGBTile) -> [FloatPlane?] {
    var result = [FloatPlane?](repeating: nil, count: terms.count)
    var linear = tile
    for scale in 0..<scaleCount {
      if linear.red.width < 4 || linear.red.height < 4 { break }
      for (index, term) in terms.enumerated() where term.scale == scale {
        result[index] = linear.plane(term.channel)
      }
      linear = linear.halved()
    }
    return result
  }

  private struct Maps {
    let reference, distorted, mean1, mean2, square1, square2, product: FloatPlane
  }

  private static func sums(_ maps: Maps) -> Sums {
    let one = SIMD8<Float>(repeating: 1)
    let zero = SIMD8<Float>()
    let c2 = SIMD8<Float>(repeating: 0.0009)
    var total = Sums()
    let (width, height, stride) = (
      maps.reference.width, maps.reference.height, maps.reference.stride
    )
    let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
    for y in 0..<height {
      var (sum, sum4, artifacts4, lost4) = (zero, zero, zero, zero)
      for x in Swift.stride(from: 0, to: stride, by: 8) {
        let at = y * stride + x
        let source = FloatPlane.load(maps.reference.samples + at)
        let copy = FloatPlane.load(maps.distorted.samples + at)
        let mean1 = FloatPlane.load(maps.mean1.samples + at)
        let mean2 = FloatPlane.load(maps.mean2.samples + at)
        let difference = mean1 - mean2
        let covariance = FloatPlane.load(maps.product.samples + at) - mean1 * mean2
        let variance1 = FloatPlane.load(maps.square1.samples + at) - mean1 * mean1
        let variance2 = FloatPlane.load(maps.square2.samples + at) - mean2 * mean2
        var dissimilarity =
          one - (one - difference * difference) * (covariance + covariance + c2)
          / (variance1 + variance2 + c2)
        var edge = (one + magnitude(copy - mean2)) / (one + magnitude(source - mean1)) - one
        dissimilarity.replace(with: zero, where: dissimilarity .< zero)
        if x + 8 > width {
          let outside = lanes .>= SIMD8<Int32>(repeating: Int32(width - x))
          dissimilarity.replace(with: zero, where: outside)
          edge.replace(with: zero, where: outside)
        }
        sum += dissimilarity
        let squared = dissimilarity * dissimilarity
        sum4 += squared * squared
        let edge2 = edge * edge
        let edge4 = edge2 * edge2
        artifacts4 += edge4.replacing(with: zero, where: edge .< zero)
        lost4 += edge4.replacing(with: zero, where: edge .> zero)
      }
      total.dissimilarity += Double(sum.sum())
      total.dissimilarity4 += Double(sum4.sum())
      total.artifact4 += Double(artifacts4.sum())
      total.lostDetail4 += Double(lost4.sum())
    }
    total.count = Double(width * height)
    return total
  }

  @inline(__always)
  private static func magnitude(_ value: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(
      unsafeBitCast(value, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7FFF_FFFF),
      to: SIMD8<Float>.self)
  }
}
