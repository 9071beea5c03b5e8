internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Logging

/// The photos to recompress, and how to store them.
public struct RecompressRequest: Sendable {
  /// The plant whose photos to recompress; nil takes all photos.
  public var plant: PlantID?
  /// How to store the photos.
  public var policy: StoragePolicy
  /// The score that compressed copies have to reach (SSIMULACRA2), 0 to 100.
  public var targetScore = 80.0
  /// The share of its size that a photo has to save to be changed, at most 1. Below 0, it may grow by that share.
  public var minSaving = 0.1
  /// Whether compressed copies may be compressed once more if there is no better source.
  public var allowsSecondLoss = false
  /// Whether to report what would be done, and do nothing.
  public var isDryRun = false
  /// The number of photos to process at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount

  /// Creates a request for all photos, with default options.
  public init(policy: StoragePolicy) { self.policy = policy }
}

/// The outcome of one photo.
public struct RecompressOutcome: Sendable {
  /// The result for a photo.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// It is stored differently now; the sizes before and after, in bytes.
    case changed(from: Int, to: Int)
    /// It stays as it is, with the reason.
    case kept(Reason)
    /// It could not be changed; the sentence says why.
    case failed(String)
  }

  /// The reason why a photo stays as it is.
  @nonexhaustive
  public enum Reason: String, Sendable, CaseIterable {
    /// It is stored in that way already.
    case alreadySo
    /// It would not save enough.
    case savesTooLittle
    /// There is only a compressed copy; the exact bytes are gone.
    case exactBytesGone
    /// It would be compressed with loss a second time, which was not requested.
    case secondLoss
    /// It cannot be compressed: it is not a plain picture, or libjxl cannot restore it.
    case notCompressible
  }

  /// The photo.
  public let entry: Entry
  /// The result, or the reason for which nothing was done.
  public let result: Result
  /// The losses of the new copy, such as a gain map.
  public var warnings: Set<ImportWarning> = []
}

/// The result of a recompression.
public struct RecompressSummary: Sendable, Hashable {
  /// Whether the task was cancelled before all photos had their turn.
  public internal(set) var isInterrupted = false
}

/// Converts photos from one storage policy to another, always from the best bytes there are.
///
/// A photo is changed in one transaction, once its new rendition is durable. Its former blobs are
/// condemned and not unlinked, so that the last run can be undone until `prune` unlinks them. To complete
/// an interrupted run, run it again.
public struct Recompressor: Sendable {
  let library: Library
  let history = QualityHistory()

  /// Creates a recompressor. `library` must be open for writing.
  public init(_ library: Library) { self.library = library }

  /// The number of bytes that may wait to be written, besides the memory for photos in progress, so that
  /// photos share fsyncs.
  private static let maxPendingByteCount = 32 << 20

  /// Recompresses photos, and reports each once. Cancelling the task ends it after the photos in progress.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a score or a saving out of its range, and `readOnly` when
  ///   the library is open for reading and it is no dry run.
  @discardableResult
  public func run(
    _ request: RecompressRequest, report: @escaping @Sendable (RecompressOutcome) -> Void
  ) async throws(LeaflogError) -> RecompressSummary {
    try PerceptualTarget.check(request.targetScore)
    guard (-1000...1).contains(request.minSaving) else {
      throw .invalid("A photo cannot save \(request.minSaving) of its size.")
    }
    if request.isDryRun { try library.checkAlone() } else { try library.checkWritable() }
    do {
      return try await Library.work { try await work(request, report) }
    } catch { throw LeaflogError(error) }
  }

  /// A photo's new rendition, not written yet.
  struct Prepared: Sendable {
    let entry: Entry
    let former: [Rendition]
    let new: Rendition
    let blob: PendingBlob
    /// Whether the new rendition's blob lies in the store's trash, from which it is taken back.
    var isInTrash = false
    /// What the copy lacks.
    var warnings: Set<ImportWarning> = []
  }

  private func work(
    _ request: RecompressRequest, _ report: @Sendable (RecompressOutcome) -> Void
  ) async throws -> RecompressSummary {
    var summary = RecompressSummary()
    let now = library.clock.now
    let memory = MemoryBudget.ofProcess
    let run = request.isDryRun ? nil : OpenChange(.recompress)
    var pending: [Prepared] = []
    try await withThrowingTaskGroup(of: Step.self) { group in
      var walk = TimelineWalk(
        library.timeline,
        TimelineQuery(plant: request.plant, kinds: [.photo], order: .oldestFirst))
      func begin() throws {
        guard !summary.isInterrupted, let entry = try walk.next() else { return }
        if Task.isCancelled {
          summary.isInterrupted = true
        } else {
          group.addTask { self.step(entry, request, memory) }
        }
      }
      for _ in 0..<max(1, request.jobCount) { try begin() }
      while let step = try await group.next() {
        try begin()
        switch step {
        case .settled(let outcome): report(outcome)
        case .prepared(let prepared): pending.append(prepared)
        }
        if pending.reduce(0, { $0 + $1.blob.bytes.count }) > Self.maxPendingByteCount {
          commit(pending, run, now).forEach(report)
          pending = []
        }
      }
    }
    commit(pending, run, now).forEach(report)
    return summary
  }

