internal import CVips

/// Owns a reference to a libvips image. The image is never changed once others can see it.
final class VipsPicture: @unchecked Sendable {  // libvips images are immutable and thread-safe
  let pointer: UnsafeMutablePointer<VipsImage>

  init(adopting pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  deinit { leaflog_unref(pointer) }

  var width: Int { Int(pointer.pointee.Xsize) }
  var height: Int { Int(pointer.pointee.Ysize) }
  var bandCount: Int { Int(pointer.pointee.Bands) }
  var bandFormat: VipsBandFormat { pointer.pointee.BandFmt }
  var interpretation: VipsInterpretation { vips_image_guess_interpretation(pointer) }

  func integer(_ name: String) -> Int? {
    var value: CInt = 0
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_int(pointer, name, &value) == 0
    else { return nil }
    return Int(value)
  }

  func string(_ name: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_string(pointer, name, &value) == 0, let value
    else { return nil }
    return String(cString: value)
  }

  func blob(_ name: String) -> [UInt8]? {
    var data: UnsafeRawPointer?
    var count = 0
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_blob(pointer, name, &data, &count) == 0, let data
    else { return nil }
    return Array(UnsafeRawBufferPointer(start: data, count: count))
  }

  /// The XMP packet. In HEIF files, libvips names some only by their item.
  var xmp: [UInt8]? {
    blob("xmp-data")
      ?? (0..<8).lazy.compactMap { self.blob("heif-mime-\($0)") }
      .first { $0.firstRange(of: Array("rdf:RDF".utf8)) != nil }
  }

  /// The same pixels with this orientation, and with this colour profile if they have none.
  func described(orientation: Int, profile: [UInt8]?) -> VipsPicture {
    let needsProfile = profile != nil && vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) == 0
    guard needsProfile || (integer(VIPS_META_ORIENTATION) ?? 1) != orientation,
      let copy = leaflog_copy(pointer)
    else { return self }
    leaflog_set_orientation(copy, CInt(orientation))
    if needsProfile, let profile {
      leaflog_set_blob(copy, VIPS_META_ICC_NAME, profile, profile.count)
    }
    return VipsPicture(adopting: copy)
  }

  /// The picture, without its colour profile if that cannot be read, and whether it can.
  ///
  /// A profile's header may be valid while the rest is not: only using it on a pixel shows that.
  var withReadableProfile: (picture: VipsPicture, isReadable: Bool) {
    guard vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0 else { return (self, true) }
    if leaflog_profile_is_readable(pointer) != 0 { return (self, true) }
    vips_error_clear()
    guard let bare = leaflog_without_profile(pointer) else { return (self, false) }
    return (VipsPicture(adopting: bare), false)
  }

  /// A picture in memory, with samples that do not fit into 16 bits scaled down to them: those of TIFF files with
  /// floating-point numbers, of which 1 is white unless most are far above it, and with 32-bit integers. libvips shows
  /// them black, white or too bright.
  var withSamplesOf16BitsIfWider: VipsPicture {
    get throws(ImagingError) {
      var (mean, greatest) = (0.0, 0.0)
      guard isFloating, leaflog_range(pointer, &mean, &greatest) == 0, mean > 1 else {
        return try withSamplesOf16Bits(white: 1).inMemory()
      }
      return try withSamplesOf16Bits(
        white: [255, 65_535].first { greatest < $0 + 0.5 } ?? greatest
      ).inMemory()
    }
  }

  /// The same picture with samples of 16 bits, if it has wider ones.
  ///
  /// - Parameter white: the brightest sample, in floating-point numbers.
  func withSamplesOf16Bits(white: Double) throws(ImagingError) -> VipsPicture {
    guard isFloating || bandFormat == VIPS_FORMAT_UINT else { return self }
    return try Vips.image {
      leaflog_to_16_bit(pointer, 65_535 / (isFloating ? white : Double(UInt32.max)))
    }
  }

  private var isFloating: Bool { [VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE].contains(bandFormat) }

  /// The whole picture in memory; this is where decoding happens.
  func inMemory() throws(ImagingError) -> VipsPicture {
    try Vips.image { vips_image_copy_memory(pointer) }
  }

  /// Calls `body` with the samples of a picture in memory, rows from the top, without padding.
  func withSamples<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let samples = try Vips.call { vips_image_get_data(pointer) }
    let count = width * height * bandCount * Int(vips_format_sizeof(bandFormat))
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: samples, count: count))
  }
}
