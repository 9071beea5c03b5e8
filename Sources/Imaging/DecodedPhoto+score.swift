package import DiaryModel

extension DecodedPhoto {
  /// How much a copy of the same size looks like this photo: SSIMULACRA2 over every pixel. Takes a
  /// second for ten megapixels; the quality search samples instead.
  package func score(of copy: DecodedPhoto) throws -> Double {
    func tile(_ picture: VipsPicture) throws -> RGBTile {
      try picture.withSamples {
        RGBTile(
          $0, rowByteCount: picture.width * picture.bandCount, bandCount: picture.bandCount,
          width: picture.width, height: picture.height)
      }
    }
    return SSIMULACRA2.score(
      SSIMULACRA2.Reference(try tile(picture)).sums(comparing: try tile(copy.picture)))
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

  /// As decoded.
  package var size: PixelSize { PixelSize(width: picture.width, height: picture.height) }
}
