internal import CJXL
internal import CVips
internal import DiaryModel

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
      JxlDecoderSetDecompressBoxes(decoder, 1) == JXL_DEC_SUCCESS,
      JxlDecoderSetUnpremultiplyAlpha(decoder, 1) == JXL_DEC_SUCCESS
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

  fileprivate var basicInfo: JxlBasicInfo? {
    var info = JxlBasicInfo()
    return JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS ? info : nil
  }

  /// The types of the channels besides the colours.
  fileprivate func extraChannels(_ count: UInt32) -> [JxlExtraChannelType] {
    (0..<Int(min(count, 4096))).compactMap { index in
      var info = JxlExtraChannelInfo()
      return JxlDecoderGetExtraChannelInfo(decoder, index, &info) == JXL_DEC_SUCCESS
        ? info.type : nil
    }
  }

  /// The HDR colours of the file or of the samples as they will be delivered; nil where they are not HDR.
  private func hdr(_ target: JxlColorProfileTarget) -> PictureEncoding.Colours? {
    var encoding = JxlColorEncoding()
    guard
      jxl_encoded_profile(decoder, target, &encoding) == JXL_DEC_SUCCESS,
      [JXL_TRANSFER_FUNCTION_PQ, JXL_TRANSFER_FUNCTION_HLG].contains(encoding.transfer_function)
    else { return nil }
    // libjxl's numbers are those of ITU-T H.273, but for P3 with the white of D65, and those of its own, which 2 stands for.
    let isDisplayP3 =
      encoding.primaries == JXL_PRIMARIES_P3 && encoding.white_point == JXL_WHITE_POINT_D65
    return ColourProfile.colours(
      primaries: isDisplayP3 ? 12 : Int(encoding.primaries.rawValue),
      transfer: Int(encoding.transfer_function.rawValue),
      isGrey: encoding.color_space == JXL_COLOR_SPACE_GRAY)
  }

  /// Whether the file says that its colours are HDR, by their curve or by their brightness: 255 cd/m2 is libjxl's white of
  /// all that is not.
  fileprivate func isHDR(_ info: JxlBasicInfo?) -> Bool {
    hdr(JXL_COLOR_PROFILE_TARGET_ORIGINAL) != nil || (info?.intensity_target ?? 0) > 255
  }

  /// The four letters of the current box, after Brotli decompression.
  fileprivate var boxType: String {
    var type: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
    return withUnsafeMutableBytes(of: &type) { letters in
      JxlDecoderGetBoxType(decoder, letters.bindMemory(to: CChar.self).baseAddress, 1)
      return String(decoding: letters, as: UTF8.self)
    }
  }

  /// No EXIF or XMP needs more.
  private static let maxBoxByteCount = 1 << 20

  /// Keeps the contents of the current box while the decoder continues.
  fileprivate func keepContents() {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.maxBoxByteCount)
    contents = memory
    JxlDecoderSetBoxBuffer(decoder, memory.baseAddress, memory.count)
  }

  /// The contents of a box that were kept; nil when none were.
  fileprivate func takeContents() -> [UInt8]? {
    guard let memory = contents else { return nil }
    defer { memory.deallocate() }
    contents = nil
    let unused = JxlDecoderReleaseBoxBuffer(decoder)
    return Array(memory.prefix(memory.count - unused))
  }

  /// Requests sRGB if the file leaves the choice, and returns the ICC profile of the samples.
  fileprivate func useProfile(_ format: inout JxlPixelFormat) -> [UInt8]? {
    var srgb = JxlColorEncoding()
    JxlColorEncodingSetToSRGB(&srgb, format.num_channels < 3 ? 1 : 0)
    JxlDecoderSetPreferredColorProfile(decoder, &srgb)
    // In libjxl's own profile for PQ, white is 10,000 cd/m2.
    if let hdr = hdr(JXL_COLOR_PROFILE_TARGET_DATA) { return hdr.profile }
    var count = 0
    let target = JXL_COLOR_PROFILE_TARGET_DATA
    guard jxl_icc_profile_size(decoder, target, &count) == JXL_DEC_SUCCESS
    else { return nil }
    var profile = [UInt8](repeating: 0, count: count)
    return jxl_icc_profile(decoder, target, &profile, count)
      == JXL_DEC_SUCCESS ? profile : nil
  }

  fileprivate func setOutput(
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

/// A JPEG XL file whose header has been read. libvips refuses JPEG XL as untrusted, so libjxl is
/// called directly.
struct JXLHeader: Sendable {
  let size: PixelSize
  let isAnimated: Bool
  /// Whether there are channels besides colours and transparency, such as depth.
  let hasFurtherChannels: Bool
  /// Whether the colours are CMY, with black in a channel of its own, which is not shown.
  let isCMYK: Bool
  let isHDR: Bool
  let bandCount: Int
  let bitDepth: Int
  let exif: [UInt8]?
  let xmp: [UInt8]?

  init(_ bytes: SharedBytes) throws(ImagingError) {
    let decoder = try JXLDecoder(
      events: JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_BOX.rawValue)
    var info: JxlBasicInfo?
    var channels: [JxlExtraChannelType] = []
    var isHDR = false
    var boxes: [String: [UInt8]] = [:]
    try bytes.withUnsafeBytes { buffer throws(ImagingError) in
      decoder.give(buffer)
      var kept = ""
      loop: while true {
        let event = decoder.advance()
        // The current box continues until the next one begins or the file ends.
        if [JXL_DEC_BOX, JXL_DEC_SUCCESS, JXL_DEC_NEED_MORE_INPUT].contains(event),
          let contents = decoder.takeContents(), boxes[kept] == nil
        {
          boxes[kept] = contents
        }
        switch event {
        case JXL_DEC_BASIC_INFO:
          info = decoder.basicInfo
          channels = decoder.extraChannels(info?.num_extra_channels ?? 0)
        case JXL_DEC_COLOR_ENCODING: isHDR = decoder.isHDR(info)
        case JXL_DEC_BOX:
          kept = decoder.boxType
          if ["Exif", "xml "].contains(kept) { decoder.keepContents() }
        case JXL_DEC_BOX_NEED_MORE_OUTPUT: _ = decoder.takeContents()
        case JXL_DEC_SUCCESS: break loop
        case JXL_DEC_NEED_MORE_INPUT:
          if info == nil { throw ImagingError(.truncated, "The JPEG XL file ends in its header.") }
          break loop
        default:
          if info == nil { throw ImagingError(.corrupt, "The JPEG XL header does not decode.") }
          break loop
        }
      }
    }
    guard let info else { throw ImagingError(.corrupt, "The JPEG XL file has no picture.") }
    size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
    isAnimated = info.have_animation != 0
    hasFurtherChannels = Int(info.num_extra_channels) > (info.alpha_bits > 0 ? 1 : 0)
    isCMYK = channels.contains(JXL_CHANNEL_BLACK)
    self.isHDR = isHDR
    bandCount = Int(info.num_color_channels) + (info.alpha_bits > 0 ? 1 : 0)
    bitDepth = Int(info.bits_per_sample)
    exif = boxes["Exif"]
    xmp = boxes["xml "]
  }

  /// The first frame, upright, as 8-bit samples with their colour profile.
  func decode(_ bytes: SharedBytes) throws(ImagingError) -> VipsPicture {
    if isCMYK { throw ImagingError(.unsupported, "It is a JPEG XL with CMYK colours.") }
    let decoder = try JXLDecoder(
      events: JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
    var format = JxlPixelFormat(
      num_channels: UInt32(bandCount), data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
      align: 0)
    let pixels = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size.pixelCount * bandCount, alignment: 16)
    defer { pixels.deallocate() }
    var profile: [UInt8]?
    try bytes.withUnsafeBytes { buffer throws(ImagingError) in
      decoder.give(buffer)
      loop: while true {
        switch decoder.advance() {
        case JXL_DEC_COLOR_ENCODING: profile = decoder.useProfile(&format)
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: try decoder.setOutput(pixels, &format)
        case JXL_DEC_FULL_IMAGE: break loop
        case JXL_DEC_NEED_MORE_INPUT:
          throw ImagingError(.truncated, "The JPEG XL file ends before its picture does.")
        default: throw ImagingError(.corrupt, "The JPEG XL picture does not decode.")
        }
      }
    }
    let picture = try Vips.image {
      leaflog_from_memory(
        pixels.baseAddress, pixels.count, CInt(size.width), CInt(size.height), CInt(bandCount))
    }
    if let profile {
      leaflog_set_blob(picture.pointer, "icc-profile-data", profile, profile.count)
    }
    return picture
  }
}
