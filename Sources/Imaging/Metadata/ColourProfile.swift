internal import Foundation

/// An ICC profile (ICC.1:2001-04) made from primaries and a tone curve, for pictures that name their colours by
/// numbers.
struct ColourProfile {
  let bytes: [UInt8]

  /// The `x` and `y` of white, red, green and blue.
  private static let sRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

  /// Codes of ITU-T H.273, tables 2 and 3. Nil for sRGB and its like, and for HDR, which an 8-bit profile cannot
  /// describe.
  init?(primaries: Int, transfer: Int, isGrey: Bool = false) {
    let known = [
      1: Self.sRGB, 5: [0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
      6: [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
      9: [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
      11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
      12: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
    ]
    // Video's curves are shown as sRGB's, as browsers do.
    let curves: [Int: Curve] = [
      1: .sRGB, 4: .gamma(2.2), 5: .gamma(2.8), 6: .sRGB, 8: .gamma(1), 13: .sRGB, 14: .sRGB,
      15: .sRGB,
    ]
    guard let chromaticities = known[primaries], let curve = curves[transfer] else { return nil }
    self.init(chromaticities, curve, isGrey: isGrey)
  }

  /// - Parameters:
  ///   - chromaticities: `x` and `y` of white, red, green and blue; nil for sRGB's.
  ///   - gamma: the exponent from samples to light; nil for sRGB's curve.
  init?(chromaticities: [Double]?, gamma: Double?, isGrey: Bool) {
    // 1 / 0.45455 is how files write sRGB's curve; libpng also ignores differences of a twentieth.
    let curve: Curve =
      if let gamma, gamma > 0.1, gamma < 10, abs(gamma * 0.45455 - 1) > 0.05 { .gamma(gamma) } else
      {
        .sRGB
      }
    self.init(chromaticities ?? Self.sRGB, curve, isGrey: isGrey)
  }

  private enum Curve: Equatable {
    case sRGB
    case gamma(Double)
  }

  private init?(_ chromaticities: [Double], _ curve: Curve, isGrey: Bool) {
    let isSRGB = zip(chromaticities, Self.sRGB).allSatisfy { abs($0 - $1) < 0.005 }
    guard !(curve == .sRGB && (isSRGB || isGrey)),
      let columns = isGrey ? [] : Self.columns(chromaticities)
    else { return nil }
    let trace = Self.curve(curve)
    var tags: [(String, [UInt8])] = [
      ("desc", Self.description), ("cprt", Array("text\0\0\0\0No copyright\0".utf8)),
      ("wtpt", Self.xyz(Self.d50)),
    ]
    if isGrey {
      tags.append(("kTRC", trace))
    } else {
      tags += zip(["rXYZ", "gXYZ", "bXYZ"], columns).map { ($0, Self.xyz($1)) }
      tags += ["rTRC", "gTRC", "bTRC"].map { ($0, trace) }
    }
    bytes = Self.file(tags, isGrey: isGrey)
  }

  private static let d50 = [0.9642, 1, 0.8249]

  /// The primaries' XYZ under D50, adapted by Bradford's matrix; nil when they are no primaries of anything.
  private static func columns(_ values: [Double]) -> [[Double]]? {
    func xyz(_ index: Int) -> [Double]? {
      let (x, y) = (values[2 * index], values[2 * index + 1])
      guard x >= 0, x < 1, y > 0.001, x + y <= 1 else { return nil }
      return [x / y, 1, (1 - x - y) / y]
    }
    guard let white = xyz(0), let red = xyz(1), let green = xyz(2), let blue = xyz(3),
      let inverse = inverted(transposed([red, green, blue]))
    else { return nil }
    let scales = product(inverse, white)
    let bradford = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    guard let back = inverted(bradford), scales.allSatisfy({ $0 > 0 }) else { return nil }
    let (from, to) = (product(bradford, white), product(bradford, d50))
    guard from.allSatisfy({ $0 > 0.001 }) else { return nil }
    let columns = zip([red, green, blue], scales).map { column, scale in
      let cone = product(bradford, column.map { $0 * scale })
      return product(back, (0..<3).map { cone[$0] * to[$0] / from[$0] })
    }
    return columns.joined().allSatisfy { abs($0) < 4 } ? columns : nil
  }

  private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { zip($0, vector).map(*).reduce(0, +) }
  }

  private static func transposed(_ matrix: [[Double]]) -> [[Double]] {
    (0..<3).map { column in matrix.map { $0[column] } }
  }

  private static func inverted(_ m: [[Double]]) -> [[Double]]? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (a, b) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return m[a][c] * m[b][d] - m[a][d] * m[b][c]
    }
    let determinant = (0..<3).map { m[0][$0] * minor(0, $0) }.reduce(0, +)
    guard abs(determinant) > 1e-6 else { return nil }
    return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
  }

  private static func curve(_ curve: Curve) -> [UInt8] {
    let head = Array("curv\0\0\0\0".utf8)
    switch curve {
    case .gamma(let exponent):
      return head + number(1, 4) + number(Int((exponent * 256).rounded()), 2)
    case .sRGB:
      let count = 1024
      return head + number(count, 4)
        + (0..<count).flatMap { index -> [UInt8] in
          let value = Double(index) / Double(count - 1)
          let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
          return number(Int((light * 65_535).rounded()), 2)
        }
    }
  }

  /// The name in a profile's list.
  private static let description: [UInt8] = {
    let name = Array("Colours of the file\0".utf8)
    return Array("desc\0\0\0\0".utf8) + number(name.count, 4) + name
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }()

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap { number(Int(($0 * 65_536).rounded()), 4) }
  }

  private static func file(_ tags: [(String, [UInt8])], isGrey: Bool) -> [UInt8] {
    var table = number(tags.count, 4)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    for (name, content) in tags {
      table += Array(name.utf8) + number(start + data.count, 4) + number(content.count, 4)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = number(start + data.count, 4) + number(0, 4) + number(0x0210_0000, 4)
    header += Array("mntr".utf8) + Array((isGrey ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8)
    // A fixed date, so that the same colours always make the same profile.
    header += [2000, 1, 1, 0, 0, 0].flatMap { number($0, 2) } + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 68 - header.count)
    header += d50.flatMap { number(Int(($0 * 65_536).rounded()), 4) }
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
