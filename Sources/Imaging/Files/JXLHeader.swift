internal import CJXL
internal import CVips
internal import DiaryModel

/// A JPEG XL file whose header has been read. libvips refuses JPEG XL as untrusted, so libjxl is
/// called directly.
struct JXLHeader: Sendable {
  let size: PixelSize
  let isAnimated: Bool
  /// Whether there are channels besides colours and transparency, such as depth.
  let hasFurtherChannels: Bool
  let bandCount: Int
  let bitDepth: Int
  let exif: [UInt8]?
  let xmp: [UInt8]?

  init(_ bytes: ByteBuffer) throws(ImagingError) {
    let decoder = try JXLDecoder(
      events: JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_BOX.rawValue)
    var info: JxlBasicInfo?
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
        case JXL_DEC_BASIC_INFO: info = decoder.basicInfo
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
    bandCount = Int(info.num_color_channels) + (info.alpha_bits > 0 ? 1 : 0)
    bitDepth = Int(info.bits_per_sample)
    exif = boxes["Exif"]
    xmp = boxes["xml "]
  }

  /// The first frame, upright, as 8-bit samples with their colour profile.
  func decode(_ bytes: ByteBuffer) throws(ImagingError) -> (VipsPicture, bitDepth: Int) {
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
    return (picture, bitDepth)
  }
}
