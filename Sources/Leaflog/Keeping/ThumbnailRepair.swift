internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging

/// The photos whose thumbnails to make again.
public struct ThumbnailRequest: Sendable {
  /// The plant whose photos to take; nil takes all photos.
  public var plant: PlantID?
  /// The number of photos to process at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount

  /// Creates a request for all photos.
  public init() {}
}

/// The outcome of one photo's thumbnail.
public struct ThumbnailOutcome: Sendable {
  /// The result for a photo.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// The thumbnail, or something that goes with it, came out otherwise and was replaced.
    case replaced
    /// It came out as it was.
    case unchanged
    /// It could not be made again, and stays as it is; the sentence says why.
    case failed(String)
  }

  /// The photo.
  public let photo: EntryID
  /// Its plant; nil if it has none, or if that cannot be read.
  public let plant: PlantReference?
  /// Its result.
  public let result: Result
}

/// The result of making thumbnails again.
public struct ThumbnailSummary: Sendable, Hashable {
  /// Whether the task was cancelled before all photos had their turn.
  public internal(set) var isInterrupted = false
}

/// Makes the thumbnails of photos again from the best bytes there are, with the size, the placeholder and the sharpness,
/// and replaces those that come out otherwise: an earlier version may have decoded their photos wrongly.
///
/// All replacements are one change. The new thumbnails are durable before any row refers to them, and the former ones are
/// condemned and not unlinked, so that the run can be undone until `prune` unlinks them. To complete an interrupted run,
/// run it again.
public struct ThumbnailRepair: Sendable {
  let library: Library
  private let history = QualityHistory()

  /// Creates a repair. `library` must be open for writing.
  public init(_ library: Library) { self.library = library }

  /// The number of bytes that may wait to be written, so that thumbnails share fsyncs.
  private static let maxPendingByteCount = 8 << 20
  private static let pageLimit = 500

  /// Makes the thumbnails, and reports each photo once, even those in the trash. Cancelling the task ends it after the
  /// photos in progress.
  ///
  /// - Throws: `LeaflogError` with code `readOnly` when the library is open for reading.
  @discardableResult
  public func run(
    _ request: ThumbnailRequest, report: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) async throws(LeaflogError) -> ThumbnailSummary {
    try library.checkWritable()
    do {
      return try await Library.work { try await work(request, report) }
    } catch { throw LeaflogError(error) }
  }

  private enum Step: Sendable {
    case settled(ThumbnailOutcome)
    case prepared(Prepared)
    /// A prune has removed the photo meanwhile.
    case gone
  }

  /// A photo's new thumbnail, not written yet.
  private struct Prepared: Sendable {
    let plant: PlantReference?
    let replacement: AppearanceReplacement
    /// Nil if the thumbnail is a blob that the photo has.
    let blob: PendingBlob?
    /// The blob from which it was made, as previews are.
    let best: BlobID

    func outcome(_ result: ThumbnailOutcome.Result) -> ThumbnailOutcome {
      ThumbnailOutcome(photo: replacement.photo, plant: plant, result: result)
    }
  }

  private func work(
    _ request: ThumbnailRequest, _ report: @Sendable (ThumbnailOutcome) -> Void
  ) async throws -> ThumbnailSummary {
    var summary = ThumbnailSummary()
    let now = library.clock.now
    let memory = MemoryBudget.ofProcess
    let run = OpenChange(.repairThumbnails)
    var pending: [Prepared] = []
    var page: ArraySlice<(row: Int64, id: EntryID)> = []
    var last: Int64 = 0
    func next() throws -> EntryID? {
      if page.isEmpty {
        page = try library.catalog.read {
          try $0.photos.all(of: request.plant, after: last, limit: Self.pageLimit)
        }[...]
      }
      guard let photo = page.popFirst() else { return nil }
      last = photo.row
      return photo.id
    }
    try await withThrowingTaskGroup(of: Step.self) { group in
      func begin() throws {
        guard !summary.isInterrupted, let id = try next() else { return }
        if Task.isCancelled {
          summary.isInterrupted = true
        } else {
          group.addTask { self.step(id, memory) }
        }
      }
      for _ in 0..<max(1, request.jobCount) { try begin() }
      while let step = try await group.next() {
        try begin()
        switch step {
        case .settled(let outcome): report(outcome)
        case .prepared(let prepared): pending.append(prepared)
        case .gone: break
        }
        if pending.reduce(0, { $0 + ($1.blob?.bytes.count ?? 0) }) > Self.maxPendingByteCount
          || pending.count >= Self.pageLimit
        {
          commit(pending, run, now).forEach(report)
          pending = []
        }
      }
    }
    commit(pending, run, now).forEach(report)
    return summary
  }

