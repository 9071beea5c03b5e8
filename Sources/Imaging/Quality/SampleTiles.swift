internal import DiaryModel

/// The positions of the tiles that represent a picture.
///
/// There are 48 tiles of 64 px, spread evenly with a little disorder and aligned to JPEG's 16 px blocks, so
/// that they are quantised exactly as in the whole; a small picture is its own sample. The manual has
/// measurements of how well the sample's score represents that of the whole.
struct SampleTiles {
  static let tileSide = 64
  /// The number of tiles for a photo.
  static let tileCount = 48

  struct Place {
    /// In pixels.
    let x: Int
    let y: Int
    /// The area that the tile stands for, in any unit.
    var weight = 1.0
  }

  let places: [Place]
  /// That of each tile.
  let size: PixelSize

  /// Whether the picture is its own sample.
  var isWhole: Bool { places.count == 1 }

  private init(_ places: [Place], _ size: PixelSize) {
    (self.places, self.size) = (places, size)
  }

  /// One tile in each cell of a grid, at a position chosen by a low-discrepancy sequence (the plastic
  /// number's, Martin Roberts 2018), so that no pattern in the photo coincides with a pattern in the grid.
  ///
  /// A picture with hardly more pixels than `count` tiles is taken whole.
  init(of picture: PixelSize, count: Int = tileCount) {
    let (width, height) = (picture.width, picture.height)
    if picture.pixelCount <= count * Self.tileSide * Self.tileSide * 4 / 3 {
      self.init([Place(x: 0, y: 0)], picture)
      return
    }
    let size = PixelSize(width: min(Self.tileSide, width), height: min(Self.tileSide, height))
    let ideal = (Double(count) * Double(width) / Double(height)).squareRoot()
    let columns = min(max(1, Int(ideal.rounded())), max(1, width / size.width))
    let rows = min(max(1, count / columns), max(1, height / size.height))
    let places = (0..<(columns * rows)).map { index -> Place in
      let (column, row) = (index % columns, index / columns)
      func place(_ cell: Int, of count: Int, in extent: Int, tile: Int, _ fraction: Double) -> Int {
        let start = extent * cell / count
        let room = max(0, extent / count - tile)
        return min((start + Int(fraction * Double(room))) & ~15, (extent - tile) & ~15)
      }
      let shift = (Double(index) + 0.5) * 0.754_877_666_246_692_7
      let drop = (Double(index) + 0.5) * 0.569_840_290_998_053_3
      return Place(
        x: place(column, of: columns, in: width, tile: size.width, shift - shift.rounded(.down)),
        y: place(row, of: rows, in: height, tile: size.height, drop - drop.rounded(.down)))
    }
    self.init(places, size)
  }
}

extension SampleTiles {
  /// The most tiles that are laid on detail.
  private static let detailTileCount = 16

  /// The tiles for a picture with this detail: these, unless it lies in so few places that they hardly meet it,
  /// as that of a small plant before a smooth wall.
  ///
  /// In that case, the busiest cells are taken out of the picture until the tiles represent the rest, and get a
  /// few tiles of their own. Each of those stands for as many cells as make up its share of the
  /// detail, the busiest for one. Tiles that meet one of the cells are left out.
  ///
  /// - Parameter picture: the size of the picture.
  func following(_ detail: DetailMap, of picture: PixelSize) -> SampleTiles {
    var rest = UnmetDetail(places, detail)
    let busiest = rest.takeBusiest()
    if busiest.isEmpty { return self }
    let weight = Double(rest.cellCount) / Double(rest.places.count)
    let others = rest.places.map { Place(x: $0.x, y: $0.y, weight: weight) }
    let laid = Self.groups(of: busiest.map { detail.cells[$0] }).map { group in
      let place = detail.place(of: busiest[(group.lowerBound + group.upperBound) / 2])
      return Place(
        x: min(place.x, (picture.width - size.width) & ~15),
        y: min(place.y, (picture.height - size.height) & ~15), weight: Double(group.count))
    }
    return SampleTiles(others + laid, size)
  }

  /// Whether tiles were laid on detail.
  var followDetail: Bool { places.contains { $0.weight != 1 } }

  /// How much lower a sample with tiles on detail scores than its photo. Smooth ground differs mostly between
  /// one block and the next, which a tile does not see at its own border, so the sample scores higher: measured
  /// on some 25 drawn subjects, mostly by 0 to 1.2, at most 2.6. The correction is on the safe side.
  static let detailBias = -1.6

  /// Divides cells into groups with about the same detail.
  ///
  /// - Parameter detail: that of each cell, the greatest first.
  private static func groups(of detail: [UInt32]) -> [Range<Int>] {
    let share = detail.reduce(0) { $0 + Double($1) } / Double(min(detailTileCount, detail.count))
    var groups: [Range<Int>] = []
    var (start, sum) = (0, 0.0)
    for (index, value) in detail.enumerated() {
      sum += Double(value)
      if sum >= share * Double(groups.count + 1) || index == detail.count - 1 {
        groups.append(start..<(index + 1))
        start = index + 1
      }
    }
    return groups
  }
}

/// A picture's detail, out of which the busiest cells are taken, and the tiles that represent the rest.
private struct UnmetDetail {
  private struct Meeting {
    let place: SampleTiles.Place
    let cells: [Int]
    let detail: Double
  }

  private let cells: [UInt32]
  private var meetings: [Meeting]
  private(set) var cellCount: Int
  /// The sums of the detail of all cells left, of its squares, and of that of the tiles.
  private var sum: Double
  private var squares: Double
  private var met: Double

  init(_ places: [SampleTiles.Place], _ detail: DetailMap) {
    cells = detail.cells
    cellCount = cells.count
    meetings = places.map { place in
      let parts = detail.parts(of: place)
      return Meeting(
        place: place, cells: parts.map(\.cell),
        detail: parts.reduce(0) { $0 + $1.part * Double(detail.cells[$1.cell]) })
    }
    sum = cells.reduce(0) { $0 + Double($1) }
    squares = cells.reduce(0) { $0 + Double($1) * Double($1) }
    met = meetings.reduce(0) { $0 + $1.detail }
  }

  var places: [SampleTiles.Place] { meetings.map(\.place) }

  /// Whether the tiles represent the detail: it is spread over as many cells as at least three of them stand for,
  /// and they meet three quarters of their share.
  private var isRepresented: Bool {
    if sum == 0 { return true }
    let coverage = Double(meetings.count) / Double(cellCount)
    // As many cells would hold all of it if each held the same.
    let spread = sum * sum / squares
    return spread * coverage >= 3 && met >= 0.75 * sum * coverage
  }

  /// Takes out the busiest cells, the busiest first, until the tiles represent what is left, or hardly any is.
  mutating func takeBusiest() -> [Int] {
    let (negligible, leastTileCount) = (sum / 100, meetings.count / 2)
    if isRepresented { return [] }
    var taken: [Int] = []
    for cell in cells.indices.sorted(by: { cells[$0] > cells[$1] }).prefix(cellCount / 2) {
      take(cell)
      taken.append(cell)
      if sum <= negligible || meetings.count <= leastTileCount || isRepresented { break }
    }
    return taken
  }

  private mutating func take(_ cell: Int) {
    let value = Double(cells[cell])
    cellCount -= 1
    sum -= value
    squares -= value * value
    meetings.removeAll { $0.cells.contains(cell) }
    met = meetings.reduce(0) { $0 + $1.detail }
  }
}
