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
