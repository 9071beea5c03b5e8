internal import Foundation

/// How coarsely a JPEG is quantised: a scale of sixteen levels per octave, applied to perceptual tables.
///
/// The luma table is Nicolas Robidoux's for ImageMagick (2012), with the ratio of each step to the
/// first raised to the power of 1.3, so that high frequencies are coarser. The chroma table is that of
/// ITU-T T.81, annex K, times 0.7: SSIMULACRA2, like the eye, is sensitive to broad shifts of colour.
/// Measured on crops of eight camera photos, files at a score of 79 to 81 are 15 % smaller than with
/// annex K's own tables.
struct JPEGQuality: Hashable, Comparable, Sendable {
  /// Higher is better: 0 uses the tables as they are, 16 halves their steps, 32 quarters them.
  let level: Int

  static let range = 0...64

  static func < (left: JPEGQuality, right: JPEGQuality) -> Bool { left.level < right.level }

  /// The beginning of the quality's part of a recipe: the version of the tables.
  fileprivate static let recipeBeginning = "jpeg-r13 level="

  /// The quality's part of a recipe.
  var recipe: String { Self.recipeBeginning + "\(level)" }

  /// 64 steps in natural order.
  var luma: [UInt32] {
    scaled(Self.robidoux.map { 16 * pow(Double($0) / 16, 1.3) })
  }

  var chroma: [UInt32] { scaled(Self.annexKChroma.map { 0.7 * Double($0) }) }

  private func scaled(_ table: [Double]) -> [UInt32] {
    let scale = exp2(-Double(level) / 16)
    return table.map { UInt32(min(max(($0 * scale).rounded(), 1), 255)) }
  }

  private static let robidoux = [
    16, 16, 16, 18, 25, 37, 56, 85,
    16, 17, 20, 27, 34, 40, 53, 75,
    16, 20, 24, 31, 43, 62, 91, 135,
    18, 27, 31, 40, 53, 74, 106, 156,
    25, 34, 43, 53, 69, 94, 131, 189,
    37, 40, 62, 74, 94, 124, 169, 238,
    56, 53, 91, 106, 131, 169, 226, 311,
    85, 75, 135, 156, 189, 238, 311, 418,
  ]

  private static let annexKChroma = [
    17, 18, 24, 47, 99, 99, 99, 99,
    18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
  ]
}

/// The SSIMULACRA2 score that a compressed copy has to reach.
package struct PerceptualTarget: Sendable, Hashable {
  package let score: Double

  package init(score: Double) { self.score = score }

  /// 80: hard to tell apart from the original side by side.
  package static let standard = PerceptualTarget(score: 80)
  /// 70: for the small pictures of listings, of which a page has dozens.
  static let thumbnail = PerceptualTarget(score: 70)
}

/// How a compressed copy was made: the version of the method, its quality, and the score that it had to reach.
package struct MasterRecipe: Sendable, Hashable, CustomStringConvertible {
  /// The methods of making a copy, with their versions.
  enum Way: String, Hashable, CaseIterable {
    /// Decoded and encoded.
    case pixels = "master-1"
    /// From the photo's own coefficients.
    case coefficients = "master-2"
  }

  let way: Way
  /// The level of `JPEGQuality`.
  let level: Int
  package let target: PerceptualTarget

  private static let middle = " target=ssimulacra2:"

  init(_ way: Way, _ quality: JPEGQuality, _ target: PerceptualTarget) {
    (self.way, level, self.target) = (way, quality.level, target)
  }

  /// Parses what `description` writes; nil for any other text, such as that of another version.
  package init?(_ text: String) {
    guard let way = Way.allCases.first(where: { text.hasPrefix($0.beginning) }) else { return nil }
    let parts = text.dropFirst(way.beginning.count).split(separator: Self.middle)
    guard parts.count == 2, let level = Int(parts[0]), let score = Double(parts[1]) else {
      return nil
    }
    (self.way, self.level, target) = (way, level, PerceptualTarget(score: score))
  }

  package var description: String {
    way.beginning + "\(level)" + Self.middle
      + target.score.formatted(.number.grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
  }
}

extension MasterRecipe.Way {
  fileprivate var beginning: String { "\(rawValue) \(JPEGQuality.recipeBeginning)" }
}