  private enum Step: Sendable {
    case settled(RecompressOutcome)
    case prepared(Prepared)
  }

  private func step(
    _ entry: Entry, _ request: RecompressRequest, _ memory: MemoryBudget
  ) -> Step {
    do {
      let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
      switch try withImagingThread({ try prepare(photo, request, memory) }) {
      case .success(let prepared): return .prepared(prepared)
      case .failure(let reason):
        return .settled(RecompressOutcome(entry: entry, result: .kept(reason)))
      }
    } catch {
      let message = LeaflogError(error).message
      return .settled(RecompressOutcome(entry: entry, result: .failed(message)))
    }
  }

  /// Writes the blobs first, then the rows. `run` is nil for a dry run.
  private func commit(
    _ batch: [Prepared], _ run: OpenChange?, _ now: Timestamp
  ) -> [RecompressOutcome] {
    do {
      var done = Set(batch.map(\.entry.id))
      if let run, !batch.isEmpty {
        // One in the trash is taken back, unless `prune` has deleted it meanwhile.
        let new = batch.filter { !$0.isInTrash || !library.disk.isInTrash($0.blob.id) }
        try library.blobs.put(new.map(\.blob))
        let switches = batch.map {
          RenditionReplacement(photo: $0.entry.id, former: $0.former, new: $0.new)
        }
        done = try library.catalog.change(run, now: now) { tables, _ in
          try tables.renditions.apply(switches, now: now, confirm: library.blobs.confirm)
        }
      }
      return batch.map { prepared in
        let before = prepared.former.reduce(0) { $0 + $1.byteCount }
        guard done.contains(prepared.entry.id) else {
          return RecompressOutcome(
            entry: prepared.entry,
            result: .failed("Another process changed it meanwhile. Run it again."))
        }
        return RecompressOutcome(
          entry: prepared.entry, result: .changed(from: before, to: prepared.new.byteCount),
          warnings: prepared.warnings)
      }
    } catch {
      let message = LeaflogError(error).message
      return batch.map { RecompressOutcome(entry: $0.entry, result: .failed(message)) }
    }
  }
}

extension RecompressOutcome.Reason: Error {}

extension Recompressor {
  /// Makes a photo's new rendition from the best bytes there are, be they condemned, or returns why the photo stays as it is.
  func prepare(
    _ photo: Photo, _ request: RecompressRequest, _ memory: MemoryBudget
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let full = photo.renditions.filter { $0.role != .thumbnail }
    let best = try library.photos.bestRendition(of: photo)
    switch (request.policy, best.role) {
    case (.exact, .original), (.lossless, .packed): return .failure(.alreadySo)
    case (.compact, .master) where MasterRecipe(best.recipe)?.target == request.target:
      return .failure(.alreadySo)
    case (_, .master):
      if let condemned = try openCondemned(photo, request.policy, memory) {
        defer { condemned.memory.release() }
        return try prepare(photo, full, best, from: condemned, request)
      }
      if request.policy != .compact { return .failure(.exactBytesGone) }
      if !request.allowsSecondLoss { return .failure(.secondLoss) }
    default: break
    }
    let opened = Opened(
      try library.photos.open(best, memory) { needed($0, request.policy) })
    defer { opened.memory.release() }
    switch request.policy {
    case .exact: return try unpacked(photo, [best], opened)
    case .lossless: return try packed(photo, full, opened, request, formerSize(full))
    case .compact: return try compacted(photo, full, opened, request, formerSize(full))
    }
  }

  private func formerSize(_ full: [Rendition]) -> Int { full.reduce(0) { $0 + $1.byteCount } }

  /// Makes the new rendition of a photo that has only a compressed copy from its exact bytes, which nothing refers to any
  /// longer but `prune` has not deleted yet.
  private func prepare(
    _ photo: Photo, _ full: [Rendition], _ copy: Rendition, from condemned: Opened,
    _ request: RecompressRequest
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let exactSize = condemned.source.bytes.count
    func exact() throws -> Result<Prepared, RecompressOutcome.Reason> {
      try unpacked(photo, full, condemned).map {
        var prepared = $0
        prepared.isInTrash = condemned.isInTrash
        return prepared
      }
    }
    switch request.policy {
    case .exact: return try exact()
    case .lossless:
      // As in an import: what cannot be packed is kept exactly.
      let packed = try packed(photo, full, condemned, request, exactSize)
      if case .failure = packed { return try exact() }
      return packed
    case .compact:
      // A better copy is larger than the one there is.
      let isBetter = (MasterRecipe(copy.recipe)?.target.score ?? 0) < request.targetScore
      return try compacted(
        photo, full, condemned, request, isBetter ? exactSize : formerSize(full))
    }
  }

