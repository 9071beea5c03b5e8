internal import CCoefficients

/// Chroma at half its resolution, computed from its blocks alone.
enum ChromaHalving {
  /// The planes with chroma halved in each direction in which it has as many samples as luma, and the
  /// memory of the new blocks, which the caller frees; nil when there is nothing to halve.
  static func halved(
    _ planes: [BlockPlane], _ frame: JPEGFrame
  ) -> (planes: [BlockPlane], memory: UnsafeMutableBufferPointer<LeaflogBlock>)? {
    let (width, height) = (frame.halvesWidth, frame.halvesHeight)
    guard width || height else { return nil }
    let columns = width ? (planes[1].width + 1) / 2 : planes[1].width
    let rows = height ? (planes[1].height + 1) / 2 : planes[1].height
    let memory = UnsafeMutableBufferPointer<LeaflogBlock>.allocate(capacity: 2 * columns * rows)
    guard let start = memory.baseAddress else { return nil }
    let chroma = planes.dropFirst().enumerated().map { index, plane in
      let targets = (0..<rows).map { start + (index * rows + $0) * columns }
      for (y, target) in targets.enumerated() {
        let upper = height ? 2 * y : y
        // Beyond the edge of the picture, the last row of blocks is repeated.
        let lower = min(height ? 2 * y + 1 : y, plane.height - 1)
        leaflog_halve(
          plane.rows[upper], plane.rows[lower], plane.width, plane.steps, height ? 1 : 0,
          width ? 1 : 0, target)
      }
      return BlockPlane(
        rows: targets.map { UnsafePointer($0) }, width: columns, height: rows, across: 2, down: 2,
        steps: Array(repeating: LEAFLOG_FINE_STEP, count: 64))
    }
    return ([planes[0]] + chroma, memory)
  }
}
