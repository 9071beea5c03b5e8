/// A correction of saturation and contrast, which phones choose for each photo and which no gain can
/// align. It works on encoded sRGB samples, 0...1. Black and white stay as they are; greys change only in
/// contrast.
package struct ColourCorrection: Sendable, Hashable {
  /// For each of red, green and blue: the shares to add of the difference to the next channel and to the
  /// one after that, in the order red, green, blue, red; then the b and s of its curve, which adds b v (1-v)
  /// and s v (1-v) (1-2v).
  package internal(set) var coefficients = [Double](repeating: 0, count: coefficientCount)

  static let perChannel = 4
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
