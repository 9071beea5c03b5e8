internal import DiaryCatalog
internal import Imaging

/// The number of photos of each plant to keep per span of time.
public struct Thinning: Sendable, Hashable {
  /// At least 1.
  public let count: Int
  /// The span of time.
  public let unit: BucketUnit

  /// Keeps `count` photos per span, but at least 1.
  public init(count: Int, per unit: BucketUnit) {
    self.count = max(1, count)
    self.unit = unit
  }
}

extension Pruner {
  /// The photos that thinning would put into the trash: for each plant and span, all but the sharpest,
  /// oldest first. Photos without a plant stay, as do those with notes or tags, favourites, and those whose
  /// thumbnail is lost.
  ///
  /// Sharpness is the variance of the thumbnail's Laplacian (Pech-Pacheco et al., "Diatom autofocusing in
  /// brightfield microscopy", 2000).
  func photosToThin(_ thinning: Thinning) throws -> [Entry] {
    try library.catalog.read { try $0.plants.all() }.flatMap { try photosToThin($0.id, thinning) }
  }

  private func photosToThin(_ plant: PlantID, _ thinning: Thinning) throws -> [Entry] {
    let measured = try library.catalog.read { try $0.photos.sharpness(of: plant) }
    var spans: [String: [Entry]] = [:]
    var order: [String] = []
    let query = TimelineQuery(plant: plant, kinds: [.photo])
    for entry in try library.catalog.read({ try $0.entries.all(.matching(query)) }) {
      let span = thinning.unit.bucketName(of: entry.time.localDay)
      if spans[span] == nil { order.append(span) }
      spans[span, default: []].append(entry)
    }
    return try order.flatMap { span -> [Entry] in
      let entries = spans[span] ?? []
      guard entries.count > thinning.count else { return [] }
      let ranked = try entries.map { ($0, try rank($0, measured[$0.id])) }.sorted { $0.1 > $1.1 }
      let kept = Set(ranked.prefix(thinning.count).map(\.0.id))
      return ranked.filter { !kept.contains($0.0.id) && $0.1 < .infinity }.map(\.0)
        .sorted { $0.time.instant < $1.time.instant }
    }
  }

  /// The sharpness of a photo; infinite for one with notes or tags and for a favourite, which are never thinned.
  ///
  /// - Parameter measured: what the import has measured.
  private func rank(
    _ entry: Entry, _ measured: (value: Double, thumbnail: BlobID)?
  ) throws -> Double {
    guard entry.notes == nil, entry.tags.isEmpty, entry.photo?.isFavourite != true else {
      return .infinity
    }
    if let measured {
      return try library.blobs.byteCount(of: measured.thumbnail) == nil ? .infinity : measured.value
    }
    let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
    guard let thumbnail = photo.renditions.first(where: { $0.role == .thumbnail }),
      let file = try? library.photos.file(thumbnail)
    else { return .infinity }
    return try withImagingThread {
      try PhotoFile(bytes: file.bytes, format: file.format).decode().sharpness()
    }
  }
}
