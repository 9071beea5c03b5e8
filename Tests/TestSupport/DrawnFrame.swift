package import Foundation

/// A small grey picture of a camera's series; one that shakes counts as sharp.
package struct DrawnFrame {
  /// 0 is black.
  package var lightness: UInt8
  /// How much one of the samples differs from the others; noise, for example.
  package var shake: UInt8

  package init(lightness: UInt8, shake: UInt8 = 2) {
    (self.lightness, self.shake) = (lightness, shake)
  }

  package static let night = DrawnFrame(lightness: 0)

  /// A picture unlike that of any other number.
  package func png(_ number: Int) -> Data {
    var samples = [UInt8](repeating: lightness, count: 64)
    for bit in 0..<16 where number >> bit & 1 == 1 { samples[bit] += 1 }
    samples[36] = lightness + shake
    let rows = stride(from: 0, to: 64, by: 8).flatMap { [0] + samples[$0..<($0 + 8)] }
    return Data(EmbeddedMetadata.png(width: 8, height: 8, isGrey: true, rows: rows))
  }
}
