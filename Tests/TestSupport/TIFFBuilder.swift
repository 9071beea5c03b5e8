/// Builds EXIF blocks with known contents.
package struct TIFFBuilder {
  package enum Value {
    case ascii(String)
    case bytes([UInt8])
    case long(UInt32)
    case longs([UInt32])
    case rationals([(UInt32, UInt32)])
  }

  package var isLittleEndian = true
  package var main: [(UInt16, Value)] = []
  package var exif: [(UInt16, Value)] = []
  package var gps: [(UInt16, Value)] = []

  package init() {}

  /// A little-endian TIFF file with the EXIF and GPS directories appended, and longer values in its own directory.
  package func added(to file: [UInt8]) -> [UInt8] {
    func integer(_ at: Int, _ size: Int) -> Int {
      file[at..<(at + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let start = integer(4, 4)
    let count = integer(start, 2)
    var entries = (0..<count).map { Array(file[(start + 2 + 12 * $0)...].prefix(12)) }
    var bytes = file + [UInt8](repeating: 0, count: file.count % 2)
    for (tag, value) in main {
      let (type, count, content) = payload(value)
      let head = number(UInt32(tag), 2) + number(type, 2) + number(UInt32(count), 4)
      let isShort = content.count <= 4
      let padding = [UInt8](repeating: 0, count: isShort ? 4 - content.count : content.count % 2)
      entries.append(head + (isShort ? content + padding : number(UInt32(bytes.count), 4)))
      if !isShort { bytes += content + padding }
    }
    for (tag, fields) in [(0x8769 as UInt32, exif), (0x8825, gps)] where !fields.isEmpty {
      entries.append(
        number(tag, 2) + number(4, 2) + number(1, 4) + number(UInt32(bytes.count), 4))
      bytes += directory(fields, at: bytes.count)
    }
    // Fields are sorted by tag (TIFF 6.0, section 2).
    entries.sort { ($0[1], $0[0]) < ($1[1], $1[0]) }
    bytes.replaceSubrange(4..<8, with: number(UInt32(bytes.count), 4))
    return bytes + number(UInt32(entries.count), 2) + entries.flatMap { $0 } + number(0, 4)
  }

  /// The block, starting with its TIFF header.
  package var block: [UInt8] {
    var fields = main
    let exifAt =
      8 + directorySize(main.count + (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1))
      + dataSize(main)
    let gpsAt = exifAt + (exif.isEmpty ? 0 : directorySize(exif.count) + dataSize(exif))
    if !exif.isEmpty { fields.append((0x8769, .long(UInt32(exifAt)))) }
    if !gps.isEmpty { fields.append((0x8825, .long(UInt32(gpsAt)))) }
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
    bytes += directory(fields, at: 8)
    if !exif.isEmpty { bytes += directory(exif, at: exifAt) }
    if !gps.isEmpty { bytes += directory(gps, at: gpsAt) }
    return bytes
  }

  private func number(_ value: UInt32, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  private func directorySize(_ count: Int) -> Int { 2 + 12 * count + 4 }

  private func dataSize(_ fields: [(UInt16, Value)]) -> Int {
    fields.map { payload($0.1).bytes.count }.filter { $0 > 4 }.reduce(0, +)
  }

  private func payload(_ value: Value) -> (type: UInt32, count: Int, bytes: [UInt8]) {
    switch value {
    case .ascii(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .bytes(let bytes): (2, bytes.count, bytes)
    case .long(let value): (4, 1, number(value, 4))
    case .longs(let values): (4, values.count, values.flatMap { number($0, 4) })
    case .rationals(let values):
      (5, values.count, values.flatMap { number($0.0, 4) + number($0.1, 4) })
    }
  }

  private func directory(_ fields: [(UInt16, Value)], at start: Int) -> [UInt8] {
    var bytes = number(UInt32(fields.count), 2)
    var data: [UInt8] = []
    let dataStart = start + directorySize(fields.count)
    for (tag, value) in fields {
      let (type, count, content) = payload(value)
      bytes += number(UInt32(tag), 2) + number(type, 2) + number(UInt32(count), 4)
      if content.count <= 4 {
        bytes += content + Array(repeating: 0, count: 4 - content.count)
      } else {
        bytes += number(UInt32(dataStart + data.count), 4)
        data += content
      }
    }
    return bytes + number(0, 4) + data
  }
}
