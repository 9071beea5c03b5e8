internal import CVips
internal import Foundation

/// An ICC profile (ICC.1:2001-04) made from primaries and a tone curve, for pictures that name their colours by
/// numbers.
struct ColourProfile {
  let bytes: [UInt8]

  /// The `x` and `y` of white, red, green and blue.
  private static let sRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

  private static let bt2020 = [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]

  /// ITU-T H.273, table 2. Those that are not here are unspecified (2) or reserved.
  private static let primaries: [Int: [Double]] = [
    1: sRGB, 4: [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
    5: [0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
    6: [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
    7: [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
    8: [0.31, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049], 9: bt2020,
    11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
    12: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
    22: [0.3127, 0.329, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077],
  ]
  /// Table 3. Video's curves are shown as sRGB's, as browsers do, and so are those that are unspecified (2) or reserved.
  private static let transfers: [Int: Curve] = [
    4: .gamma(2.2), 5: .gamma(2.8), 8: .gamma(1), 16: .pq, 17: .gamma(2.6), 18: .hlg,
  ]
  /// Logarithmic curves, and XYZ as primaries, which no profile is made for.
  private static let unshownTransfers = [9, 10]
  private static let unshownPrimaries = 10
  private static let unspecified = 2

  /// The colours that codes of ITU-T H.273 stand for; nil when both are unspecified.
  static func colours(primaries: Int, transfer: Int, isGrey: Bool = false)
    -> PictureEncoding.Colours?
  {
    if primaries == unspecified, transfer == unspecified { return nil }
    if unshownTransfers.contains(transfer) || primaries == unshownPrimaries {
      return .wide(shownBy: nil)
    }
    let curve = transfers[transfer] ?? .sRGB
    // HDR without a word about its primaries has those of its standard, ITU-R BT.2100.
    let known = Self.primaries[primaries] ?? (curve.isHDR ? bt2020 : sRGB)
    let profile = ColourProfile(known, curve, isGrey: isGrey)?.bytes
    return curve.isHDR ? .wide(shownBy: profile) : profile.map { .made($0) } ?? .sRGB
  }

  /// Adobe RGB (1998), 4.3.1 and 4.3.4.
  static let adobeRGB = ColourProfile(
    [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06], .gamma(563 / 256), isGrey: false)

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
    /// Perceptual quantizer and hybrid log-gamma (ITU-R BT.2100, tables 4 and 5), tone-mapped.
    case pq
    case hlg

    var isHDR: Bool { self == .pq || self == .hlg }

    /// The light of a sample from 0 to 1, of which 1 is white.
    func light(_ value: Double) -> Double {
      switch self {
      case .sRGB: RGBTile.light(of: value)
      case .gamma(let exponent): pow(value, exponent)
      case .pq: ToneCurve.light(ofPQ: value)
      case .hlg: ToneCurve.light(ofHLG: value)
      }
    }
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
    case .sRGB, .pq, .hlg:
      let count = 1024
      return head + number(count, 4)
        + (0..<count).flatMap { index -> [UInt8] in
          let light = curve.light(Double(index) / Double(count - 1))
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

/// The curve that shows HDR on an ordinary screen, whose white is diffuse white (203 cd/m2: ITU-R BT.2408, 2.2). Shadows
/// and middle tones keep their light; what is brighter is compressed as in ITU-R BT.2390, 5.4.1, so that highlights of up
/// to 1000 cd/m2, for which most pictures are made, keep their detail.
private enum ToneCurve {
  private static let white = 203.0
  private static let peak = 1000.0

  static func light(ofPQ value: Double) -> Double { shown(pq: value) }

  /// By the display light of a screen of the peak's brightness (BT.2100, table 5: a system gamma of 1.2).
  static func light(ofHLG value: Double) -> Double {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
    let scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    return shown(pq: pq(ofNits: peak * pow(scene, 1.2)))
  }

  private static func shown(pq value: Double) -> Double {
    let (top, target) = (pq(ofNits: peak), pq(ofNits: white))
    let input = min(value / top, 1)
    let most = target / top
    let knee = 1.5 * most - 0.5
    var output = input
    if input > knee {
      let t = (input - knee) / (1 - knee)
      let (t2, t3) = (t * t, t * t * t)
      output =
        (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
    }
    return min(nits(ofPQ: output * top) / white, 1)
  }

  private static let (m1, m2) = (2610.0 / 16_384, 2523.0 / 32)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

  private static func nits(ofPQ value: Double) -> Double {
    let root = pow(max(value, 0), 1 / m2)
    return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  private static func pq(ofNits nits: Double) -> Double {
    let power = pow(max(nits, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// The header and the table of tags of an ICC profile (ICC.1:2022, 7.2 and 7.3).
struct ICCProfile {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The four letters of the space of its samples, such as `RGB ` and `GRAY`.
  var colourSpace: String { text(at: 16) }

  /// Whether it says by codes of ITU-T H.273 (the tag `cicp`, 9.2.17) that its colours are HDR.
  var isHDR: Bool {
    bytes.withUnsafeBytes { bytes in
      let count = min(bytes.integer(at: 128, size: 4) ?? 0, 100)
      for entry in 0..<count where bytes.holds("cicp", at: 132 + 12 * entry) {
        guard let start = bytes.integer(at: 136 + 12 * entry, size: 4),
          let transfer = bytes.integer(at: start + 9, size: 1)
        else { continue }
        return [16, 18].contains(transfer)
      }
      return false
    }
  }

  /// Whether its curve is nearer to linear light than to that of any display: half of the greatest sample is more than 0.38
  /// of the light, as by a gamma below 1.4. Profiles without a curve, which have tables, are for displays and printers.
  var isLinear: Bool {
    bytes.withUnsafeBytes { bytes in
      let count = min(bytes.integer(at: 128, size: 4) ?? 0, 100)
      for entry in 0..<count {
        let at = 132 + 12 * entry
        guard bytes.holds("gTRC", at: at) || bytes.holds("kTRC", at: at),
          let start = bytes.integer(at: at + 4, size: 4)
        else { continue }
        return (Self.middleLight(bytes, start) ?? 0) > 0.38
      }
      return false
    }
  }

  /// The light of half of the greatest sample by a curve (10.6) or by the exponent of a parametric one (10.18).
  private static func middleLight(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Double? {
    let isParametric = bytes.holds("para", at: start)
    guard isParametric || bytes.holds("curv", at: start),
      let count = bytes.integer(at: start + 8, size: isParametric ? 2 : 4)
    else { return nil }
    if isParametric {
      return bytes.integer(at: start + 12, size: 4).map { pow(0.5, Double($0) / 65_536) }
    }
    switch count {
    case 0: return 0.5
    case 1: return bytes.integer(at: start + 12, size: 2).map { pow(0.5, Double($0) / 256) }
    default:
      guard count <= bytes.count else { return nil }
      return bytes.integer(at: start + 12 + count / 2 * 2, size: 2).map { Double($0) / 65_535 }
    }
  }

  /// Whether its greys are about as light as those of sRGB, so that 8 bits have as many steps where eyes see them: those
  /// of Display P3, Adobe RGB and eciRGB are, those of linear light and of ProPhoto RGB are not.
  var hasCurveLikeSRGB: Bool {
    let count = 33
    var lightness = [Double](repeating: 0, count: count)
    let bandCount = colourSpace == "GRAY" ? 1 : 3
    guard
      leaflog_lightness(bytes, bytes.count, CInt(bandCount), CInt(count), &lightness) == 0
    else {
      vips_error_clear()
      return false
    }
    return lightness.enumerated().allSatisfy { index, found in
      let light = RGBTile.light(of: Double(index) / Double(count - 1))
      let expected = light > 216.0 / 24_389 ? 116 * cbrt(light) - 16 : light * 24_389 / 27
      return abs(found - expected) < 5
    }
  }

  private func text(at start: Int) -> String {
    bytes.count < start + 4 ? "" : String(decoding: bytes[start..<(start + 4)], as: UTF8.self)
  }
}
