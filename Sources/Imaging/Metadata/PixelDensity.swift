/// The pixels per inch or centimetre, or the proportion of a pixel's sides, as a JPEG's header has them (JFIF 1.02, the
/// APP0 marker).
struct PixelDensity: Equatable, Sendable {
  enum Unit: UInt8 {
    case none, inch, centimetre
  }

  private(set) var unit = Unit.none
  private(set) var across: UInt16 = 1
  private(set) var down: UInt16 = 1

  /// Unknown, with square pixels.
  init() {}

  /// Whole pixels per unit. Where these are too many or too few, or would change the shape of a pixel, the density is
  /// unknown, and only the proportion is kept.
  init(_ across: Double, _ down: Double, per unit: Unit) {
    guard across > 0, down > 0, across < 1e12, down < 1e12 else { return }
    let (x, y) = (across.rounded(), down.rounded())
    let limits = 1...Double(UInt16.max)
    if unit != .none, limits.contains(x), limits.contains(y),
      abs((x / y) / (across / down) - 1) < 0.005
    {
      (self.unit, self.across, self.down) = (unit, UInt16(x), UInt16(y))
    } else if let (x, y) = Self.fraction(across / down) {
      (self.across, self.down) = (x, y)
    }
  }

  /// The fraction of two small numbers that is a ratio; nil when they are too far apart.
  private static func fraction(_ ratio: Double) -> (UInt16, UInt16)? {
    var (x, y, formerX, formerY) = (1.0, 0.0, 0.0, 1.0)
    var rest = ratio
    // A continued fraction.
    while true {
      let whole = rest.rounded(.down)
      let (nextX, nextY) = (whole * x + formerX, whole * y + formerY)
      guard nextX <= Double(UInt16.max), nextY <= Double(UInt16.max) else { break }
      (x, y, formerX, formerY) = (nextX, nextY, x, y)
      if abs(x / y / ratio - 1) < 1e-5 { break }
      rest = 1 / (rest - whole)
    }
    return x >= 1 && y >= 1 ? (UInt16(x), UInt16(y)) : nil
  }

  /// The density in a JPEG's header; unknown without one.
  init(_ structure: JPEGStructure, in jpeg: UnsafeRawBufferPointer) {
    let header = structure.segments.first {
      $0.marker == 0xE0 && jpeg[$0.payload].starts(with: "JFIF\0".utf8)
    }
    guard let at = header?.payload.lowerBound, header?.payload.count ?? 0 >= 12,
      let unit = Unit(rawValue: jpeg[at + 7]), let across = jpeg.integer(at: at + 8, size: 2),
      let down = jpeg.integer(at: at + 10, size: 2), across > 0, down > 0
    else { return }
    (self.unit, self.across, self.down) = (unit, UInt16(across), UInt16(down))
  }

  /// XResolution, YResolution and ResolutionUnit (TIFF 6.0, section 8).
  init(_ tiff: TIFFStructure) {
    let tags = tiff.metadata
    func resolution(_ tag: UInt16) -> Double? {
      tags[tag].flatMap { tiff.rationals($0).first ?? nil }
    }
    let unit = tags[0x0128].flatMap { tiff.integers($0).first } ?? 2
    guard let across = resolution(0x011A), let down = resolution(0x011B) else {
      self.init()
      return
    }
    self.init(across, down, per: [2: .inch, 3: .centimetre][unit] ?? .none)
  }

  /// The pixels per metre, or the proportion, in a PNG's `pHYs` (PNG 3, 11.3.4.3).
  init(pHYs data: some Collection<UInt8>) {
    guard data.count >= 9 else {
      self.init()
      return
    }
    func number(_ start: Int) -> Double {
      data.dropFirst(start).prefix(4).reduce(0) { $0 * 256 + Double($1) }
    }
    let (across, down) = (number(0), number(4))
    guard data.dropFirst(8).first == 1 else {
      self.init(across, down, per: .none)
      return
    }
    /// The part of a density that is lost in whole pixels.
    func loss(_ density: Double) -> Double { abs(density.rounded() / max(density, 0.01) - 1) }
    let (inches, centimetres) = (0.0254, 0.01)
    let isMetric = loss(across * centimetres) + 1e-9 < loss(across * inches)
    let unit = isMetric ? centimetres : inches
    self.init(across * unit, down * unit, per: isMetric ? .centimetre : .inch)
  }

  /// The shape of a GIF's pixels (GIF89a, 18), which is their width by their height.
  init(gif: UnsafeRawBufferPointer) {
    guard gif.count > 12, gif[12] > 0 else {
      self.init()
      return
    }
    self.init(64, Double(gif[12]) + 15, per: .none)
  }

  /// The density of the picture turned by a quarter.
  var turned: PixelDensity {
    var turned = self
    (turned.across, turned.down) = (down, across)
    return turned
  }

  /// Puts the density into a JPEG that begins with its header.
  func write(to jpeg: UnsafeMutablePointer<UInt8>) {
    var bytes: [UInt8] = [unit.rawValue]
    for value in [across, down] {
      bytes.append(UInt8(value >> 8))
      bytes.append(UInt8(value & 0xFF))
    }
    // After the two markers, a length, five letters and a version.
    for (index, byte) in bytes.enumerated() { jpeg[13 + index] = byte }
  }
}

extension PhotoFile {
  /// The density of an upright copy of a photo in another format than JPEG.
  var densityOfCopy: PixelDensity {
    let stored: PixelDensity =
      switch format {
      case .tiff: TIFFStructure(bytes).map { PixelDensity($0) } ?? PixelDensity()
      case .png: PNGMetadata.density(bytes)
      case .gif: bytes.withUnsafeBytes { PixelDensity(gif: $0) }
      // They have none but EXIF's, which is copied.
      case .jpeg, .webp, .heic, .avif, .jxl: PixelDensity()
      }
    return orientation > 4 ? stored.turned : stored
  }
}
