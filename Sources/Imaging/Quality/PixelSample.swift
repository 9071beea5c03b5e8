internal import CVips
internal import DiaryModel

/// Tiles of a picture on which a quality is tried by encoding and decoding them.
struct PixelSample: QualitySample {
  private let sample: VipsPicture
  private let tileShape: TileShape
  private let references: [SSIMULACRA2.Reference]
  private let weights: [Double]
  private let followDetail: Bool

  init(_ picture: VipsPicture) throws {
    let whole = PixelSize(width: picture.width, height: picture.height)
    let spread = SampleTiles(of: whole)
    let sampleTiles =
      spread.isWhole ? spread : spread.following(try DetailMap(of: picture), of: whole)
    let (tiles, size) = (sampleTiles.places, sampleTiles.size)
    let (rowByteCount, bandCount) = (picture.width * picture.bandCount, picture.bandCount)
    sample = try picture.withSamples { samples in
      let lineByteCount = size.width * bandCount
      var pixels = [UInt8](repeating: 0, count: lineByteCount * size.height * tiles.count)
      pixels.withUnsafeMutableBytes { target in
        for (index, tile) in tiles.enumerated() {
          for y in 0..<size.height {
            let from = (tile.y + y) * rowByteCount + tile.x * bandCount
            let to = (index * size.height + y) * lineByteCount
            UnsafeMutableRawBufferPointer(rebasing: target[to..<(to + lineByteCount)])
              .copyMemory(from: .init(rebasing: samples[from..<(from + lineByteCount)]))
          }
        }
      }
      let height = size.height * tiles.count
      return try Vips.image {
        leaflog_from_memory(
          pixels, pixels.count, CInt(size.width), CInt(height), CInt(bandCount))
      }
    }
    weights = tiles.map(\.weight)
    followDetail = sampleTiles.followDetail
    tileShape = TileShape(width: size.width, height: size.height, bandCount: bandCount)
    references = try sample.withSamples { [tileShape] samples in
      var references: [SSIMULACRA2.Reference] = []
      tileShape.forEachTile(of: samples) { references.append(SSIMULACRA2.Reference($1)) }
      return references
    }
  }

  /// Tiles that were cut out have more border than the whole picture.
  var bias: Double { followDetail ? SampleTiles.detailBias : 0.77 }

  var isWhole: Bool { references.count == 1 }

  func score(_ quality: JPEGQuality) throws -> Double {
    let encoded = try JPEGEncoder.encode(sample, quality, recipe: "trial")
    let decoded = try PhotoFile.load(encoded.bytes, .jpeg, failOn: VIPS_FAIL_ON_ERROR).inMemory()
    let pixels = try sample.withSamples { source in
      try decoded.withSamples { TileEdges.mended(Array($0), source: source, tile: tileShape) }
    }
    var sums = SSIMULACRA2.Sums()
    pixels.withUnsafeBytes {
      tileShape.forEachTile(of: $0) {
        references[$0].compare($1, weight: weights[$0], addingTo: &sums)
      }
    }
    return SSIMULACRA2.score(sums)
  }
}
