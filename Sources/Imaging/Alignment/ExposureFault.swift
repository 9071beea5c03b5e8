internal import Foundation

/// How far a frame on its own is from a good exposure, in stops; `none` for a well-exposed one.
struct ExposureFault: Comparable {
  private let stops: Double

  static let none = ExposureFault(clippedShare: 0, luminance: 1)

  /// The share of clipped pixels that a good exposure may have: windows and white tables are in
  /// many pictures.
  private static let maxClippedShare = 0.15
  /// The least geometric mean of luminance, in linear light, of a good exposure.
  private static let minLuminance = 0.03

  /// - Parameters:
  ///   - clippedShare: the share of clipped pixels, 0...1.
  ///   - luminance: the geometric mean, in linear light, 0...1.
  init(clippedShare: Double, luminance: Double) {
    let bright = clippedShare > 0 ? log2(clippedShare / Self.maxClippedShare) : 0
    let dark = luminance > 0 ? log2(Self.minLuminance / luminance) : .infinity
    stops = max(0, bright) + max(0, dark)
  }

  static func < (left: ExposureFault, right: ExposureFault) -> Bool { left.stops < right.stops }
}
