import Foundation

/// The frames of an animation's file, read from its structure.
struct FilmStructure {
  var width = 0
  var height = 0
  /// How long each frame is shown, in milliseconds.
  var delays: [Int] = []
  /// Each frame as it is encoded.
  var frames: [[UInt8]] = []

  var size: [Int] { [width, height] }

  private static func integer(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
    bytes[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Chunks of RIFF (RFC 9649, 2.3): VP8X has the size, each ANMF a frame. Nil when it is something
  /// else or its chunks do not end where the file does.
  init?(webp data: Data) {
    let bytes = [UInt8](data)
    guard bytes.count > 30, bytes.starts(with: "RIFF".utf8),
      bytes[8...].starts(with: "WEBPVP8X".utf8),
      Self.integer(bytes, 4, 4) + 8 == bytes.count
    else { return nil }
    var at = 12
    while at + 8 <= bytes.count {
      let length = Self.integer(bytes, at + 4, 4)
      let payload = at + 8
      guard payload + length <= bytes.count else { return nil }
      switch String(decoding: bytes[at..<(at + 4)], as: UTF8.self) {
      case "VP8X":
        (width, height) = (
          Self.integer(bytes, payload + 4, 3) + 1, Self.integer(bytes, payload + 7, 3) + 1
        )
      case "ANMF":
        guard Self.integer(bytes, payload + 6, 3) + 1 == width else { return nil }
        delays.append(Self.integer(bytes, payload + 12, 3))
        frames.append(Array(bytes[(payload + 16)..<(payload + length)]))
      default: break
      }
      at = payload + length + length % 2
    }
    guard at == bytes.count else { return nil }
  }

  /// Blocks of GIF89a: a graphic control extension and an image a frame, a trailer in the end.
  init?(gif data: Data) {
    let bytes = [UInt8](data)
    guard bytes.starts(with: "GIF89a".utf8), bytes.last == 0x3B else { return nil }
    (width, height) = (Self.integer(bytes, 6, 2), Self.integer(bytes, 8, 2))
    func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    var at = 13 + table(bytes[10])
    func skipBlocks() {
      while bytes[at] != 0 { at += 1 + Int(bytes[at]) }
      at += 1
    }
    while bytes[at] != 0x3B {
      let start = at
      switch bytes[at] {
      case 0x21:
        if bytes[at + 1] == 0xF9 { delays.append(10 * Self.integer(bytes, at + 4, 2)) }
        at += 2
        skipBlocks()
      case 0x2C:
        at += 10 + table(bytes[at + 9]) + 1
        skipBlocks()
        frames.append(Array(bytes[start..<at]))
      default: return nil
      }
    }
    guard at == bytes.count - 1 else { return nil }
  }

  /// The sample sizes and the sample entry of MP4's only track (ISO 14496-12, 8.7.3; 14496-15, 5.4).
  /// Its frames' delays are not read.
  init?(mp4 data: Data) {
    func place(_ name: String) -> Int? { data.range(of: Data(name.utf8))?.lowerBound }
    guard data.count > 8, data[4..<8].elementsEqual("ftyp".utf8), let sizes = place("stsz"),
      let entry = place("avc1\0\0\0\0\0\0"), let header = place("moov"),
      let pictures = place("mdat"),
      header < pictures
    else { return nil }
    func integer(_ at: Int, _ count: Int) -> Int {
      data[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    (width, height) = (integer(entry + 28, 2), integer(entry + 30, 2))
    frames = Array(repeating: [], count: integer(sizes + 12, 4))
  }
}