  private func step(_ id: EntryID, _ memory: MemoryBudget) -> Step {
    var plant: PlantReference?
    do {
      let photo = try library.catalog.read { try $0.photos.find(id.description) }
      plant = photo.entry.plant
      let prepared = try withImagingThread { try prepare(photo, memory) }
      return prepared.map { .prepared($0) }
        ?? .settled(ThumbnailOutcome(photo: id, plant: plant, result: .unchanged))
    } catch let error as CatalogError where error.code == .notFound {
      return .gone
    } catch {
      let message = LeaflogError(error).message
      return .settled(ThumbnailOutcome(photo: id, plant: plant, result: .failed(message)))
    }
  }

  /// Makes a photo's thumbnail; nil if it comes out as it is.
  private func prepare(_ photo: Photo, _ memory: MemoryBudget) throws -> Prepared? {
    let former = try library.catalog.read { try $0.photos.appearance(of: photo.entry.id) }
    let best = try library.photos.bestRendition(of: photo)
    let (file, share) = try library.photos.open(best, memory) {
      let limits = ImageLimits()
      return max($0.memory.coefficientByteCount(limits) ?? 0, $0.memory.importByteCount(limits))
    }
    defer { share.release() }
    let source = try file.read()
    // The copy of a small PNG could be its thumbnail, but an import makes another.
    let isOwn =
      source.isOwnThumbnail && (best.role == .original || former.thumbnail?.blob == best.blob)
    let made = try MadeThumbnail(source, isOwn: isOwn, after: history)
    let blob = made.image.map { PendingBlob(hashing: $0.bytes) }
    let thumbnail: Rendition =
      if let image = made.image, let blob {
        Rendition(
          role: .thumbnail, blob: blob.id, byteCount: blob.bytes.count,
          mediaType: image.format.mediaType, size: image.size, recipe: image.recipe)
      } else {
        best.asThumbnail
      }
    let new = PhotoAppearance(
      size: file.uprightSize, thumbnail: thumbnail, placeholder: made.placeholder,
      sharpness: made.sharpness)
    guard !new.isShown(as: former) else { return nil }
    // A copy has other samples than the file that the former thumbnail was made from.
    if best.role == .master, new.size == former.size,
      try former.thumbnail.map({ try shows(made.pixels, $0) }) == true
    {
      return nil
    }
    return Prepared(
      plant: photo.entry.plant,
      replacement: AppearanceReplacement(photo: photo.entry.id, former: former, new: new),
      blob: blob, best: best.blob)
  }

  /// Whether a thumbnail shows a picture, apart from compression. One that cannot be read shows none.
  private func shows(_ picture: DecodedPhoto, _ thumbnail: Rendition) throws -> Bool {
    guard let file = try? library.photos.file(thumbnail),
      let pixels = try? PhotoFile(bytes: file.bytes, format: file.format).decode()
    else { return false }
    return try picture.isLike(pixels)
  }

  /// Writes the blobs first, then the rows.
  private func commit(
    _ batch: [Prepared], _ run: OpenChange, _ now: Timestamp
  ) -> [ThumbnailOutcome] {
    guard !batch.isEmpty else { return [] }
    do {
      try library.blobs.put(batch.compactMap(\.blob))
      let done = try library.catalog.change(run, now: now) { tables, _ in
        try tables.photos.apply(
          batch.map(\.replacement), now: now, confirm: library.blobs.confirm)
      }
      return batch.map { prepared in
        guard done.contains(prepared.replacement.photo) else {
          return prepared.outcome(.failed("Another process changed it meanwhile. Run it again."))
        }
        library.photos.previewCache.remove(prepared.replacement.photo, of: prepared.best)
        return prepared.outcome(.replaced)
      }
    } catch {
      let message = LeaflogError(error).message
      return batch.map { $0.outcome(.failed(message)) }
    }
  }
}
