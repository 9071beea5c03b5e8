internal import CJXL
package import DiaryModel

/// JPEG files as lossless JPEG XL (ISO/IEC 18181-2, JPEG bitstream reconstruction): a fifth smaller,
/// and restorable byte for byte.
package enum JPEGPacking {
  /// The recipe of packed renditions.
  package static let recipe = "packed-1 jxl effort=7"

  /// The memory that libjxl takes to pack a JPEG, in bytes: measured on photos of 12 megapixels, with some copies of the
  /// file.
  package static func packingByteCount(_ size: PixelSize, _ byteCount: Int) -> Int {
    memory(24, size, byteCount)
  }

  /// The memory that libjxl takes to unpack a JPEG again, in bytes: its coefficients and some copies of the file. Measured on
  /// photos of 12 megapixels: 4 bytes a pixel with halved chroma, 7 with whole.
  package static func unpackingByteCount(_ size: PixelSize, _ byteCount: Int) -> Int {
    memory(8, size, byteCount)
  }

  private static func memory(_ perPixel: Int, _ size: PixelSize, _ byteCount: Int) -> Int {
    // A damaged catalog may have any size.
    let (count, isOver) = size.width.multipliedReportingOverflow(by: size.height)
    let most = 1 << 40
    return perPixel * (isOver ? most : min(count, most)) + 3 * min(byteCount, most)
  }

  /// Packs a JPEG; nil when libjxl cannot restore it exactly: CMYK, data after the end, some damaged
  /// files. The result has been unpacked and compared byte for byte.
  package static func pack(_ jpeg: SharedBytes) throws(ImagingError) -> SharedBytes? {
    guard let packed = try encode(jpeg), let restored = try? unpack(packed) else { return nil }
    let isSame = jpeg.withUnsafeBytes { original in
      restored.withUnsafeBytes { original.elementsEqual($0) }
    }
    return isSame ? packed : nil
  }

  private static func encode(_ jpeg: SharedBytes) throws(ImagingError) -> SharedBytes? {
    guard let encoder = JxlEncoderCreate(nil) else {
      throw ImagingError(.failed, "libjxl does not start.")
    }
    defer { JxlEncoderDestroy(encoder) }
    guard JxlEncoderUseContainer(encoder, 1) == JXL_ENC_SUCCESS,
      JxlEncoderStoreJPEGMetadata(encoder, 1) == JXL_ENC_SUCCESS,
      let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
    else { throw ImagingError(.failed, "libjxl does not take its settings.") }
    let isTaken = jpeg.withUnsafeBytes {
      JxlEncoderAddJPEGFrame(settings, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        == JXL_ENC_SUCCESS
    }
    guard isTaken else { return nil }
    JxlEncoderCloseInput(encoder)
    var output = GrowingBuffer(capacity: jpeg.count)
    while true {
      let status = output.fill { next, available in
        JxlEncoderProcessOutput(encoder, &next, &available)
      }
      switch status {
      case JXL_ENC_SUCCESS: return output.finish()
      case JXL_ENC_NEED_MORE_OUTPUT: output.grow()
      default: return nil
      }
    }
  }

  /// Restores a packed JPEG byte for byte.
  ///
  /// - Parameter memory: what there is for it, in bytes.
  /// - Throws: `ImagingError` with code `tooLarge` when it takes more.
  package static func unpack(
    _ packed: SharedBytes, memory: Int = ProcessMemory.mostForPhotos
  ) throws(ImagingError) -> SharedBytes {
    let size = try JXLHeader(packed).size
    let needed = unpackingByteCount(size, packed.count)
    guard needed <= memory else {
      throw ImagingError(
        .tooLarge,
        "A packed JPEG of \(size) pixels takes \(needed / 1_000_000) MB of memory to unpack, and this machine allows "
          + "\(memory / 1_000_000) MB.")
    }
    let decoder = try JXLDecoder(
      events: JXL_DEC_JPEG_RECONSTRUCTION.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
    var output = GrowingBuffer(capacity: packed.count * 2)
    var isRestoring = false
    try packed.withUnsafeBytes { buffer throws(ImagingError) in
      decoder.give(buffer)
      while true {
        let status = isRestoring ? output.fill(decoder.restoreJPEG) : decoder.advance()
        switch status {
        case JXL_DEC_JPEG_RECONSTRUCTION: isRestoring = true
        case JXL_DEC_JPEG_NEED_MORE_OUTPUT: output.grow()
        case JXL_DEC_FULL_IMAGE where isRestoring, JXL_DEC_SUCCESS where isRestoring: return
        default:
          throw ImagingError(.corrupt, "The JPEG XL file does not hold a JPEG to restore.")
        }
      }
    }
    return output.finish()
  }
}

/// Memory that a C library fills piece by piece.
private struct GrowingBuffer {
  private var bytes: [UInt8]
  private var count = 0

  init(capacity: Int) { bytes = Array(repeating: 0, count: max(1 << 16, capacity)) }

  mutating func grow() { bytes += Array(repeating: 0, count: bytes.count) }

  /// `body` receives the address to write to and the room left, and advances both.
  mutating func fill<Status>(
    _ body: (inout UnsafeMutablePointer<UInt8>?, inout Int) -> Status
  ) -> Status {
    let start = count
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var next = buffer.baseAddress.map { $0 + start }
      var available = buffer.count - start
      let status = body(&next, &available)
      count = buffer.count - available
      return status
    }
  }

  func finish() -> SharedBytes { SharedBytes(copying: bytes.prefix(count)) }
}
