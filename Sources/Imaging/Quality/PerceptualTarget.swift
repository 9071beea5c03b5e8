/// The SSIMULACRA2 score that a compressed copy has to reach.
package struct PerceptualTarget: Sendable, Hashable {
  package let score: Double

  package init(score: Double) { self.score = score }

  /// 80: hard to tell apart from the original side by side.
  package static let standard = PerceptualTarget(score: 80)
  /// 70: for the small pictures of listings, of which a page has dozens.
  static let thumbnail = PerceptualTarget(score: 70)
}
