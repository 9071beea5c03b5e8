internal import CJXL

/// Owns a libjxl decoder.
final class JXLDecoder {
  fileprivate let decoder: OpaquePointer
  /// The memory to which libjxl writes a box's contents.
  private var contents: UnsafeMutableBufferPointer<UInt8>?

  init(events: UInt32) throws(ImagingError) {
    guard let decoder = JxlDecoderCreate(nil) else {
      throw ImagingError(.failed, "libjxl does not start.")
    }
    self.decoder = decoder
    guard JxlDecoderSubscribeEvents(decoder, CInt(events)) == JXL_DEC_SUCCESS,
      JxlDecoderSetDecompressBoxes(decoder, 1) == JXL_DEC_SUCCESS
    else { throw ImagingError(.failed, "libjxl does not take its settings.") }
  }

  deinit {
    JxlDecoderDestroy(decoder)
    contents?.deallocate()
  }

  /// The bytes must outlive the decoding.
  func give(_ bytes: UnsafeRawBufferPointer) {
    JxlDecoderSetInput(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    JxlDecoderCloseInput(decoder)
  }

  func advance() -> JxlDecoderStatus { JxlDecoderProcessInput(decoder) }

  var basicInfo: JxlBasicInfo? {
    var info = JxlBasicInfo()
    return JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS ? info : nil
  }

  /// The four letters of the current box, after Brotli decompression.
  var boxType: String {
    var type: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
    return withUnsafeMutableBytes(of: &type) { letters in
      JxlDecoderGetBoxType(decoder, letters.bindMemory(to: CChar.self).baseAddress, 1)
      return String(decoding: letters, as: UTF8.self)
    }
  }

  /// No EXIF or XMP needs more.
  private static let maxBoxByteCount = 1 << 20

  /// Keeps the contents of the current box while the decoder continues.
  func keepContents() {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.maxBoxByteCount)
    contents = memory
    JxlDecoderSetBoxBuffer(decoder, memory.baseAddress, memory.count)
  }

  /// The contents of a box that were kept; nil when none were.
  func takeContents() -> [UInt8]? {
    guard let memory = contents else { return nil }
    defer { memory.deallocate() }
    contents = nil
    let unused = JxlDecoderReleaseBoxBuffer(decoder)
    return Array(memory.prefix(memory.count - unused))
  }

  /// Requests sRGB if the file leaves the choice, and returns the ICC profile of the samples.
  func useProfile(_ format: inout JxlPixelFormat) -> [UInt8]? {
    var srgb = JxlColorEncoding()
    JxlColorEncodingSetToSRGB(&srgb, format.num_channels < 3 ? 1 : 0)
    JxlDecoderSetPreferredColorProfile(decoder, &srgb)
    var count = 0
    let target = JXL_COLOR_PROFILE_TARGET_DATA
    guard JxlDecoderGetICCProfileSize(decoder, &format, target, &count) == JXL_DEC_SUCCESS
    else { return nil }
    var profile = [UInt8](repeating: 0, count: count)
    return JxlDecoderGetColorAsICCProfile(decoder, &format, target, &profile, count)
      == JXL_DEC_SUCCESS ? profile : nil
  }

  func setOutput(
    _ pixels: UnsafeMutableRawBufferPointer, _ format: inout JxlPixelFormat
  ) throws(ImagingError) {
    guard
      JxlDecoderSetImageOutBuffer(decoder, &format, pixels.baseAddress, pixels.count)
        == JXL_DEC_SUCCESS
    else { throw ImagingError(.failed, "libjxl does not take the buffer for its picture.") }
  }
}

extension JXLDecoder {
  /// Continues restoring a JPEG into a piece of memory, and advances `next` and `available` by the
  /// bytes written.
  func restoreJPEG(
    _ next: inout UnsafeMutablePointer<UInt8>?, _ available: inout Int
  ) -> JxlDecoderStatus {
    let given = available
    JxlDecoderSetJPEGBuffer(decoder, next, given)
    let status = JxlDecoderProcessInput(decoder)
    available = JxlDecoderReleaseJPEGBuffer(decoder)
    next = next.map { $0 + (given - available) }
    return status
  }
}
