internal import Foundation

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
