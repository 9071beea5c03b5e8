internal import DiaryModel
internal import Foundation

/// The parts of a JPEG file and their positions (ITU-T T.81, annex B), found without decoding any of it.
struct JPEGStructure: Sendable {
  struct Segment: Sendable {
    let marker: UInt8
    /// From the marker's second byte to the end of the payload.
    let range: Range<Int>
    var payload: Range<Int> { (range.lowerBound + 3)..<range.upperBound }
    /// Whether it describes the photo and not the file: comments, and application segments except JFIF's and Adobe's.
    var isMetadata: Bool {
      (0xE1...0xEF).contains(marker) && marker != 0xEE || marker == 0xFE
    }

    /// Whether it is the index of further pictures (CIPA DC-007).
    func isPictureIndex(_ bytes: UnsafeRawBufferPointer) -> Bool {
      marker == 0xE2 && bytes[payload].starts(with: "MPF\0".utf8)
    }

    /// Whether it has the version or parameters of a gain map (ISO 21496-1, annex C).
    func isGainMap(_ bytes: UnsafeRawBufferPointer) -> Bool {
      marker == 0xE2 && bytes[payload].starts(with: "urn:iso:std:iso:ts:21496:-1\0".utf8)
    }

    /// Whether it is about pictures other than the first.
    func namesOtherPictures(_ bytes: UnsafeRawBufferPointer) -> Bool {
      isPictureIndex(bytes) || isGainMap(bytes)
    }
  }

  /// The segments before the first scan.
  private(set) var segments: [Segment] = []
  /// The offset after the end marker of the first picture; nil when there is none.
  private(set) var endOfPicture: Int?
  /// In pixels, from the first frame header.
  private(set) var frameSize: PixelSize?
  /// The offsets of further pictures according to their index (CIPA DC-007), which may be wrong.
  private(set) var furtherPictures: [Int] = []
  /// Whether the file is one picture and nothing else: no metadata, not even between scans, and no bytes after it.
  private(set) var isBare = false
  /// The segments of the first picture that are needed to decode it, each with its scan if it has one.
  private(set) var picture: [Range<Int>] = []
  /// The total size of all scans.
  private(set) var scanByteCount = 0

  /// Whether the end marker is missing and the last bytes are zeros: the copy was cut, and the file had its full size
  /// before its contents. Zeros are codes too, so that a decoder may read a whole picture from them.
  private(set) var endsInZeros = false

  init(_ jpeg: SharedBytes) {
    self = jpeg.withUnsafeBytes { JPEGStructure($0) }
  }

  /// Reads no further than to the first scan.
  init(headerOf jpeg: SharedBytes) {
    jpeg.withUnsafeBytes { walk($0, endsAtScan: true) }
  }

  /// `jpeg` starts with the two bytes of the start marker.
  init(_ jpeg: UnsafeRawBufferPointer) {
    walk(jpeg)
    // A zero after 0xFF stands for nothing. A scan's last byte is filled up with ones.
    endsInZeros =
      endOfPicture == nil && jpeg.count > 2
      && jpeg[jpeg.count - 1] == 0 && jpeg[jpeg.count - 2] != 0xFF
  }

  private mutating func walk(_ bytes: UnsafeRawBufferPointer, endsAtScan: Bool = false) {
    var at = 2
    var isInHeader = true
    var hasMetadata = false
    while at + 1 < bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      switch marker {
      case 0xFF: at += 1  // a fill byte
      case 0xD9:
        endOfPicture = at + 2
        isBare = !hasMetadata && at + 2 == bytes.count
        return
      case 0x01, 0xD0...0xD7: at += 2  // no payload
      default:
        guard at + 4 <= bytes.count else { return }
        let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        guard end >= at + 4, end <= bytes.count else { return }
        let segment = Segment(marker: marker, range: (at + 1)..<end)
        if isInHeader, marker != 0xDA { segments.append(segment) }
        if endsAtScan, marker == 0xDA { return }
        // JFIF's extension has a picture of its own.
        let isExtension = marker == 0xE0 && bytes[segment.payload].starts(with: "JFXX\0".utf8)
        if segment.isMetadata || isExtension { hasMetadata = true }
        let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
        if isFrame, frameSize == nil, segment.payload.count >= 5 {
          let at = segment.payload.lowerBound
          frameSize = PixelSize(
            width: Int(bytes[at + 3]) << 8 | Int(bytes[at + 4]),
            height: Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]))
        }
        if segment.isPictureIndex(bytes) {
          furtherPictures = Self.furtherPictures(bytes, index: segment.payload)
        }
        at = end
        if marker == 0xDA {
          isInHeader = false
          at = Self.endOfScan(bytes, from: end)
          scanByteCount += at - end
        }
        if !(0xE0...0xEF).contains(marker), marker != 0xFE {
          picture.append(segment.range.lowerBound..<at)
        }
      }
    }
  }

  /// The offsets of the pictures after the first in an index, which is a TIFF structure whose tag 0xB002 has 16 bytes a
  /// picture (CIPA DC-007, 5.2.3.3); they count from its header.
  private static func furtherPictures(
    _ bytes: UnsafeRawBufferPointer, index: Range<Int>
  ) -> [Int] {
    let start = index.lowerBound + 4
    guard let tiff = TIFFStructure(bytes: bytes[start..<index.upperBound]),
      let entries = tiff.main[0xB002]
    else { return [] }
    let list = bytes.rebased(start..<index.upperBound)
    return stride(from: entries.bytes.startIndex, to: entries.bytes.endIndex - 15, by: 16)
      .compactMap {
        list.integer(at: $0 + 8, size: 4, isLittleEndian: tiff.isLittleEndian)
      }.filter { $0 > 0 }.map { start + $0 }
  }

  /// The offset of the next marker that is neither an escaped 0xFF nor a restart.
  private static func endOfScan(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return start }
    var at = start
    while at + 1 < bytes.count, let found = memchr(base + at, 0xFF, bytes.count - 1 - at) {
      at = UnsafeRawPointer(found) - base
      let next = bytes[at + 1]
      if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return at }
      at += next == 0xFF ? 1 : 2
    }
    return bytes.count
  }
}
