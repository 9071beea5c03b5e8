internal import CCoefficients

/// The blocks of one component of a JPEG: coefficients in natural order, quantised by `steps`. Whoever
/// has one keeps what it points to.
struct BlockPlane {
  /// One pointer for each row of blocks.
  let rows: [UnsafePointer<LeaflogBlock>?]
  /// In blocks.
  let width: Int
  let height: Int
  /// How many of the picture's pixels a sample is wide and high, 1 or 2.
  let across: Int
  let down: Int
  let steps: [Float]
}
