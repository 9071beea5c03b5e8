import CJPEG
import DiaryModel
import Foundation
import Testing

/// A JPEG of a picture with hard edges, some noise and slowly changing colours, made by libjpeg.
struct JPEGFixture: Sendable, CustomTestStringConvertible {
  var size = PixelSize(width: 411, height: 299)
  /// Samples of luma for each of chroma, across and down; nil for grey.
  var sampling: (across: Int, down: Int)? = (2, 2)
  var isProgressive = false
  /// Units between restart markers; none when 0.
  var restartInterval = 0
  var quality = 92
  var isAdobeRGB = false
  /// The samples to compress instead, RGB, rows from the top without padding.
  var picture: [UInt8]?

  var testDescription: String {
    let colour = sampling.map { "\($0.across)x\($0.down)" } ?? "grey"
    return "\(size) \(colour)\(isProgressive ? " progressive" : "") restart \(restartInterval)"
  }

  func bytes() -> [UInt8] {
    var errors = jpeg_error_mgr()
    var compressor = jpeg_compress_struct()
    return withUnsafeMutablePointer(to: &errors) { errors in
      compressor.err = jpeg_std_error(errors)
      jpeg_CreateCompress(
        &compressor, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
      defer { jpeg_destroy_compress(&compressor) }
      var memory: UnsafeMutablePointer<UInt8>?
      var count: UInt = 0
      jpeg_mem_dest(&compressor, &memory, &count)
      configure(&compressor)
      jpeg_start_compress(&compressor, 1)
      let bandCount = sampling == nil ? 1 : 3
      for y in 0..<size.height {
        let rowCount = size.width * bandCount
        var row =
          picture.map { Array($0[(y * rowCount)...].prefix(rowCount)) }
          ?? (0..<rowCount).map { sample($0 / bandCount, y, $0 % bandCount) }
        row.withUnsafeMutableBufferPointer { row in
          var start = row.baseAddress
          _ = jpeg_write_scanlines(&compressor, &start, 1)
        }
      }
      jpeg_finish_compress(&compressor)
      defer { free(memory) }
      return Array(UnsafeBufferPointer(start: memory, count: Int(count)))
    }
  }

  private func configure(_ compressor: inout jpeg_compress_struct) {
    compressor.image_width = JDIMENSION(size.width)
    compressor.image_height = JDIMENSION(size.height)
    compressor.input_components = sampling == nil ? 1 : 3
    compressor.in_color_space = sampling == nil ? JCS_GRAYSCALE : JCS_RGB
    jpeg_set_defaults(&compressor)
    if isAdobeRGB { jpeg_set_colorspace(&compressor, JCS_RGB) }
    jpeg_set_quality(&compressor, CInt(quality), 1)
    if let sampling, !isAdobeRGB {
      compressor.comp_info[0].h_samp_factor = CInt(sampling.across)
      compressor.comp_info[0].v_samp_factor = CInt(sampling.down)
    }
    compressor.restart_interval = UInt32(restartInterval)
    if isProgressive { jpeg_simple_progression(&compressor) }
  }

  /// One sample, 0 to 255.
  private func sample(_ x: Int, _ y: Int, _ band: Int) -> UInt8 {
    let noise = (x &* 7919 &+ y &* 104_729) % 11 - 5
    let square = (x / 37 + y / 29) % 2 * 40
    let tint = band == 0 ? wave(x) / 4 : band == 2 ? wave(y) / 4 : 32
    return UInt8(clamping: 40 + wave(2 * x + 3 * y) / 2 + square + tint + noise)
  }

  /// A triangle, 0 to 255 and back.
  private func wave(_ at: Int) -> Int { abs(at % 510 - 255) }
}
