internal import CPango

/// A Cairo surface that writes a file into memory.
final class Surface {
  let pointer: OpaquePointer
  private let sink: ByteSink

  /// Sizes in points.
  enum Format {
    case pdf, svg
  }

  init(_ format: Format, width: Double, height: Double) {
    let sink = ByteSink()
    let closure = Unmanaged.passUnretained(sink).toOpaque()
    let write: cairo_write_func_t = { closure, bytes, count in
      guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
      let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
      sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
      return CAIRO_STATUS_SUCCESS
    }
    self.sink = sink
    pointer =
      switch format {
      case .pdf: cairo_pdf_surface_create_for_stream(write, closure, width, height)
      case .svg: cairo_svg_surface_create_for_stream(write, closure, width, height)
      }
  }

  deinit {
    // Before the sink is released: an unfinished surface is finished here, and writes to it.
    cairo_surface_destroy(pointer)
    withExtendedLifetime(sink) {}
  }

  /// Sets the document's metadata. Without a time, Cairo would write the current one.
  func setMetadata(title: String, subject: String, iso8601: String) {
    for (key, value) in [
      (CAIRO_PDF_METADATA_TITLE, title), (CAIRO_PDF_METADATA_SUBJECT, subject),
      (CAIRO_PDF_METADATA_CREATOR, "Leaflog"), (CAIRO_PDF_METADATA_CREATE_DATE, iso8601),
      (CAIRO_PDF_METADATA_MOD_DATE, iso8601),
    ] {
      cairo_pdf_surface_set_metadata(pointer, key, value)
    }
  }

  /// Adds a bookmark to a position on a page.
  func addBookmark(_ title: String, page: Int, y: Double) {
    cairo_pdf_surface_add_outline(
      pointer, CAIRO_PDF_OUTLINE_ROOT, title, "page=\(page) pos=[0 \(Int(y))]",
      CAIRO_PDF_OUTLINE_FLAG_OPEN)
  }

  /// Finishes the document and returns the file; nothing can be drawn afterwards.
  func finish() throws(ReportsError) -> [UInt8] {
    cairo_surface_finish(pointer)
    let status = cairo_surface_status(pointer)
    guard status == CAIRO_STATUS_SUCCESS else { throw ReportsError(status) }
    return sink.bytes
  }
}

private final class ByteSink {
  var bytes: [UInt8] = []
}

extension ReportsError {
  init(_ status: cairo_status_t) {
    self.init(
      .drawing,
      "Cairo could not make the document: \(String(cString: cairo_status_to_string(status))).")
  }
}

/// An error of making a document.
package struct ReportsError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Cairo failed: out of memory, or text that is not UTF-8.
    case drawing
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
