internal import CCoefficients
internal import CJPEG
internal import CVips
internal import DiaryModel
internal import Foundation

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
  init?(_ jpeg: SharedBytes, _ frame: JPEGFrame) {
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
    precondition([1, 3].contains(picture.bandCount) && picture.bandFormat == VIPS_FORMAT_UCHAR)
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
  private var copiedPlanes: [BlockPlane] { halvedPlanes ?? planes }
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

extension JPEGCoefficients {
  /// The copy with coarser steps and halved chroma, as a baseline JPEG; nil when it would exceed
  /// `maxByteCount`.
  func file(_ quality: JPEGQuality, metadata: JPEGMetadata, maxByteCount: Int) -> SharedBytes? {
    let tables = copiedSteps.tables(quality)
    let steps = tables.map { table in table.map { UInt8(clamping: $0) } }
    var requantizers = copiedPlanes.enumerated().map { index, plane in
      LeaflogRequantizer(
        from: plane.steps, to: tables[min(index, 1)], rounding: DeadZone.rounding)
    }
    var count = 0
    let bytes = requantizers.withUnsafeMutableBufferPointer { requantizers in
      steps[0].withUnsafeBufferPointer { luma in
        steps[1].withUnsafeBufferPointer { chroma in
          withComponents(requantizers.baseAddress, luma.baseAddress, chroma.baseAddress) {
            leaflog_write(
              $0, CInt(copiedPlanes.count), CInt(size.width), CInt(size.height), metadata.segments,
              metadata.segments.count, max(0, maxByteCount), &count)
          }
        }
      }
    }
    guard let bytes else { return nil }
    metadata.density.write(to: bytes)
    return SharedBytes(adopting: .init(start: bytes, count: count)) { free($0) }
  }

  private func withComponents<Result>(
    _ requantizers: UnsafePointer<LeaflogRequantizer>?, _ luma: UnsafePointer<UInt8>?,
    _ chroma: UnsafePointer<UInt8>?, _ body: ([LeaflogComponent]) -> Result
  ) -> Result {
    // A single array for all, as the pointers have to stay valid.
    let rows = copiedPlanes.flatMap(\.rows)
    return rows.withUnsafeBufferPointer { rows in
      var start = 0
      let components = copiedPlanes.enumerated().map { index, plane in
        defer { start += plane.height }
        let factor: CInt = copiedPlanes.count == 3 && index == 0 ? 2 : 1
        return LeaflogComponent(
          rows: rows.baseAddress.map { $0 + start }, width_in_blocks: CInt(plane.width),
          height_in_blocks: CInt(plane.height), across: factor, down: factor,
          requantizer: requantizers.map { $0 + index }, steps: index == 0 ? luma : chroma)
      }
      return body(components)
    }
  }
}

extension JPEGCoefficients {
  /// The picture at `blockSide` / 8 of its size, rounded up: 8-bit, grey or RGB.
  ///
  /// Each block becomes the inverse transform of its low frequencies alone, which is what a good filter
  /// would leave of it.
  ///
  /// - Parameter blockSide: 1, 2, 4 or 8.
  func picture(blockSide: Int) throws(ImagingError) -> VipsPicture {
    let small = PixelSize(
      width: (size.width * blockSide + 7) / 8, height: (size.height * blockSide + 7) / 8)
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: small.pixelCount * planes.count)
    defer { pixels.deallocate() }
    let parts = planes.map { DecodedPlane($0, blockSide: blockSide, of: small) }
    DecodedPlane.pixels(parts, x: 0, y: 0, size: small, into: pixels)
    return try Vips.image {
      leaflog_from_memory(
        pixels, small.pixelCount * planes.count, CInt(small.width), CInt(small.height),
        CInt(planes.count))
    }
  }
}

/// A JPEG's frame header (ITU-T T.81, B.2.2), as far as it determines the memory for its coefficients.
struct JPEGFrame {
  let size: PixelSize
  let isProgressive: Bool
  /// Sampling factors.
  let components: [(across: Int, down: Int)]

  /// The frame of a file that may be an ordinary one: Huffman-coded, 8 bits, grey or with three components
  /// of which the first may have twice the samples of the others in each direction. Nil for all others.
  init?(_ jpeg: SharedBytes) {
    guard let frame = jpeg.withUnsafeBytes({ Self.header($0) }) else { return nil }
    self = frame
  }

  private init?(marker: UInt8, _ payload: ArraySlice<UInt8>) {
    let bytes = Array(payload)
    guard (0xC0...0xC2).contains(marker), bytes.count >= 6, bytes[0] == 8 else { return nil }
    let count = Int(bytes[5])
    guard [1, 3].contains(count), bytes.count == 6 + 3 * count else { return nil }
    size = PixelSize(
      width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    isProgressive = marker == 0xC2
    let factors = stride(from: 7, to: bytes.count, by: 3).map { at in
      (across: Int(bytes[at] >> 4), down: Int(bytes[at] & 15))
    }
    // The factors of a single component have no meaning.
    components = count == 1 ? [(1, 1)] : factors
    guard size.width > 0, size.height > 0 else { return nil }
    let luma = components[0]
    guard (1...2).contains(luma.across), (1...2).contains(luma.down),
      components.dropFirst().allSatisfy({ $0 == (1, 1) })
    else { return nil }
  }

  private static func header(_ bytes: UnsafeRawBufferPointer) -> JPEGFrame? {
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      guard end >= at + 4, end <= bytes.count, marker != 0xDA else { return nil }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return JPEGFrame(marker: marker, Array(bytes[(at + 4)..<end])[...])
      }
      at = end
    }
    return nil
  }

  /// The number of blocks of each component, padded to whole MCUs (T.81, A.2.4).
  var blockCounts: [(across: Int, down: Int)] {
    let (across, down) = (components[0].across, components[0].down)
    let columns = (size.width + 8 * across - 1) / (8 * across)
    let rows = (size.height + 8 * down - 1) / (8 * down)
    return components.map { (columns * $0.across, rows * $0.down) }
  }

  /// Whether chroma has to be halved for a copy.
  var halvesHeight: Bool { components.count == 3 && components[0].down == 1 }
  var halvesWidth: Bool { components.count == 3 && components[0].across == 1 }

  /// The memory for working on the coefficients: two bytes for each, including those of halved chroma, and
  /// some for samples and rows.
  var byteCount: Int {
    let counts = blockCounts
    let blocks = counts.reduce(0) { $0 + $1.across * $1.down }
    let halved =
      halvesWidth || halvesHeight
      ? 2 * counts[1].across * counts[1].down / (halvesWidth && halvesHeight ? 4 : 2) : 0
    return 128 * (blocks + halved) + 16 * counts[0].across + 8_000_000
  }
}
