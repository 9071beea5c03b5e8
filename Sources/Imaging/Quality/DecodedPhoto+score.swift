package import DiaryModel

extension DecodedPhoto {
  /// How similar a copy of the same size is to this photo: SSIMULACRA2 over all pixels. It takes a second
  /// for ten megapixels; the quality search uses samples instead.
  package func score(of copy: DecodedPhoto) throws -> Double {
    func withTile(of picture: VipsPicture, _ body: (TilePyramid) -> Void) throws {
      let shape = TileShape(
        width: picture.width, height: picture.height, bandCount: picture.bandCount)
      try picture.withSamples { shape.forEachTile(of: $0) { body($1) } }
    }
    precondition(copy.size == size, "pictures of different sizes")
    var reference: SSIMULACRA2.Reference?
    try withTile(of: picture) { reference = SSIMULACRA2.Reference($0) }
    var sums = SSIMULACRA2.Sums()
    try withTile(of: copy.picture) { reference?.compare($0, addingTo: &sums) }
    return SSIMULACRA2.score(sums)
  }

  /// The sharpness of a small 8-bit picture: the variance of the Laplacian of its first band.
  package func sharpness() throws -> Double {
    let (width, height, bands) = (picture.width, picture.height, picture.bandCount)
    guard width > 2, height > 2 else { return 0 }
    return try picture.withSamples { samples in
      let band = (0..<(width * height)).map { Int32(samples[$0 * bands]) }
      var (sum, squares) = (0, 0)
      band.withUnsafeBufferPointer { band in
        for y in 1..<(height - 1) {
          // 32 bits hold the sum of 1024 squares of at most 1020.
          for first in stride(from: 1, to: width - 1, by: 1024) {
            var (rowSum, rowSquares): (Int32, Int32) = (0, 0)
            for at in (y * width + first)..<(y * width + min(first + 1024, width - 1)) {
              let laplacian =
                4 &* band[at] &- band[at - 1] &- band[at + 1] &- band[at - width]
                &- band[at + width]
              rowSum &+= laplacian
              rowSquares &+= laplacian &* laplacian
            }
            sum += Int(rowSum)
            squares += Int(rowSquares)
          }
        }
      }
      let count = Double((width - 2) * (height - 2))
      let mean = Double(sum) / count
      return Double(squares) / count - mean * mean
    }
  }

  /// The 8-bit samples of one pixel.
  package func pixel(x: Int, y: Int) throws -> [UInt8] {
    try picture.withSamples { samples in
      let start = (y * picture.width + x) * picture.bandCount
      return Array(samples[start..<(start + picture.bandCount)])
    }
  }

  /// The mean absolute difference of all samples from those of a picture of the same shape.
  package func meanDifference(from other: DecodedPhoto) throws -> Double {
    try picture.withSamples { samples in
      try other.picture.withSamples { others in
        precondition(samples.count == others.count, "pictures of different shapes")
        var sum = 0
        for (a, b) in zip(samples, others) { sum += abs(Int(a) - Int(b)) }
        return Double(sum) / Double(max(1, samples.count))
      }
    }
  }

  /// The size as decoded.
  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}
