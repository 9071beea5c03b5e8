/// The limits of photos that Leaflog accepts, which bound the memory that a file can cost.
package struct ImageLimits: Sendable {
  /// 16 384 × 16 384, more than any camera has.
  package var maxPixelCount = 268_435_456
  /// Progressive JPEG is decoded from a copy of all its coefficients, two bytes each.
  package var maxProgressiveByteCount = 200_000_000
  /// A progressive JPEG that would take more than this from its coefficients to its compressed copy
  /// is not decoded at full size: it keeps its exact bytes, and its thumbnail comes from an eighth
  /// of the resolution.
  package var maxProgressiveWorkingByteCount = 220_000_000
  /// Other photos that would take more than this, the file included, are treated alike when their
  /// decoder works row by row, and refused otherwise.
  package var maxWorkingByteCount = 440_000_000
  /// The memory that a photo may take that is decoded at reduced size, its file included.
  package var maxReducedByteCount = 530_000_000

  package init() {}

  /// Limits that leave room for files of that size.
  package init(fileByteCount: Int) {
    maxReducedByteCount = max(maxReducedByteCount, fileByteCount + 30_000_000)
  }
}
