internal import CVips

/// libvips, set up once for the process.
enum Vips {
  private static let start: Void = {
    precondition(leaflog_vips_init() == 0, "libvips does not start")
    // One thread per photo and one photo per core beat many threads on one photo.
    vips_concurrency_set(1)
    // The operation cache can return a stale image, and nothing here is requested twice.
    vips_cache_set_max(0)
    // Only the loaders that are fuzzed upstream.
    vips_block_untrusted_set(1)
  }()

  /// Runs libvips calls.
  ///
  /// - Throws: `ImagingError` with code `failed`, without libvips' message: its error buffer belongs to
  ///   the process, and its text may be about another photo. `DecodingFailure` determines why a file
  ///   does not decode.
  static func call<Result>(_ body: () -> Result?) throws(ImagingError) -> Result {
    _ = start
    guard let result = body() else {
      vips_error_clear()
      throw ImagingError(.failed, "The image library could not do its work.")
    }
    return result
  }

  /// Writes a file; nothing else may write one at the same time. On failure, libvips' message is thrown, as
  /// it tells about the disk.
  static func save(_ body: () -> CInt) throws(ImagingError) {
    _ = start
    vips_error_clear()
    guard body() != 0 else { return }
    defer { vips_error_clear() }
    let text = String(cString: vips_error_buffer())
    throw ImagingError(.failed, text.split(separator: "\n").joined(separator: "; "))
  }

  /// Runs an operation that returns a new image.
  static func image(
    _ body: () -> UnsafeMutablePointer<VipsImage>?
  ) throws(ImagingError) -> VipsPicture {
    VipsPicture(adopting: try call(body))
  }

  /// Frees libvips' per-thread resources of the calling thread.
  static func endThread() {
    _ = start  // without it there is nothing to end, and libvips would crash
    vips_thread_shutdown()
  }
}

/// Runs work on images and frees libvips' per-thread resources afterwards.
package func withImagingThread<Result>(_ body: () throws -> Result) rethrows -> Result {
  defer { Vips.endThread() }
  return try body()
}

/// An error of reading, decoding or writing an image.
package struct ImagingError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The file ends before the picture does.
    case truncated
    /// The bytes do not decode.
    case corrupt
    /// More pixels than Leaflog accepts, or a decoder that would need too much memory.
    case tooLarge
    /// A header without any pixels.
    case noPixels
    /// A kind of image that the codecs here do not read.
    case unsupported
    /// It still contains a location, or may.
    case tellsPlace
    /// An encoder failed, or memory ran out; not the image's fault.
    case failed
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
