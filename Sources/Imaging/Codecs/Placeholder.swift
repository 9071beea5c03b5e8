internal import Foundation

/// A picture of about 25 bytes for a page to show until its pictures arrive: a ThumbHash
/// (Evan Wallace, evanw.github.io/thumbhash), a few cosine coefficients of lightness and two colour
/// axes.
package enum Placeholder {
  /// The hash of a small picture, such as a thumbnail before compression; it is sampled down to 100 px per side.
  package static func hash(_ small: DecodedPhoto) throws -> [UInt8] {
    let picture = small.picture
    let step = max(1, (max(picture.width, picture.height) + 99) / 100)
    let width = (picture.width + step - 1) / step
    let height = (picture.height + step - 1) / step
    var planes = Planes(count: width * height)
    try picture.withSamples { samples in
      for y in 0..<height {
        for x in 0..<width {
          let at = (y * step * picture.width + x * step) * picture.bandCount
          let red = Double(samples[at]) / 255
          let green = picture.bandCount < 3 ? red : Double(samples[at + 1]) / 255
          let blue = picture.bandCount < 3 ? red : Double(samples[at + 2]) / 255
          planes.set(y * width + x, red: red, green: green, blue: blue)
        }
      }
    }
    return hash(planes, width: width, height: height)
  }

  private struct Planes {
    var lightness: [Double]
    var yellowBlue: [Double]
    var redGreen: [Double]

    init(count: Int) {
      lightness = Array(repeating: 0, count: count)
      yellowBlue = lightness
      redGreen = lightness
    }

    mutating func set(_ index: Int, red: Double, green: Double, blue: Double) {
      lightness[index] = (red + green + blue) / 3
      yellowBlue[index] = (red + green) / 2 - blue
      redGreen[index] = red - green
    }
  }

  private static func hash(_ planes: Planes, width: Int, height: Int) -> [UInt8] {
    let longer = Double(max(width, height))
    let columns = max(1, Int((7 * Double(width) / longer).rounded()))
    let rows = max(1, Int((7 * Double(height) / longer).rounded()))
    func channel(_ plane: [Double], _ columns: Int, _ rows: Int) -> Channel {
      Channel(plane, width: width, height: height, columns: columns, rows: rows)
    }
    let l = channel(planes.lightness, max(3, columns), max(3, rows))
    let p = channel(planes.yellowBlue, 3, 3)
    let q = channel(planes.redGreen, 3, 3)
    let isLandscape = width > height
    let first =
      Int((63 * l.mean).rounded()) | Int((31.5 + 31.5 * p.mean).rounded()) << 6
      | Int((31.5 + 31.5 * q.mean).rounded()) << 12 | Int((31 * l.scale).rounded()) << 18
    let second =
      (isLandscape ? rows : columns) | Int((63 * p.scale).rounded()) << 3
      | Int((63 * q.scale).rounded()) << 9 | (isLandscape ? 1 : 0) << 15
    var bytes = [first, first >> 8, first >> 16, second, second >> 8].map {
      UInt8(truncatingIfNeeded: $0)
    }
    let nibbles = (l.waves + p.waves + q.waves).map { UInt8((15 * $0).rounded()) }
    for pair in stride(from: 0, to: nibbles.count, by: 2) {
      bytes.append(nibbles[pair] | (pair + 1 < nibbles.count ? nibbles[pair + 1] << 4 : 0))
    }
    return bytes
  }

  /// The cosine transform's coefficients of one plane, only the triangle of low frequencies.
  private struct Channel {
    var mean = 0.0
    var scale = 0.0
    /// 0 to 1, where 0.5 is none.
    var waves: [Double] = []

    /// One of the cosine transform's waves: half a period times `frequency` over so many samples.
    private static func wave(_ frequency: Int, over count: Int) -> [Double] {
      let step = Double.pi / Double(count) * Double(frequency)
      return (0..<count).map { sample in cos(step * (Double(sample) + 0.5)) }
    }

    init(_ plane: [Double], width: Int, height: Int, columns: Int, rows: Int) {
      for row in 0..<rows {
        let vertical = Self.wave(row, over: height)
        for column in 0..<columns where column * rows < columns * (rows - row) {
          let across = Self.wave(column, over: width)
          var sum = 0.0
          for y in 0..<height {
            var line = 0.0
            for x in 0..<width { line += plane[y * width + x] * across[x] }
            sum += line * vertical[y]
          }
          let wave = sum / Double(width * height)
          if row == 0, column == 0 { mean = wave } else { waves.append(wave) }
        }
      }
      scale = waves.map(abs).max() ?? 0
      waves = waves.map { scale > 0 ? 0.5 + 0.5 / scale * $0 : 0 }
    }
  }
}
