internal import CVips

/// libvips, set up once for the process.
enum Vips {
  private static let start: Void = {
    precondition(leaflog_vips_init() == 0, "libvips does not start")
    // One thread a photo and one photo a core beats many threads on one photo.
    vips_concurrency_set(1)
    // The operation cache can return a stale image, and nothing here is asked twice.
    vips_cache_set_max(0)
    // Only the loaders that are fuzzed upstream.
    vips_block_untrusted_set(1)
  }()

  /// Runs libvips calls; on failure, what they wrote into the error buffer is thrown.
  static func call<Result>(_ body: () -> Result?) throws(ImagingError) -> Result {
    _ = start
    guard let result = body() else { throw takeError() }
    return result
  }

  /// For operations that return a new image.
  static func image(
    _ body: () -> UnsafeMutablePointer<VipsImage>?
  ) throws(ImagingError) -> VipsPicture {
    VipsPicture(adopting: try call(body))
  }

  /// The error buffer belongs to the process: taking and clearing it must be one step.
  private static func takeError() -> ImagingError {
    guard let buffer = vips_error_buffer_copy() else { return ImagingError(.failed, "no reason") }
    defer { g_free(buffer) }
    // Probing for a format leaves complaints about seeking behind, even where it succeeds.
    let lines = Set(String(cString: buffer).split(separator: "\n").map(String.init))
      .filter { !$0.hasPrefix("source: bad seek") }
    let text = lines.sorted().prefix(3).joined(separator: "; ")
    let lower = text.lowercased()
    let ends = [
      "premature", "truncat", "end of file", "unexpected eof", "not enough", "end of data",
    ]
    if text.isEmpty { return ImagingError(.corrupt, "The decoder gave no reason.") }
    if lower.contains("empty jpeg image") { return ImagingError(.noPixels, text) }
    if ends.contains(where: { lower.contains($0) }) { return ImagingError(.truncated, text) }
    return ImagingError(lower.contains("unsupported") ? .unsupported : .corrupt, text)
  }

  /// Frees what libvips keeps for the calling thread.
  static func endThread() {
    _ = start  // without which there is nothing to end, and libvips would not survive it
    vips_thread_shutdown()
  }
}

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

  /// The XMP packet. Of HEIF files libvips names some by their item alone.
  var xmp: [UInt8]? {
    blob("xmp-data")
      ?? (0..<8).lazy.compactMap { self.blob("heif-mime-\($0)") }
      .first { $0.firstRange(of: Array("rdf:RDF".utf8)) != nil }
  }

  /// The whole picture in memory; this is where decoding happens.
  func inMemory() throws(ImagingError) -> VipsPicture {
    try Vips.image { vips_image_copy_memory(pointer) }
  }

  /// The samples of a picture that is in memory, rows from the top, without padding.
  func withSamples<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let samples = try Vips.call { vips_image_get_data(pointer) }
    let count = width * height * bandCount * Int(vips_format_sizeof(bandFormat))
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: samples, count: count))
  }
}

/// Work on images that ends with what libvips keeps for the calling thread given back.
package func withImagingThread<Result>(_ body: () throws -> Result) rethrows -> Result {
  defer { Vips.endThread() }
  return try body()
}