  /// Opens the exact bytes of a photo that the catalog has only a copy of; nil when they are not in the store, and when
  /// they are damaged.
  private func openCondemned(
    _ photo: Photo, _ policy: StoragePolicy, _ memory: MemoryBudget
  ) throws -> Opened? {
    guard let source = photo.entry.photo else { return nil }
    let isInTrash = library.objects == nil && library.disk.isInTrash(source.sourceDigest)
    if !isInTrash {
      guard try library.blobs.byteCount(of: source.sourceDigest) == source.sourceByteCount else {
        return nil
      }
    }
    let share = memory.reserve(source.sourceByteCount)
    let bytes =
      isInTrash
      ? try? library.disk.bytesInTrash(source.sourceDigest)
      : try? library.blobs.get(source.sourceDigest, range: nil)
    guard let bytes, bytes.withUnsafeBytes({ BlobID(hashing: $0) }) == source.sourceDigest,
      case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }),
      let file = try? PhotoFile(bytes: bytes, format: format)
    else {
      share.release()
      return nil
    }
    share.enlarge(to: needed(file, policy))
    return Opened((file, share), isInTrash: isInTrash)
  }

  /// A photo's best file, and the memory for the work on it.
  private struct Opened {
    let source: PhotoFile
    let memory: MemoryBudget.Reservation
    /// Whether the file lies in the store's trash.
    let isInTrash: Bool

    init(_ opened: (PhotoFile, MemoryBudget.Reservation), isInTrash: Bool = false) {
      ((source, memory), self.isInTrash) = (opened, isInTrash)
    }
  }

  private func needed(_ source: PhotoFile, _ policy: StoragePolicy) -> Int {
    let limits = ImageLimits()
    return policy == .compact
      ? max(source.memory.coefficientByteCount(limits) ?? 0, source.memory.importByteCount(limits))
      : source.memory.packingByteCount(limits)
  }

  /// Goes back to the exact bytes, whatever space that takes, as requested.
  private func unpacked(
    _ photo: Photo, _ former: [Rendition], _ opened: Opened
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = opened.source
    let blob = PendingBlob(hashing: source.bytes)
    guard blob.id == photo.entry.photo?.sourceDigest else {
      throw LeaflogError(.damaged, "Its packed bytes do not unpack to what was imported.")
    }
    return .success(
      prepared(
        photo, former, .original, blob, source.format.mediaType, source.storedSize, "exact"))
  }

  private func packed(
    _ photo: Photo, _ full: [Rendition], _ opened: Opened, _ request: RecompressRequest,
    _ before: Int
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = opened.source
    guard source.format == .jpeg, source.memory.isPackable(ImageLimits()),
      let packed = try JPEGPacking.pack(source.bytes)
    else {
      return .failure(.notCompressible)
    }
    guard Double(packed.count) <= Double(before) * (1 - request.minSaving) else {
      return .failure(.savesTooLittle)
    }
    return .success(
      prepared(
        photo, full, .packed, PendingBlob(hashing: packed), ImageFormat.jxl.mediaType,
        source.storedSize, JPEGPacking.recipe))
  }

  private func compacted(
    _ photo: Photo, _ full: [Rendition], _ opened: Opened, _ request: RecompressRequest,
    _ before: Int
  ) throws -> Result<Prepared, RecompressOutcome.Reason> {
    let source = try opened.source.read()
    guard source.isPlain, opened.source.hasMetadataForJPEG else {
      return .failure(.notCompressible)
    }
    let limit = Int(Double(before) * (1 - request.minSaving))
    guard
      let master = try source.master(
        target: request.target, maxByteCount: limit, after: history)
    else {
      return .failure(.savesTooLittle)
    }
    var result = prepared(
      photo, full, .master, PendingBlob(hashing: master.bytes), master.format.mediaType,
      master.size, master.recipe)
    result.warnings = opened.source.lostInCopy
    return .success(result)
  }

  private func prepared(
    _ photo: Photo, _ former: [Rendition], _ role: RenditionRole, _ blob: PendingBlob,
    _ mediaType: String, _ size: PixelSize, _ recipe: String
  ) -> Prepared {
    Prepared(
      entry: photo.entry, former: former,
      new: Rendition(
        role: role, blob: blob.id, byteCount: blob.bytes.count, mediaType: mediaType, size: size,
        recipe: recipe), blob: blob)
  }
}

extension RecompressRequest {
  fileprivate var target: PerceptualTarget { PerceptualTarget(score: targetScore) }
}
