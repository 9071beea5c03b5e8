internal import Foundation

/// How a compressed copy was made: the encoder's version, its quality, and the score that it was to reach.
package struct MasterRecipe: Sendable, Hashable, CustomStringConvertible {
  /// The level of `JPEGQuality`.
  let level: Int
  package let target: PerceptualTarget

  private static let beginning = "master-1 " + JPEGQuality.recipeBeginning
  private static let middle = " target=ssimulacra2:"

  init(_ quality: JPEGQuality, _ target: PerceptualTarget) {
    (level, self.target) = (quality.level, target)
  }

  /// Reads what `description` writes; nil for any other text, such as that of another version.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.beginning) else { return nil }
    let parts = text.dropFirst(Self.beginning.count).split(separator: Self.middle)
    guard parts.count == 2, let level = Int(parts[0]), let score = Double(parts[1]) else {
      return nil
    }
    (self.level, target) = (level, PerceptualTarget(score: score))
  }

  package var description: String {
    Self.beginning + "\(level)" + Self.middle
      + target.score.formatted(.number.grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
  }
}
