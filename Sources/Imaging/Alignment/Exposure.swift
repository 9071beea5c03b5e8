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
