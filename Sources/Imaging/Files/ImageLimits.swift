/// The limits of photos that Leaflog accepts, which bound the memory that a file can take.
package struct ImageLimits: Sendable {
  /// 16 384 × 16 384, more than any camera has.
  package var maxPixelCount = 268_435_456
  /// Progressive JPEG is decoded from a copy of all its coefficients, two bytes each.
  package var maxProgressiveByteCount = 200_000_000
  /// The memory limit for a progressive JPEG, from its coefficients to its compressed copy. One that
  /// would take more is not decoded at full size: it keeps its exact bytes, and its thumbnail comes from
  /// an eighth of the resolution.
  package var maxProgressiveWorkingByteCount = 220_000_000
  /// The memory limit for other photos, including the file. Those that would take more are treated alike
  /// if their decoder works row by row, and rejected otherwise.
  package var maxWorkingByteCount = 440_000_000
  /// The memory limit for a photo that is decoded at reduced size, including its file.
  package var maxReducedByteCount = 530_000_000

  package init() {}

  /// Limits that leave room for a file of a given size.
  package init(fileByteCount: Int) {
    maxReducedByteCount = max(maxReducedByteCount, fileByteCount + 30_000_000)
  }
}
