private import Foundation

/// Metadata in the forms in which files hold it.
package enum EmbeddedMetadata {
  /// A JPEG with one more segment, the first of all.
  package static func jpeg(
    _ file: some Collection<UInt8>, marker: UInt8, _ payload: [UInt8]
  ) -> [UInt8] {
    let count = payload.count + 2
    let segment = [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + payload
    return Array(file.prefix(2)) + segment + file.dropFirst(2)
  }

  /// A JPEG with an EXIF block.
  package static func jpeg(_ file: some Collection<UInt8>, exif: TIFFBuilder) -> [UInt8] {
    jpeg(file, marker: 0xE1, Array("Exif\0\0".utf8) + exif.block)
  }

  /// Where a chunk is put into a PNG.
  package enum Place {
    case beforePixels, atEnd
  }

  /// A JPEG's colour profile, which must be in one piece.
  package static func profile(ofJPEG file: some Collection<UInt8>) -> [UInt8] {
    let file = Array(file)
    guard let name = file.firstRange(of: Array("ICC_PROFILE\0".utf8)) else { return [] }
    let length = Int(file[name.lowerBound - 2]) << 8 | Int(file[name.lowerBound - 1])
    return Array(file[(name.upperBound + 2)..<(name.lowerBound - 2 + length)])
  }

  /// A PNG with one more chunk.
  package static func png(
    _ file: some Collection<UInt8>, _ name: String, _ data: [UInt8], _ place: Place
  ) -> [UInt8] {
    let file = Array(file)
    // IHDR is the first chunk and IEND the last, each of a known length.
    let at = place == .beforePixels ? 8 + 12 + 13 : file.count - 12
    return file[..<at] + chunk(name, data) + file[at...]
  }

  /// A grey PNG whose waves are worth compressing, of 240 pixels a side.
  package static var wavyPNG: [UInt8] {
    let side = 240
    let rows = (0..<side).map { y in
      [0]
        + (0..<side).map { x -> UInt8 in
          let (x, y) = (Double(x), Double(y))
          return UInt8(128 + 60 * sin(x / 9) * cos(y / 13) + 40 * sin((x + y) / 5))
        }
    }
    return png(width: side, height: side, isGrey: true, rows: rows.flatMap { $0 })
  }

  /// A grey TIFF of such waves, in one strip, of 256 pixels a side.
  package static func wavyTIFF(orientation: Int = 1) -> [UInt8] {
    let side = 256
    var file = TIFFBuilder()
    let fields: [(UInt16, Int)] = [
      (0x0100, side), (0x0101, side), (0x0102, 8), (0x0103, 1), (0x0106, 1),
      (0x0111, 8 + 2 + 12 * 10 + 4), (0x0112, orientation), (0x0115, 1), (0x0116, side),
      (0x0117, side * side),
    ]
    file.main = fields.map { ($0, .long(UInt32($1))) }
    return file.block
      + (0..<(side * side)).map { place -> UInt8 in
        let (x, y) = (Double(place % side), Double(place / side))
        return UInt8(128 + 60 * sin(x / 9) * cos(y / 13) + 40 * sin((x + y) / 5))
      }
  }

  /// A PNG of 8 or 16 bits with fewer than 64 KB of samples.
  ///
  /// - Parameter rows: each with a zero before it.
  package static func png(
    width: Int, height: Int, isGrey: Bool, rows: [UInt8], bits: UInt8 = 8
  ) -> [UInt8] {
    let header = bigEndian(width, 4) + bigEndian(height, 4) + [bits, isGrey ? 0 : 2, 0, 0, 0]
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return signature + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// The text of a profile as ImageMagick writes it: its name, its length and lines of hexadecimal digits.
  package static func rawProfile(_ name: String, _ bytes: [UInt8], length: Int? = nil) -> String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let lines = stride(from: 0, to: digits.count, by: 36).map {
      digits[$0..<min($0 + 36, digits.count)].joined()
    }
    return "\n\(name)\n\(String(repeating: " ", count: 4))\(length ?? bytes.count)\n"
      + lines.joined(separator: "\n") + "\n"
  }

  /// The data of a text chunk; compressed, of a `zTXt` chunk.
  package static func text(
    _ keyword: String, _ text: String, isCompressed: Bool = false
  ) -> [UInt8] {
    let text = Array(text.utf8)
    guard isCompressed else { return Array(keyword.utf8) + [0] + text }
    return Array(keyword.utf8) + [0, 0] + stored(text)
  }

  /// A text in UTF-16.
  package static func utf16(_ text: String, isLittleEndian: Bool = true) -> [UInt8] {
    text.utf16.reduce(into: []) { bytes, unit in
      let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      bytes += isLittleEndian ? pair : pair.reversed()
    }
  }

  /// The data of a chunk `iTXt`.
  package static func internationalText(
    _ keyword: String, _ text: String, language: String = "", isCompressed: Bool = false
  ) -> [UInt8] {
    let bytes = Array(text.utf8)
    return Array(keyword.utf8) + [0, isCompressed ? 1 : 0, 0] + Array(language.utf8) + [0, 0]
      + (isCompressed ? stored(bytes) : bytes)
  }

  /// A stream of zlib with one block of fewer than 64 KB that is stored as it is (RFC 1950; RFC 1951, 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = Array(bigEndian(bytes.count, 2).reversed())
    let (low, high) = bytes.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return [0x78, 0x01, 1] + length + length.map { ~$0 } + bytes + bigEndian(high << 16 | low, 4)
  }

  /// IPTC-IIM data sets of the application record (IIM 4.2, 1.5).
  package static func iptc(_ values: [(UInt8, String)]) -> [UInt8] {
    values.flatMap { [0x1C, 2, $0.0] + bigEndian($0.1.utf8.count, 2) + Array($0.1.utf8) }
  }

  /// Photoshop's image resources with IPTC data among others.
  package static func resources(iptc: [UInt8]) -> [UInt8] {
    resource(0x03ED, [1, 2, 3], name: "res") + resource(0x0404, iptc)
      + resource(0x0425, Array(repeating: 7, count: 16))
  }

  private static func resource(_ number: Int, _ data: [UInt8], name: String = "") -> [UInt8] {
    let name = [UInt8(name.utf8.count)] + Array(name.utf8)
    return Array("8BIM".utf8) + bigEndian(number, 2) + padded(name) + bigEndian(data.count, 4)
      + padded(data)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count % 2 == 0 ? bytes : bytes + [0]
  }

  private static func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(data.count, 4) + body + bigEndian(Int(crc(body)), 4)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1
      }
    }
  }
}
