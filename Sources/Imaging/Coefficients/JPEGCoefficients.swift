internal import CCoefficients
internal import CJPEG
internal import DiaryModel

/// The coefficients of a picture, for everything that is made from them: those of an ordinary JPEG, read
/// once (ITU-T T.81: 8-bit YCbCr or grey, Huffman-coded, baseline or progressive, chroma at full or half
/// resolution), or those of pixels.
final class JPEGCoefficients: @unchecked Sendable {  // nothing changes once it is made
  let size: PixelSize
  /// Luma, or luma and two of chroma.
  let planes: [BlockPlane]
  /// The same with chroma halved both ways; nil when there is nothing to halve.
  let halvedPlanes: [BlockPlane]?

  /// The memory that the planes point to.
  private let file: UnsafeMutablePointer<LeaflogJPEG>?
  private let memory: UnsafeMutableBufferPointer<LeaflogBlock>?

  /// Nil when the file is not ordinary, or damaged in any way: libjpeg would continue with a warning. The
  /// coefficients take at most `frame.byteCount` of memory.
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
    self.planes = planes
    size = frame.size
    let halved = ChromaHalving.halved(planes, frame)
    (halvedPlanes, memory) = (halved?.planes, halved?.memory)
  }

  /// Computes the coefficients of pixels in memory, 8-bit, grey or RGB; chroma is halved.
  init(of picture: VipsPicture) throws {
    let (width, height) = (picture.width, picture.height)
    let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
    let (halfColumns, halfRows) = ((width + 15) / 16, (height + 15) / 16)
    let isGrey = picture.bandCount == 1
    let halfCount = isGrey ? 0 : halfColumns * halfRows
    let memory = UnsafeMutableBufferPointer<LeaflogBlock>.allocate(
      capacity: columns * rows + 2 * halfCount)
    self.memory = memory
    (file, halvedPlanes) = (nil, nil)
    size = PixelSize(width: width, height: height)
    let luma = memory.baseAddress
    let chroma = luma.map { $0 + columns * rows }
    func plane(_ start: Int, _ width: Int, _ height: Int, _ factor: Int) -> BlockPlane {
      BlockPlane(
        rows: (0..<height).map { y in luma.map { UnsafePointer($0 + start + y * width) } },
        width: width, height: height, across: factor, down: factor,
        steps: Array(repeating: LEAFLOG_FINE_STEP, count: 64))
    }
    planes =
      [plane(0, columns, rows, 1)]
      + (isGrey
        ? []
        : [0, 1].map { plane(columns * rows + $0 * halfCount, halfColumns, halfRows, 2) })
    let isDone = try picture.withSamples { samples in
      leaflog_forward(
        samples.bindMemory(to: UInt8.self).baseAddress, CInt(picture.bandCount), CInt(width),
        CInt(height), luma, chroma, chroma.map { $0 + halfCount })
    }
    guard isDone != 0 else { throw ImagingError(.failed, "There is not enough memory.") }
  }

  deinit {
    file.map { leaflog_jpeg_close($0) }
    memory?.deallocate()
  }

  /// The planes of a copy.
  var copiedPlanes: [BlockPlane] { halvedPlanes ?? planes }
  var copiedSteps: CopiedSteps { CopiedSteps(of: copiedPlanes) }

  /// Whether libjpeg sees the same frame in the file as the one from which its memory was calculated.
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
      // A component that is in no scan has no table.
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
