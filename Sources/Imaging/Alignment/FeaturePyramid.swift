internal import CVips
internal import Foundation

/// A picture in the form used for registration: at several sizes, finest first, with each pixel's
/// difference from its surroundings in local standard deviations.
///
/// This local normalisation of the logarithm of luminance does not depend on exposure, and hardly on
/// haze or shadow, so that geometry can be found before exposure is known.
struct FeaturePyramid {
  struct Level {
    let values: FloatPlane
    /// 1 where a value can be trusted, 0 where the sensor clipped.
    let weights: FloatPlane
    let grid: Grid
  }

  let levels: [Level]
  /// The pixels in linear light, half the size of the finest level.
  let light: RGBTile
  let fault: ExposureFault
  /// Whether the picture has no colours, such as one by infrared light.
  let isGrey: Bool

  /// The longer side of the finest level, in pixels. Here a twentieth of a pixel can be resolved, which
  /// is a quarter of a pixel in a film 1280 pixels wide.
  static let side = 256
  /// No level is smaller than this on its shorter side.
  private static let minSide = 12
  private static let levelCount = 4

  /// - Parameter picture: 8-bit, grey or RGB.
  init(_ picture: VipsPicture) throws {
    let factor = Double(Self.side) / Double(max(picture.width, picture.height))
    // A narrow strip keeps a few lines, so that every pixel has neighbours.
    let small = try Vips.image {
      leaflog_resize(
        picture.pointer, max(factor, 4 / Double(picture.width)),
        max(factor, 4 / Double(picture.height)))
    }.inMemory()
    let (width, height, bands) = (small.width, small.height, small.bandCount)
    var log = FloatPlane(width: width, height: height)
    var weights = FloatPlane(width: width, height: height)
    light = try small.withSamples { samples in
      Self.fill(log, weights, from: samples, bandCount: bands)
      let full = RGBTile(width: width, height: height, isGrey: bands < 3)
      full.set(to: samples, rowByteCount: width * bands, bandCount: bands)
      return full.halved()
    }
    fault = Self.fault(log, weights)
    isGrey = light.isColourless
    var levels: [Level] = []
    var grid = Grid(width: width, height: height)
    while true {
      levels.append(Level(values: Self.normalised(log), weights: weights, grid: grid))
      guard levels.count < Self.levelCount, min(width, height) >> levels.count >= Self.minSide
      else { break }
      (log, weights, grid) = (log.halved(), weights.halved(), grid.halved)
    }
    self.levels = levels
  }

  /// Whether there is any structure to match: not black, white or uniform all over.
  var hasContent: Bool {
    guard let level = levels.last else { return false }
    var (trusted, energy) = (0.0, 0.0)
    for y in 0..<level.values.height {
      let (values, weights) = (level.values.row(y), level.weights.row(y))
      for x in 0..<level.values.width {
        trusted += Double(weights[x])
        energy += Double(weights[x] * values[x] * values[x])
      }
    }
    let count = Double(level.values.width * level.values.height)
    return trusted > 0.1 * count && energy > 0.1 * trusted
  }

  /// Samples at or above this count as clipped: JPEG and scaling blur the limit.
  private static let clipped: UInt8 = 250

  private static func fault(_ log: FloatPlane, _ weights: FloatPlane) -> ExposureFault {
    var (trusted, logarithms): (Float, Float) = (0, 0)
    for y in 0..<log.height {
      let (values, weights) = (log.row(y), weights.row(y))
      for x in 0..<log.width {
        trusted += weights[x]
        logarithms += values[x]
      }
    }
    let count = Double(log.width * log.height)
    return ExposureFault(
      clippedShare: 1 - Double(trusted) / count,
      luminance: exp(Double(logarithms) / count) - 0.01)
  }

  /// ln(luminance + a hundredth) of (red + 2 green + blue); the hundredth keeps noise in the dark
  /// from looking like structure.
  private static let logarithms: [Float] = (0...1020).map {
    let value = Double($0) / 1020
    let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    return Float(Foundation.log(linear + 0.01))
  }

  private static func fill(
    _ log: FloatPlane, _ weights: FloatPlane, from samples: UnsafeRawBufferPointer, bandCount: Int
  ) {
    let last = bandCount < 3 ? 0 : 2
    logarithms.withUnsafeBufferPointer { table in
      for y in 0..<log.height {
        let (target, weight) = (log.row(y), weights.row(y))
        var at = y * log.width * bandCount
        for x in 0..<log.width {
          let (red, green, blue) = (samples[at], samples[at + last / 2], samples[at + last])
          target[x] = table[Int(red) + 2 * Int(green) + Int(blue)]
          weight[x] = max(red, green, blue) < clipped ? 1 : 0
          at += bandCount
        }
      }
    }
  }

  private static func normalised(_ log: FloatPlane) -> FloatPlane {
    let detail = log.combined(with: log.blurred().blurred(), -)
    let variance = detail.combined(with: detail, *).blurred().blurred()
    let noise = SIMD8<Float>(repeating: 0.006)
    return detail.combined(with: variance) { $0 / ($1 + noise).squareRoot() }
  }
}

/// The positions of a level's pixels in the units of ``Similarity``.
struct Grid: Hashable {
  let width: Int
  let height: Int
  /// The width of a frame, in pixels.
  let scale: Double
  /// The frame's centre, in pixels.
  let center: SIMD2<Double>

  init(width: Int, height: Int) {
    self.init(
      width: width, height: height, scale: Double(width),
      center: [Double(width - 1) / 2, Double(height - 1) / 2])
  }

  private init(width: Int, height: Int, scale: Double, center: SIMD2<Double>) {
    (self.width, self.height, self.scale, self.center) = (width, height, scale, center)
  }

  /// The grid of ``FloatPlane/halved()``; of an odd number of pixels, the last is half outside.
  var halved: Grid {
    Grid(
      width: (width + 1) / 2, height: (height + 1) / 2, scale: scale / 2,
      center: (center - 0.5) / 2)
  }

  /// A similarity converted to map pixels to pixels.
  func inPixels(_ view: Similarity) -> Similarity {
    let place = Similarity(factor: [scale, 0], shift: center)
    return place.after(view).after(place.inverse)
  }
}
