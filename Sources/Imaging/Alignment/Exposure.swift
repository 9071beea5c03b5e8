internal import CVips
internal import Foundation

/// The exposure correction of a frame. First the camera's rendering is corrected
/// (``ColourCorrection``); then linear light (sRGB's transfer curve undone, 1 is full scale) is
/// multiplied by a gain for each of red, green and blue; clipped samples, which were brighter than
/// recorded, are mapped to a level of their own.
package struct Exposure: Sendable, Hashable {
  /// Factors on linear light.
  package var gain: SIMD3<Double>
  package var colour = ColourCorrection()
  /// The level that full scale is mapped to, 0...1, the same for all channels so that white is not
  /// tinted; a channel whose gain is larger rolls off towards it instead of clipping. With 0, the gain
  /// alone decides.
  package var white: Double

  package static let identity = Exposure(gain: .one, white: 1)

  package init(gain: SIMD3<Double>, white: Double) {
    self.gain = gain
    self.white = white
  }

  /// The geometric mean of the channels' gains.
  package var meanGain: Double { cbrt(gain.x * gain.y * gain.z) }

  /// No frame is made darker or brighter by more than four stops: nothing but noise would be visible.
  static let gains = 1.0 / 16...16.0

  /// The level that a sample of a channel is mapped to, in linear light.
  package func callAsFunction(_ light: Double, channel: Int) -> Double {
    let gain = gain[channel]
    if white > 0, gain > white {
      // As steep as the gain in the shadows, flat towards white.
      let excess = (gain / white) * (gain / white) - 1
      return min(1, gain * light / (1 + excess * light * light).squareRoot())
    }
    // The transition to white is about the last tenth: x⁸ is a half at 0.92.
    return min(1, gain * light + max(0, white - gain) * pow(light, 8))
  }

  /// The lookup table for 8-bit sRGB samples whose colours are already mixed: 256 times red, green and blue.
  var table: [UInt8] {
    var table = [UInt8](repeating: 0, count: 256 * 3)
    for sample in 0..<256 {
      for channel in 0..<3 {
        let bent = colour.bent(Double(sample) / 255, channel: channel)
        let light = Self.linear(min(max(bent, 0), 1))
        let value = 255 * Self.encoded(self(light, channel: channel))
        table[sample * 3 + channel] = UInt8(min(max(value, 0), 255).rounded())
      }
    }
    return table
  }

  /// sRGB's transfer curve and its inverse (IEC 61966-2-1).
  static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encoded(_ value: Double) -> Double {
    value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
}

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

extension VipsPicture {
  /// The 8-bit sRGB picture with its light and colours corrected.
  func exposed(by exposure: Exposure) throws -> VipsPicture {
    let colour = exposure.colour
    let mixed =
      colour.mixes ? try Vips.image { leaflog_mix(pointer, colour.matrix) } : self
    return try Vips.image { leaflog_map(mixed.pointer, exposure.table) }
  }

  /// The same, with the correction limited so that the shares of pixels clipped in each channel and in
  /// any channel stay nearly the same. The result is in memory.
  func exposedWithoutClipping(by exposure: Exposure) throws -> VipsPicture {
    guard exposure != .identity else { return self }
    let limits = try clippedShares() + Self.clippingBudget
    func attempt(_ strength: Double) throws -> VipsPicture? {
      let result = try exposed(by: exposure.scaled(by: strength)).inMemory()
      return try all(result.clippedShares() .<= limits) ? result : nil
    }
    if let whole = try attempt(1) { return whole }
    var (strength, step) = (0.0, 0.5)
    var best = self
    for _ in 0..<Self.attemptCount {
      if let result = try attempt(strength + step) {
        best = result
        strength += step
      }
      step /= 2
    }
    return best
  }

  /// The permitted increase in the share of clipped pixels. It is half of the percentage point that no
  /// frame may exceed, as encoders also raise samples a little.
  private static let clippingBudget = 0.005
  /// Finds the strength to 1/32 of a correction.
  private static let attemptCount = 5
  /// Samples at or above this count as clipped, as in the registration.
  private static let clipped: CInt = 250

  /// The shares of pixels clipped in any channel, in red, in green and in blue; 0...1.
  private func clippedShares() throws -> SIMD4<Double> {
    var shares = [0.0, 0, 0, 0]
    _ = try Vips.call {
      leaflog_bright_shares(pointer, Self.clipped, &shares) == 0 ? true : nil
    }
    return SIMD4(shares)
  }
}
