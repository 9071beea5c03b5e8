internal import Foundation

/// The exposure correction of a frame. First the camera's rendering is corrected
/// (``ColourCorrection``); then, for red, green and blue each, linear light (sRGB's transfer curve
/// undone, 1 is full scale) is multiplied by a gain; clipped samples, which are lighter than
/// recorded, are mapped to a level of their own.
package struct Exposure: Sendable, Hashable {
  /// Factors on linear light.
  package var gain: SIMD3<Double>
  package var colour = ColourCorrection()
  /// Where full scale goes, 0...1, the same for all channels lest white be tinted; a channel whose
  /// gain is larger rolls off towards it instead of clipping. 0 says nothing, and the gain alone
  /// decides.
  package var white: Double

  package static let identity = Exposure(gain: .one, white: 1)

  package init(gain: SIMD3<Double>, white: Double) {
    self.gain = gain
    self.white = white
  }

  /// One figure for all channels: their geometric mean.
  package var meanGain: Double { cbrt(gain.x * gain.y * gain.z) }

  /// No frame is made darker or lighter by more than four stops: noise would be all there is to see.
  static let gains = 1.0 / 16...16.0

  /// The level that a sample of a channel goes to, in linear light.
  package func callAsFunction(_ light: Double, channel: Int) -> Double {
    let gain = gain[channel]
    if white > 0, gain > white {
      // As steep as the gain in the shadows, level towards white.
      let excess = (gain / white) * (gain / white) - 1
      return min(1, gain * light / (1 + excess * light * light).squareRoot())
    }
    // The way to white is the last tenth or so: x⁸ is a half at 0.92.
    return min(1, gain * light + max(0, white - gain) * pow(light, 8))
  }

  /// For 8-bit sRGB samples whose colours are mixed already: 256 times red, green and blue.
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
