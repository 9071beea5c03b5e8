internal import DiaryModel

/// Of its own file, as only comparing thumbnails needs it, not making them.
extension DecodedPhoto {
  /// The side of the squares whose mean colours are compared: what compression changes evens out in them.
  private static let cellSide = 16
  /// The greatest difference of a mean, of 255, that compression leaves: it left 5 in photos, and Adobe RGB that was taken
  /// for sRGB differs by 20.
  private static let greatestNoise = 8.0

  /// Whether another upright picture of 8 bits shows the same, apart from what compression changes: wherever one looks,
  /// colours are nearly the same.
  package func isLike(_ other: DecodedPhoto) throws -> Bool {
    guard size == other.size else { return false }
    let (means, others) = try (cellMeans(), other.cellMeans())
    return zip(means, others).allSatisfy { abs($0 - $1) <= Self.greatestNoise }
  }

  /// The mean red, green and blue of each square. A grey picture has the same in all three.
  private func cellMeans() throws -> [Double] {
    let (width, height, bands) = (picture.width, picture.height, picture.bandCount)
    let columns = (width + Self.cellSide - 1) / Self.cellSide
    let rows = (height + Self.cellSide - 1) / Self.cellSide
    var sums = [Int](repeating: 0, count: 3 * columns * rows)
    var counts = [Int](repeating: 0, count: columns * rows)
    try picture.withSamples { samples in
      for y in 0..<height {
        for x in 0..<width {
          let cell = y / Self.cellSide * columns + x / Self.cellSide
          let at = (y * width + x) * bands
          for band in 0..<3 { sums[3 * cell + band] += Int(samples[at + (bands < 3 ? 0 : band)]) }
          counts[cell] += 1
        }
      }
    }
    return sums.indices.map { Double(sums[$0]) / Double(counts[$0 / 3]) }
  }
}
