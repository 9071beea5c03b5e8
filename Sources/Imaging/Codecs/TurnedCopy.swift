package import DiaryModel

/// A compressed copy of a HEIC or AVIF photo whose EXIF says that it has to be turned, although its pixels are upright.
/// Earlier versions of Leaflog made them of photos that the container and EXIF both said to turn.
package struct TurnedCopy {
  /// The media types of files of which there may be such copies.
  package static let sourceMediaTypes = [ImageFormat.heic, .avif].map(\.mediaType)
  /// The number of bytes at the start of a copy that show whether it is one.
  package static let headByteCount = 256 << 10

  private let copy: SharedBytes
  private let size: PixelSize

  /// Nil when the copy's metadata are right.
  ///
  /// - Parameters:
  ///   - copy: the copy, or its first `headByteCount` bytes.
  ///   - recipe: that of the copy.
  package init?(_ copy: SharedBytes, recipe: String) {
    let structure = JPEGStructure(copy)
    guard MasterRecipe(recipe)?.way == .pixels, let size = structure.frameSize else { return nil }
    let isWrong = copy.withUnsafeBytes { bytes in
      structure.segments.contains { segment in
        guard segment.isEXIF(bytes), let tiff = TIFFStructure(block: bytes[segment.payload]) else {
          return false
        }
        // If EXIF's size is that of the pixels as they are, EXIF is about them.
        return (2...4).contains(tiff.orientation) || tiff.isTurned(comparedWith: size)
      }
    }
    guard isWrong else { return nil }
    (self.copy, self.size) = (copy, size)
  }

  /// The whole copy with metadata that say what its pixels are; everything else stays byte for byte.
  package var corrected: SharedBytes {
    copy.withUnsafeBytes { bytes in
      var result: [UInt8] = []
      var done = 0
      for segment in JPEGStructure(bytes).segments {
        guard let payload = segment.upright(bytes, size), payload.count + 2 <= 0xFFFF else {
          continue
        }
        let length = payload.count + 2
        result += bytes[done...segment.range.lowerBound]
        result += [UInt8(length >> 8), UInt8(length & 0xFF)] + payload
        done = segment.range.upperBound
      }
      return SharedBytes(copying: result + bytes[done...])
    }
  }
}

extension JPEGStructure.Segment {
  fileprivate func isEXIF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    marker == 0xE1 && bytes[payload].starts(with: "Exif\0\0".utf8)
  }

  /// The payload for an upright picture; nil when it says nothing of that.
  fileprivate func upright(_ bytes: UnsafeRawBufferPointer, _ size: PixelSize) -> [UInt8]? {
    let payload = Array(bytes[payload])
    if isEXIF(bytes) { return EXIFBlock(upright: payload, size: size)?.bytes }
    guard marker == 0xE1, payload.starts(with: JPEGMetadata.xmpMarker) else { return nil }
    var packet = payload[...]
    XMPEdits(isUpright: true).apply(to: &packet)
    return Array(packet)
  }
}
