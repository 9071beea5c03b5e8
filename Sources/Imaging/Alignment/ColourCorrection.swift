/// A correction of saturation and contrast, which phones choose for each photo and which no gain can
/// align. It works on encoded sRGB samples, 0...1. Black and white stay as they are; greys change only in
/// contrast.
package struct ColourCorrection: Sendable, Hashable {
  /// For each of red, green and blue: the shares to add of the difference to the next channel and to the
  /// one after that, in the order red, green, blue, red; then the b and s of its curve, which adds b v (1-v)
  /// and s v (1-v) (1-2v).
  package internal(set) var coefficients = [Double](repeating: 0, count: coefficientCount)

  fileprivate static let perChannel = 4
  static let coefficientCount = 3 * perChannel
  /// The largest plausible coefficients; within them every channel stays monotone.
  static let limits = [0.6, 0.6, 0.5, 0.4]

  package init() {}

  var mixes: Bool {
    (0..<3).contains {
      coefficients[$0 * Self.perChannel] != 0 || coefficients[$0 * Self.perChannel + 1] != 0
    }
  }

  /// The 3 × 3 matrix that mixes the channels, row by row.
  var matrix: [Double] {
    var matrix = [Double](repeating: 0, count: 9)
    for channel in 0..<3 {
      let (next, after) = mix(channel)
      matrix[channel * 3 + channel] = 1 - next - after
      matrix[channel * 3 + (channel + 1) % 3] = next
      matrix[channel * 3 + (channel + 2) % 3] = after
    }
    return matrix
  }

  private func mix(_ channel: Int) -> (Double, Double) {
    (coefficients[channel * Self.perChannel], coefficients[channel * Self.perChannel + 1])
  }

  func bent(_ value: Double, channel: Int) -> Double {
    let rest = value * (1 - value)
    let at = channel * Self.perChannel
    return value + rest * (coefficients[at + 2] + coefficients[at + 3] * (1 - 2 * value))
  }

  /// Applies the correction to planes in linear light.
  func applied(to channels: [FloatPlane]) -> [FloatPlane] {
    let matrix = self.matrix.map(Float.init)
    let bends = coefficients.map(Float.init)
    let result = channels.map { FloatPlane(width: $0.width, height: $0.height) }
    for y in 0..<result[0].height {
      for x in 0..<result[0].width {
        let at = y * result[0].stride + x
        let (red, green, blue) = (
          Transfer.encoded(channels[0].samples[at]), Transfer.encoded(channels[1].samples[at]),
          Transfer.encoded(channels[2].samples[at])
        )
        for channel in 0..<3 {
          let row = channel * 3
          let mixed = matrix[row] * red + matrix[row + 1] * green + matrix[row + 2] * blue
          let value = min(max(mixed, 0), 1)
          let bend = bends[channel * 4 + 2] + bends[channel * 4 + 3] * (1 - 2 * value)
          result[channel].samples[at] = Transfer.linear(value + value * (1 - value) * bend)
        }
      }
    }
    return result
  }
}

/// sRGB's transfer curve from tables, accurate to a thousandth; clamped to 0...1.
enum Transfer {
  private static let count = 4095
  private static let encodedOfRoot = (0...count).map { index in
    let root = Double(index) / Double(count)
    return Float(Exposure.encoded(root * root))
  }
  private static let linears = (0...count).map {
    Float(Exposure.linear(Double($0) / Double(count)))
  }

  static func encoded(_ light: Float) -> Float {
    encodedOfRoot[Int((min(max(light, 0), 1)).squareRoot() * Float(count) + 0.5)]
  }

  static func linear(_ value: Float) -> Float {
    linears[Int(min(max(value, 0), 1) * Float(count) + 0.5)]
  }
}

/// Finds the ``ColourCorrection`` that brings a frame's colours nearest to its scene's.
///
/// Least squares with Geman-McClure weights: leaves that moved have other colours, so pixels that
/// stand still decide. Colours are compared at the frame's own exposure, so the correction is valid
/// whatever exposure the frame is brought to.
struct ColourFit {
  private var samples: [Sample] = []

  private struct Sample {
    let frame: SIMD3<Float>
    let scene: SIMD3<Float>
    let trust: Float
  }

