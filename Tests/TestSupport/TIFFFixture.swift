/// A TIFF or BigTIFF file with pages, sub-directories and EXIF.
package struct TIFFFixture {
  package enum Value {
    case ascii(String)
    case bytes([UInt8])
    case shorts([UInt16])
    case longs([UInt32])
  }

  /// A directory with its samples in strips or tiles.
  package struct Page {
    /// Fields besides the places of the samples.
    package var fields: [UInt16: Value] = [:]
    package var pieces: [[UInt8]] = []
    package var isTiled = false
    package var exif: [UInt16: Value] = [:]
    package var subdirectories: [Page] = []
    /// The number of bytes by which the last strip or tile claims to extend beyond the file's end.
    package var missingByteCount = 0

    /// A picture in one strip.
    package init(
      _ size: (width: Int, height: Int), samples: [UInt8], bits: Int = 8, bands: Int = 1,
      format: Int = 1
    ) {
      fields = [
        0x0100: .shorts([UInt16(size.width)]), 0x0101: .shorts([UInt16(size.height)]),
        0x0102: .shorts(Array(repeating: UInt16(bits), count: bands)), 0x0103: .shorts([1]),
        0x0106: .shorts([bands < 3 ? 1 : 2]), 0x0115: .shorts([UInt16(bands)]),
        0x0116: .shorts([UInt16(size.height)]),
        0x0153: .shorts(Array(repeating: UInt16(format), count: bands)),
      ]
      pieces = [samples]
    }

    /// A picture of one grey.
    package init(_ size: (width: Int, height: Int), grey: UInt8) {
      self.init(size, samples: Array(repeating: grey, count: size.width * size.height))
    }
  }

  package var isBig: Bool
  package var isLittleEndian: Bool
  package var pages: [Page]

  package init(_ pages: [Page], isBig: Bool = false, isLittleEndian: Bool = true) {
    (self.pages, self.isBig, self.isLittleEndian) = (pages, isBig, isLittleEndian)
  }

  package var bytes: [UInt8] {
    var file = Array((isLittleEndian ? "II" : "MM").utf8)
    file += isBig ? number(43, 2) + number(8, 2) + number(0, 2) : number(42, 2)
    var link = file.count
    file += number(0, offsetSize)
    for page in pages {
      let start = write(page, to: &file)
      file.replaceSubrange(link..<(link + offsetSize), with: number(start, offsetSize))
      link = file.count - offsetSize
    }
    return file
  }

  private var offsetSize: Int { isBig ? 8 : 4 }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  /// Appends a directory behind what it points to, and returns its offset. Its link is last.
  private func write(_ page: Page, to file: inout [UInt8]) -> Int {
    var fields = page.fields.mapValues(payload)
    func append(_ bytes: [UInt8]) -> Int {
      file += [UInt8](repeating: 0, count: file.count % 2)
      defer { file += bytes }
      return file.count
    }
    func offsets(_ places: [Int]) -> (Int, Int, [UInt8]) {
      (isBig ? 16 : 4, places.count, places.flatMap { number($0, offsetSize) })
    }
    if !page.pieces.isEmpty {
      let places = page.pieces.map { append($0) }
      var counts = page.pieces.map(\.count)
      counts[counts.count - 1] += page.missingByteCount
      fields[page.isTiled ? 0x0144 : 0x0111] = offsets(places)
      fields[page.isTiled ? 0x0145 : 0x0117] = offsets(counts)
    }
    if !page.subdirectories.isEmpty {
      fields[0x014A] = offsets(page.subdirectories.map { write($0, to: &file) })
    }
    if !page.exif.isEmpty {
      fields[0x8769] = offsets([write(page.exif.mapValues(payload), to: &file)])
    }
    return write(fields, to: &file)
  }

  private func write(
    _ fields: [UInt16: (type: Int, count: Int, bytes: [UInt8])], to file: inout [UInt8]
  ) -> Int {
    var entries: [UInt8] = []
    file += [UInt8](repeating: 0, count: file.count % 2)
    for (tag, value) in fields.sorted(by: { $0.key < $1.key }) {
      entries += number(Int(tag), 2) + number(value.type, 2) + number(value.count, offsetSize)
      if value.bytes.count <= offsetSize {
        entries += value.bytes + [UInt8](repeating: 0, count: offsetSize - value.bytes.count)
      } else {
        entries += number(file.count, offsetSize)
        file += value.bytes + [UInt8](repeating: 0, count: value.bytes.count % 2)
      }
    }
    defer { file += number(fields.count, isBig ? 8 : 2) + entries + number(0, offsetSize) }
    return file.count
  }

  private func payload(_ value: Value) -> (type: Int, count: Int, bytes: [UInt8]) {
    switch value {
    case .ascii(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .bytes(let bytes): (7, bytes.count, bytes)
    case .shorts(let values): (3, values.count, values.flatMap { number(Int($0), 2) })
    case .longs(let values): (4, values.count, values.flatMap { number(Int($0), 4) })
    }
  }
}
