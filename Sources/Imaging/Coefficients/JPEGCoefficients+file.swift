internal import CCoefficients
internal import DiaryModel
internal import Foundation

extension JPEGCoefficients {
  /// The copy with coarser steps and halved chroma, as a baseline JPEG; nil when it would exceed
  /// `maxByteCount`.
  func file(_ quality: JPEGQuality, metadata: JPEGMetadata, maxByteCount: Int) -> ByteBuffer? {
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
    return ByteBuffer(adopting: .init(start: bytes, count: count)) { free($0) }
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
