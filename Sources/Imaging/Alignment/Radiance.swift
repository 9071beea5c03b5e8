internal import Foundation

/// One channel of a scene's light, gathered from frames of different exposure: a pixel that one of
/// them clipped may be intact in another (after Debevec and Malik, "Recovering high dynamic range
/// radiance maps from photographs", SIGGRAPH 1997). The unit is full scale of the scene's first
/// frame.
struct Radiance {
  let light: FloatPlane
  /// How many frames have seen each pixel.
  let counts: FloatPlane
  /// How much each pixel varied nevertheless: mean squares of stops. A date that the camera wrote into
  /// its picture, for example, is equally bright at any exposure, and leaves come and go.
  let spreads: FloatPlane

  /// Above `bright`, some of the samples averaged in a pixel may be clipped; above `clipped`, all are.
  /// Below `dark` is noise.
  static let bright: Float = 0.85
  static let clipped: Float = 0.95
  static let dark: Float = 0.004

  /// The light of a scene of which nothing is known yet.
  init(width: Int, height: Int) {
    light = FloatPlane(width: width, height: height)
    counts = FloatPlane(width: width, height: height)
    spreads = FloatPlane(width: width, height: height)
  }

  /// How far a pixel can be trusted, 0...1: a half where it varies by a fifth of a stop.
  func trust(at index: Int) -> Float { 0.04 / (0.04 + spreads.samples[index]) }

  /// Compares a frame's channel, warped onto the scene: the gain that brings it to the scene's light, and
  /// the level of its full scale there; nil if there is too little to compare.
  func comparison(
    with channel: FloatPlane, seen: FloatPlane
  ) -> (gain: Double, white: Double?)? {
    var ratios = Histogram()
    var whites = Histogram()
    for y in 0..<light.height {
      let (known, counts) = (light.row(y), counts.row(y))
      let (new, seen) = (channel.row(y), seen.row(y))
      for x in 0..<light.width where counts[x] > 0.5 && seen[x] > 0.99 {
        if new[x] > Self.dark, new[x] < Self.bright {
          // Brighter pixels have less relative noise.
          let weight = min(1, 30 * min(known[x], new[x])) * trust(at: y * light.stride + x)
          ratios.add(log2(known[x] / new[x]), weight: weight)
        }
      }
      for x in 0..<light.width where new[x] > Self.clipped && seen[x] > 0.99 && known[x] > 0 {
        whites.add(log2(known[x]), weight: 1)
      }
    }
    guard ratios.count >= 50, let gain = ratios.median else { return nil }
    return (exp2(gain), whites.count >= 10 ? whites.median.map { exp2($0) } : nil)
  }

  /// The scene's light with a frame added, after a gain that brings the frame to the scene's exposure.
  func adding(_ channel: FloatPlane, seen: FloatPlane, gain: Double, memory: Float) -> Radiance {
    let result = Radiance(width: light.width, height: light.height)
    let gain = Float(gain)
    for y in 0..<light.height {
      let (known, count) = (light.row(y), counts.row(y))
      let (new, seen) = (channel.row(y), seen.row(y))
      let (target, targetCount) = (result.light.row(y), result.counts.row(y))
      let (spread, targetSpread) = (spreads.row(y), result.spreads.row(y))
      for x in 0..<light.width {
        (target[x], targetCount[x], targetSpread[x]) = (known[x], count[x], spread[x])
        guard seen[x] > 0.99 else { continue }
        let value = new[x] * gain
        if new[x] >= Self.bright {
          // It only says that the light is at least this bright.
          if count[x] < 0.5 { target[x] = max(known[x], value) }
        } else if new[x] > Self.dark / 2 {
          let next = min(count[x] + 1, memory)
          target[x] = known[x] + (value - known[x]) / next
          targetCount[x] = next
          if count[x] > 0.5, known[x] > 0, value > 0 {
            let stops = min(abs(log2(value / known[x])), 2)
            targetSpread[x] = spread[x] + (stops * stops - spread[x]) / next
          }
        }
      }
    }
    return result
  }
}

/// A histogram of the base-two logarithms of ratios, in steps of a 64th.
private struct Histogram {
  private static let perOctave: Float = 64
  private static let octaves: Float = 8
  private var bins = [Float](repeating: 0, count: Int(2 * octaves * perOctave) + 1)
  private(set) var count = 0

  mutating func add(_ value: Float, weight: Float) {
    guard value.isFinite else { return }
    let place = (value.clamped(to: -Self.octaves...Self.octaves) + Self.octaves) * Self.perOctave
    bins[Int(place.rounded())] += weight
    count += 1
  }

  var median: Double? {
    let half = bins.reduce(0, +) / 2
    guard half > 0 else { return nil }
    var below: Float = 0
    for (index, weight) in bins.enumerated() {
      if below + weight >= half {
        let place = Float(index) - 0.5 + (half - below) / weight
        return Double(place / Self.perOctave - Self.octaves)
      }
      below += weight
    }
    return nil
  }
}

extension Float {
  fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
