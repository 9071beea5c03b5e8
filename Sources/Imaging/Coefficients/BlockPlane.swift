internal import CCoefficients

/// The blocks of one component of a JPEG: coefficients in natural order, quantised by `steps`. The owner
/// of a plane keeps the memory that it points to.
struct BlockPlane {
  /// One pointer for each row of blocks.
  let rows: [UnsafePointer<LeaflogBlock>?]
  /// In blocks.
  let width: Int
  let height: Int
  /// The width and height of a sample in the picture's pixels, 1 or 2.
  let across: Int
  let down: Int
  let steps: [Float]
}
