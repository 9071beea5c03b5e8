/// The SSIMULACRA2 score that a compressed copy has to reach.
package struct PerceptualTarget: Sendable, Hashable {
  package let score: Double

  package init(score: Double) { self.score = score }

  /// 80: hard to tell from the original side by side.
  package static let standard = PerceptualTarget(score: 80)
  /// 70: small pictures to list photos with, of which a page has dozens.
  static let thumbnail = PerceptualTarget(score: 70)
}
