internal import Foundation

extension Exposure {
  /// The largest deviation from a scene's typical exposure, in stops, at which a frame stays as it
  /// is: cameras call that correctly exposed.
  private static let unchanged = 0.5
  /// The deviation from which a frame is brought fully to the typical exposure.
  private static let corrected = 1.0

  /// The part of a correction that a film applies: none for frames near the typical exposure, all for
  /// those far from it, and a growing part in between, so that no step shows.
  package var tempered: Exposure {
    let stops = (0..<3).map { abs(log2(gain[$0])) }.max() ?? 0
    let share = (stops - Self.unchanged) / (Self.corrected - Self.unchanged)
    let strength = min(max(share, 0), 1)
    return scaled(by: strength * strength * (3 - 2 * strength))
  }

  /// A part of the correction: none at 0, all at 1.
  func scaled(by strength: Double) -> Exposure {
    guard strength > 0 else { return .identity }
    var result = self
    for channel in 0..<3 { result.gain[channel] = pow(gain[channel], strength) }
    for index in 0..<ColourCorrection.coefficientCount {
      result.colour.coefficients[index] *= strength
    }
    if white > 0 { result.white = 1 + (white - 1) * strength }
    return result
  }
}