  /// Fewer samples than this say nothing about colours.
  private static let minCount = 300
  /// The penalty on a coefficient, in squared samples, so that negligible improvements are ignored.
  private static let cost = 0.0001

  init(frame: [FloatPlane], seen: FloatPlane, light: [Radiance], gain: SIMD3<Double>) {
    let gains = SIMD3<Float>(gain)
    func usable(_ value: SIMD3<Float>) -> Bool {
      value.max() < Radiance.bright && value.max() > Radiance.dark
    }
    for y in stride(from: 0, to: seen.height, by: 2) {
      for x in stride(from: 0, to: seen.width, by: 2) {
        let at = y * seen.stride + x
        guard seen.samples[at] > 0.99 else { continue }
        let new = SIMD3(frame[0].samples[at], frame[1].samples[at], frame[2].samples[at])
        let old =
          SIMD3(
            light[0].light.samples[at], light[1].light.samples[at], light[2].light.samples[at])
          / gains
        guard usable(new), usable(old), light.allSatisfy({ $0.counts.samples[at] > 0.5 }) else {
          continue
        }
        let trust = light.map { $0.trust(at: at) }.min() ?? 0
        samples.append(
          Sample(frame: Self.encoded(new), scene: Self.encoded(old), trust: trust))
      }
    }
  }

  private static func encoded(_ light: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(Transfer.encoded(light.x), Transfer.encoded(light.y), Transfer.encoded(light.z))
  }

  var correction: ColourCorrection {
    var result = ColourCorrection()
    guard samples.count >= Self.minCount else { return result }
    for channel in 0..<3 {
      let solution = solution(for: channel)
      for index in 0..<4 {
        let limit = ColourCorrection.limits[index]
        result.coefficients[channel * ColourCorrection.perChannel + index] =
          min(max(solution[index], -limit), limit)
      }
    }
    return result
  }

  private func solution(for channel: Int) -> SIMD4<Double> {
    var solution = SIMD4<Double>()
    var scale: Float = 0.1
    for round in 0..<5 {
      var equations = SymmetricEquations(cost: Self.cost * Double(samples.count))
      let known = SIMD4<Float>(solution)
      for sample in samples {
        let value = sample.frame[channel]
        let rest = value * (1 - value)
        let terms = SIMD4(
          sample.frame[(channel + 1) % 3] - value, sample.frame[(channel + 2) % 3] - value, rest,
          rest * (1 - 2 * value))
        let target = sample.scene[channel] - value
        let error = target - (known * terms).sum()
        let robust = scale * scale / (scale * scale + error * error)
        equations.add(terms, target: target, weight: robust * robust * sample.trust)
      }
      guard let found = equations.solution else { return solution }
      solution = found
      if round > 0 { scale = max(0.05, scale * 0.7) }
    }
    return solution
  }
}

/// Least squares for four unknowns.
struct SymmetricEquations {
  private var rows: [SIMD4<Double>]
  private var right = SIMD4<Double>()

  /// With a cost on each unknown's square.
  init(cost: Double) {
    rows = (0..<4).map { index in
      var row = SIMD4<Double>()
      row[index] = cost
      return row
    }
  }

  init(rows: [SIMD4<Double>], right: SIMD4<Double>) {
    self.rows = rows
    self.right = right
  }

  mutating func add(_ terms: SIMD4<Float>, target: Float, weight: Float) {
    let weighted = SIMD4<Double>(terms * weight)
    let terms = SIMD4<Double>(terms)
    for index in 0..<4 { rows[index] += weighted[index] * terms }
    right += weighted * Double(target)
  }

  /// The solution by Gaussian elimination; nil when it is not unique.
  var solution: SIMD4<Double>? {
    var (rows, right) = (self.rows, self.right)
    for pivot in 0..<4 {
      guard abs(rows[pivot][pivot]) > 1e-12 else { return nil }
      for row in (pivot + 1)..<4 {
        let share = rows[row][pivot] / rows[pivot][pivot]
        rows[row] -= share * rows[pivot]
        right[row] -= share * right[pivot]
      }
    }
    var result = SIMD4<Double>()
    for row in (0..<4).reversed() {
      result[row] = (right[row] - (rows[row] * result).sum()) / rows[row][row]
    }
    return result
  }
}
