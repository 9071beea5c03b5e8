internal import Foundation

/// A piece of a picture in linear light, one plane a primary.
struct RGBTile {
  let red: FloatPlane
  let green: FloatPlane
  let blue: FloatPlane

  /// sRGB's transfer curve (IEC 61966-2-1) for 8-bit samples.
  private static let linear: [Float] = (0...255).map {
    let value = Double($0) / 255
    return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }

  /// Takes a tile out of rows of 8-bit samples, grey or RGB.
  init(
    _ samples: UnsafeRawBufferPointer, rowByteCount: Int, bandCount: Int, width: Int, height: Int
  ) {
    red = FloatPlane(unset: width, height)
    green = bandCount < 3 ? red : FloatPlane(unset: width, height)
    blue = bandCount < 3 ? red : FloatPlane(unset: width, height)
    Self.linear.withUnsafeBufferPointer { table in
      for y in 0..<height {
        let source = UnsafeRawBufferPointer(
          rebasing: samples[(y * rowByteCount)..<(y * rowByteCount + width * bandCount)])
        let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
        if bandCount < 3 {
          for x in 0..<width { r[x] = table[Int(source[x * bandCount])] }
        } else {
          for x in 0..<width {
            r[x] = table[Int(source[x * bandCount])]
            g[x] = table[Int(source[x * bandCount + 1])]
            b[x] = table[Int(source[x * bandCount + 2])]
          }
        }
      }
    }
  }

  private init(red: FloatPlane, green: FloatPlane, blue: FloatPlane) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  func halved() -> RGBTile {
    let red = self.red.halved()
    return RGBTile(
      red: red, green: green === self.red ? red : green.halved(),
      blue: blue === self.red ? red : blue.halved())
  }

  /// One channel of XYB (JPEG XL, ISO/IEC 18181-1), shifted as SSIMULACRA2 does to be positive.
  func plane(_ channel: SSIMULACRA2.Channel) -> FloatPlane {
    let result = FloatPlane(unset: red.width, red.height)
    let bias: Float = 0.003_793_073_3
    let rootOfBias = cbrt(bias)
    for at in stride(from: 0, to: result.stride * result.height, by: 8) {
      let r = FloatPlane.load(red.samples + at)
      let g = FloatPlane.load(green.samples + at)
      let b = FloatPlane.load(blue.samples + at)
      let long = Self.cubeRoot(0.3 * r + 0.622 * g + 0.078 * b + bias) - rootOfBias
      let middle = Self.cubeRoot(0.23 * r + 0.692 * g + 0.078 * b + bias) - rootOfBias
      let value: SIMD8<Float>
      switch channel {
      case .x: value = 7 * (long - middle) + 0.42
      case .y: value = 0.5 * (long + middle) + 0.01
      case .b:
        let short =
          Self.cubeRoot(0.243_422_69 * r + 0.204_767_44 * g + 0.551_809_87 * b + bias) - rootOfBias
        value = short - 0.5 * (long + middle) + 0.55
      }
      FloatPlane.store(value, result.samples + at)
    }
    return result
  }

  /// Cube roots of positive numbers: a third of the exponent and mantissa bits as a first guess
  /// (1/3 = 1/4 + 1/16 + 1/64 …), then two of Halley's steps, which leave float's last bit or two.
  @inline(__always)
  private static func cubeRoot(_ value: SIMD8<Float>) -> SIMD8<Float> {
    let bits = unsafeBitCast(value, to: SIMD8<UInt32>.self)
    var third = (bits &>> 2) &+ (bits &>> 4)
    third = third &+ (third &>> 4)
    third = third &+ (third &>> 8)
    var root = unsafeBitCast(third &+ 709_958_130, to: SIMD8<Float>.self)
    for _ in 0..<2 {
      let cube = root * root * root
      root *= (cube + value + value) / (cube + cube + value)
    }
    return root
  }
}
