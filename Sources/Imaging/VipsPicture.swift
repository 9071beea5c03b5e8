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

  /// The same pixels with this orientation and this colour profile, or none.
  func described(orientation: Int, profile: [UInt8]?) -> VipsPicture {
    let hasProfile = blob(VIPS_META_ICC_NAME) == profile
    guard !hasProfile || (integer(VIPS_META_ORIENTATION) ?? 1) != orientation,
      let copy = leaflog_copy(pointer)
    else { return self }
    leaflog_set_orientation(copy, CInt(orientation))
    if !hasProfile {
      if let profile {
        leaflog_set_blob(copy, VIPS_META_ICC_NAME, profile, profile.count)
      } else {
        leaflog_remove(copy, VIPS_META_ICC_NAME)
      }
    }
    return VipsPicture(adopting: copy)
  }

  /// Whether a colour profile is one for samples of this number and kind, and can be used.
  ///
  /// libvips takes any that is for no more bands than there are, and leaves those that remain as they are. A profile's
  /// header may be valid while the rest is not: only using it on a pixel shows that.
  func canUse(_ profile: [UInt8]) -> Bool {
    let colourCount =
      bandCount % 2 == 0 && interpretation != VIPS_INTERPRETATION_CMYK
      ? bandCount - 1 : bandCount
    let fits =
      switch ICCProfile(profile).colourSpace {
      case "GRAY": colourCount == 1
      case "RGB ": colourCount == 3 && !isLab
      case "CMYK": interpretation == VIPS_INTERPRETATION_CMYK
      case "Lab ": isLab
      default: false
      }
    guard fits else { return false }
    if leaflog_profile_is_readable(pointer, profile, profile.count) != 0 { return true }
    vips_error_clear()
    return false
  }

  private var isLab: Bool {
    [VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS, VIPS_INTERPRETATION_LABQ]
      .contains(interpretation)
  }

  /// The least, the greatest and the mean sample of the colours, which are the first bands. The picture is read once.
  func range(ofBands count: Int) throws(ImagingError) -> (
    least: Double, greatest: Double, mean: Double
  ) {
    var (least, greatest, mean) = (0.0, 0.0, 0.0)
    guard leaflog_range(pointer, CInt(count), &least, &greatest, &mean) == 0 else {
      throw ImagingError(.corrupt, "The samples of the picture cannot be read.")
    }
    return (least, greatest, mean)
  }

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
