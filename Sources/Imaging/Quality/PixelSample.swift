internal import CVips
internal import DiaryModel

/// Tiles of a picture on which a quality is tried by encoding and decoding them.
struct PixelSample: QualitySample {
  private let sample: VipsPicture
  private let tileShape: TileShape
  private let references: [SSIMULACRA2.Reference]

  init(_ picture: VipsPicture) throws {
    let tiles = SampleTiles(of: PixelSize(width: picture.width, height: picture.height))
    let size = tiles.size
    let (rowByteCount, bandCount) = (picture.width * picture.bandCount, picture.bandCount)
    sample = try picture.withSamples { samples in
      let lineByteCount = size.width * bandCount
      var pixels = [UInt8](repeating: 0, count: lineByteCount * size.height * tiles.places.count)
      pixels.withUnsafeMutableBytes { target in
        for (index, tile) in tiles.places.enumerated() {
          for y in 0..<size.height {
            let from = (tile.y + y) * rowByteCount + tile.x * bandCount
            let to = (index * size.height + y) * lineByteCount
            UnsafeMutableRawBufferPointer(rebasing: target[to..<(to + lineByteCount)])
              .copyMemory(from: .init(rebasing: samples[from..<(from + lineByteCount)]))
          }
        }
      }
      let height = size.height * tiles.places.count
      return try Vips.image {
        leaflog_from_memory(
          pixels, pixels.count, CInt(size.width), CInt(height), CInt(bandCount))
      }
    }
    tileShape = TileShape(width: size.width, height: size.height, bandCount: bandCount)
    references = try sample.withSamples { [tileShape] samples in
      var references: [SSIMULACRA2.Reference] = []
      tileShape.forEachTile(of: samples) { references.append(SSIMULACRA2.Reference($1)) }
      return references
    }
  }

  /// Tiles that were cut out have more border than the whole picture.
  static let bias = 0.77

  var isWhole: Bool { references.count == 1 }

  func score(_ quality: JPEGQuality) throws -> Double {
    let encoded = try JPEGEncoder.encode(sample, quality, recipe: "trial")
    let decoded = try PhotoFile.load(encoded.bytes, .jpeg, failOn: VIPS_FAIL_ON_ERROR).inMemory()
    let pixels = try sample.withSamples { source in
      try decoded.withSamples { TileEdges.mended(Array($0), source: source, tile: tileShape) }
    }
    var sums = SSIMULACRA2.Sums()
    pixels.withUnsafeBytes {
      tileShape.forEachTile(of: $0) { references[$0].compare($1, addingTo: &sums) }
    }
    return SSIMULACRA2.score(sums)
  }
}

/// The positions of the tiles that represent a picture.
///
/// There are 48 tiles of 64 px, spread evenly with a little disorder and aligned to JPEG's 16 px blocks, so
/// that they are quantised exactly as in the whole; a small picture is its own sample. The manual has
/// measurements of how well the sample's score represents that of the whole.
struct SampleTiles {
  static let tileSide = 64
  /// The number of tiles for a photo.
  static let tileCount = 48

  /// In pixels.
  let places: [(x: Int, y: Int)]
  let size: PixelSize

  /// One tile in each cell of a grid, at a position chosen by a low-discrepancy sequence (the plastic
  /// number's, Martin Roberts 2018), so that no pattern in the photo coincides with a pattern in the grid.
  ///
  /// A picture with hardly more pixels than `count` tiles is taken whole.
  init(of picture: PixelSize, count: Int = tileCount) {
    let (width, height) = (picture.width, picture.height)
    if picture.pixelCount <= count * Self.tileSide * Self.tileSide * 4 / 3 {
      (places, size) = ([(0, 0)], picture)
      return
    }
    let size = PixelSize(width: min(Self.tileSide, width), height: min(Self.tileSide, height))
    let ideal = (Double(count) * Double(width) / Double(height)).squareRoot()
    let columns = min(max(1, Int(ideal.rounded())), max(1, width / size.width))
    let rows = min(max(1, count / columns), max(1, height / size.height))
    self.size = size
    places = (0..<(columns * rows)).map { index -> (x: Int, y: Int) in
      let (column, row) = (index % columns, index / columns)
      func place(_ cell: Int, of count: Int, in extent: Int, tile: Int, _ fraction: Double) -> Int {
        let start = extent * cell / count
        let room = max(0, extent / count - tile)
        return min((start + Int(fraction * Double(room))) & ~15, (extent - tile) & ~15)
      }
      let shift = (Double(index) + 0.5) * 0.754_877_666_246_692_7
      let drop = (Double(index) + 0.5) * 0.569_840_290_998_053_3
      return (
        place(column, of: columns, in: width, tile: size.width, shift - shift.rounded(.down)),
        place(row, of: rows, in: height, tile: size.height, drop - drop.rounded(.down))
      )
    }
  }
}
