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

  /// Runs libvips calls.
  ///
  /// - Throws: `ImagingError` with code `failed`, without libvips' words: its error buffer belongs to
  ///   the process, and its text may be about another photo. `DecodingFailure` knows why a file does
  ///   not decode.
  static func call<Result>(_ body: () -> Result?) throws(ImagingError) -> Result {
    _ = start
    guard let result = body() else {
      vips_error_clear()
      throw ImagingError(.failed, "The image library could not do its work.")
    }
    return result
  }

  /// Writes a file, which nothing else does at the same time: on failure, the words of libvips are thrown,
  /// as they tell of the disk.
  static func save(_ body: () -> CInt) throws(ImagingError) {
    _ = start
    vips_error_clear()
    guard body() != 0 else { return }
    defer { vips_error_clear() }
    let text = String(cString: vips_error_buffer())
    throw ImagingError(.failed, text.split(separator: "\n").joined(separator: "; "))
  }

  /// For operations that return a new image.
  static func image(
    _ body: () -> UnsafeMutablePointer<VipsImage>?
  ) throws(ImagingError) -> VipsPicture {
    VipsPicture(adopting: try call(body))
  }

  /// Frees libvips' per-thread resources of the calling thread.
  static func endThread() {
    _ = start  // without which there is nothing to end, and libvips would not survive it
    vips_thread_shutdown()
  }
}

/// Runs work on images and frees libvips' per-thread resources afterwards.
package func withImagingThread<Result>(_ body: () throws -> Result) rethrows -> Result {
  defer { Vips.endThread() }
  return try body()
}
