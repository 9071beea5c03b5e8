internal import CCoefficients
internal import CJPEG
internal import DiaryModel

/// The quantised coefficients of an ordinary JPEG (ITU-T T.81), read once for everything that is made of
/// them: 8-bit YCbCr or grey, Huffman-coded, baseline or progressive, chroma at full or half resolution.
final class JPEGCoefficients: @unchecked Sendable {  // nothing changes once it has been read
  let size: PixelSize
  let frame: JPEGFrame
  /// As in the file: luma, or luma and two of chroma.
  let planes: [BlockPlane]
  /// The same with chroma halved both ways.
  let halvedPlanes: [BlockPlane]

  private let file: UnsafeMutablePointer<LeaflogJPEG>
  private let halved: UnsafeMutableBufferPointer<LeaflogBlock>

  /// Nil when the file is not ordinary, or damaged however little: libjpeg would read on with a warning.
  /// The coefficients take at most `frame.byteCount` of memory.
  init?(_ jpeg: ByteBuffer, _ frame: JPEGFrame) {
    let file = jpeg.withUnsafeBytes { bytes in
      leaflog_jpeg_open(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    guard let file else { return nil }
    guard Self.isOrdinary(file.pointee.decompressor, frame), leaflog_jpeg_read(file) != 0,
      let planes = Self.planes(of: file, frame)
    else {
      leaflog_jpeg_close(file)
      return nil
    }
    self.file = file
    self.frame = frame
    self.planes = planes
    size = frame.size
    (halvedPlanes, halved) = ChromaHalving.halved(planes, frame)
  }

  deinit {
    leaflog_jpeg_close(file)
    halved.deallocate()
  }

  /// Whether libjpeg sees the frame in the file that its memory was reckoned from.
  private static func isOrdinary(_ file: jpeg_decompress_struct, _ frame: JPEGFrame) -> Bool {
    let space = frame.components.count == 1 ? JCS_GRAYSCALE : JCS_YCbCr
    return file.image_width == frame.size.width && file.image_height == frame.size.height
      && file.num_components == frame.components.count && file.data_precision == 8
      && file.jpeg_color_space == space && file.arith_code == 0
  }

  private static func planes(
    of file: UnsafeMutablePointer<LeaflogJPEG>, _ frame: JPEGFrame
  ) -> [BlockPlane]? {
    guard let components = file.pointee.decompressor.comp_info else { return nil }
    var planes: [BlockPlane] = []
    for (index, factors) in frame.components.enumerated() {
      let component = components[index]
      // A component that no scan has had has no table.
      guard let table = component.quant_table else { return nil }
      if frame.components.count == 3,
        component.h_samp_factor != factors.across || component.v_samp_factor != factors.down
      {
        return nil
      }
      let (width, height) = (Int(component.width_in_blocks), Int(component.height_in_blocks))
      var rows = [UnsafePointer<LeaflogBlock>?](repeating: nil, count: height)
      guard leaflog_jpeg_rows(file, CInt(index), &rows) != 0 else { return nil }
      planes.append(
        BlockPlane(
          rows: rows, width: width, height: height,
          across: frame.components[0].across / factors.across,
          down: frame.components[0].down / factors.down,
          steps: withUnsafeBytes(of: table.pointee.quantval) {
            $0.bindMemory(to: UInt16.self).map { Float($0) }
          }))
    }
    return planes
  }
}
