/// The chunks of a PNG file that say something about the whole of its picture (PNG 3, 11), and where it ends, found
/// without decoding any of it.
struct PNGChunks {
  private static let wanted: Set<String> = ["IHDR", "acTL", "cICP", "iCCP", "sRGB", "gAMA", "cHRM"]

  /// The data of the first chunk of each wanted kind.
  private var found: [String: Range<Int>] = [:]
  /// The offset after `IEND`, or of what is no chunk.
  private(set) var end = 8
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    while let length = bytes.integer(at: end, size: 4), length <= bytes.count - end - 12 {
      let start = end + 8
      let name = String(decoding: bytes[(end + 4)..<start], as: UTF8.self)
      if Self.wanted.contains(name), found[name] == nil { found[name] = start..<(start + length) }
      end += 12 + length
      if name == "IEND" { break }
    }
  }

  /// The number of frames of an animation (11.3.6.1); nil for a still picture.
  var frameCount: Int? { found["acTL"].flatMap { bytes.integer(at: $0.lowerBound, size: 4) } }

  /// The profile for a picture that says its colours by numbers; nil when they are sRGB's, unknown, or in a profile of
  /// its own. The order is that of PNG 3, 4.3.
  var profile: ColourProfile? {
    // The type of colour: its second bit is that of colours, as against greys.
    let isGrey = found["IHDR"].map { $0.count > 9 && bytes[$0.lowerBound + 9] & 2 == 0 } ?? false
    if let codes = found["cICP"], codes.count >= 4 {
      return ColourProfile(
        primaries: Int(bytes[codes.lowerBound]), transfer: Int(bytes[codes.lowerBound + 1]),
        isGrey: isGrey)
    }
    guard found["iCCP"] == nil, found["sRGB"] == nil else { return nil }
    func numbers(_ name: String, _ count: Int) -> [Double]? {
      guard let place = found[name], place.count >= 4 * count else { return nil }
      return (0..<count).compactMap {
        bytes.integer(at: place.lowerBound + 4 * $0, size: 4).map { Double($0) / 100_000 }
      }
    }
    let gamma = numbers("gAMA", 1)?.first
    return ColourProfile(
      chromaticities: numbers("cHRM", 8), gamma: gamma.map { 1 / max($0, 0.000_01) },
      isGrey: isGrey)
  }
}
