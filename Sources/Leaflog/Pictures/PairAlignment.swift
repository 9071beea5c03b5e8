internal import Imaging

/// The alignment of two photos with each other.
///
/// If the two have too little in common, because months of growth lie between them, the photos of the
/// plant from those months lead from one to the other, as in a time-lapse.
struct PairAlignment {
  private(set) var first = FrameAlignment.identity
  private(set) var second = FrameAlignment.identity

  var isMatched: Bool { first.isMatched && second.isMatched }

  /// The maximum number of photos used in between; more are not needed.
  private static let maxStepCount = 128

  init(
    _ library: Library, _ first: Photo, _ firstPicture: DecodedPhoto, _ second: Photo,
    _ secondPicture: DecodedPhoto
  ) throws {
    let ends = try [firstPicture, secondPicture].map {
      try $0.frame(side: DecodedPhoto.thumbnailSide)
    }
    let isInOrder = first.entry.time.place <= second.entry.time.place
    let (earlier, later) = isInOrder ? (first, second) : (second, first)
    var steps: [EntryID] = []
    while true {
      var aligner = FrameAligner()
      try aligner.add(ends[isInOrder ? 0 : 1])
      for id in steps { try aligner.add(library.photos.alignmentThumbnail(of: id)) }
      try aligner.add(ends[isInOrder ? 1 : 0])
      if let (start, end) = aligner.alignments(of: 0, steps.count + 1) {
        (self.first, self.second) = isInOrder ? (start, end) : (end, start)
        // Exposures stay as they are, as the photos are to be compared.
        (self.first.exposure, self.second.exposure) = (.identity, .identity)
        return
      }
      guard steps.isEmpty else { return }
      steps = try Self.steps(from: earlier.entry, to: later.entry, library)
      if steps.isEmpty { return }
    }
  }

  /// The photos of the same plant between two, evenly chosen.
  private static func steps(
    from first: Entry, to last: Entry, _ library: Library
  ) throws -> [EntryID] {
    guard let plant = first.plant, plant == last.plant else { return [] }
    let between = try TimeLapsePlan.frames(
      of: plant.id, from: first.time.localDay, to: last.time.localDay, library.catalog
    ).filter {
      $0.id != first.id && $0.id != last.id
        && first.time.place <= $0.time.place && $0.time.place <= last.time.place
    }
    let count = min(between.count, maxStepCount)
    return (0..<count).map { between[$0 * between.count / count].id }
  }
}
