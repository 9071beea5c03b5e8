internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Logging

/// How photos are to be kept from now on.
public struct RecompressRequest: Sendable {
  /// Nil is all plants, and photos without one.
  public var plant: PlantID?
  public var policy: StoragePolicy
  /// The score that compressed copies have to reach (SSIMULACRA2).
  public var targetScore = 80.0
  /// A photo is changed only when that saves at least this share of what it takes, 0 to 1.
  public var minSaving = 0.1
  /// Whether compressed copies may be compressed once more, from themselves, where there is nothing
  /// better.
  public var allowsSecondLoss = false
  /// Says what would be done, and does nothing.
  public var isDryRun = false
  /// How many photos to work on at a time.
  public var jobCount = ProcessInfo.processInfo.activeProcessorCount

  public init(policy: StoragePolicy) { self.policy = policy }
}

/// The outcome of one photo.
public struct RecompressOutcome: Sendable {
  public enum Result: Sendable, Hashable {
    /// It is kept otherwise now; in bytes, before and after.
    case changed(from: Int, to: Int)
    /// It stays as it is, and why.
    case kept(Reason)
    /// The sentence says why.
    case failed(String)
  }

  public enum Reason: String, Sendable, CaseIterable {
    /// It is kept in that way already.
    case alreadySo
    /// It would not save enough.
    case savesTooLittle
    /// There is a compressed copy only; the exact bytes are gone.
    case exactBytesGone
    /// Another generation of loss, which was not asked for.
    case secondLoss
    /// It cannot be compressed: not a plain picture, or libjxl cannot restore it.
    case notCompressible
  }

  public let entry: Entry
  public let result: Result
}

/// Moves photos between the ways of keeping them, always from the best bytes there are.
///
/// A photo is changed when its new rendition is durable and in one transaction; what it had is
/// condemned and not unlinked, so that the last run can be taken back until `prune` unlinks it. An
/// interrupted run is finished by running it again.
public struct Recompressor: Sendable {
  let library: Library
  let history = QualityHistory()

  /// `library` must be open for writing.
  public init(_ library: Library) { self.library = library }

  /// How many bytes may wait to be written, besides the memory for photos at work: commits share their
  /// fsyncs.
  private static let maxPendingByteCount = 32 << 20

  /// Reports every photo once. Cancelling the task ends it after the photos at work.
  public func run(
    _ request: RecompressRequest, report: @escaping @Sendable (RecompressOutcome) -> Void
  ) async throws(LeaflogError) {
    do {
      try await withTaskExecutorPreference(BlockingExecutor()) {
        try await work(request, report)
      }
    } catch { throw LeaflogError(error) }
  }

  /// A photo's new rendition, not written yet.
  struct Prepared: Sendable {
    let entry: Entry
    let former: [Rendition]
    let new: Rendition
    let blob: PendingBlob
  }

  private func work(
    _ request: RecompressRequest, _ report: @Sendable (RecompressOutcome) -> Void
  ) async throws {
    let now = library.clock.now
    let memory = MemoryBudget.forPhotos()
    let run = request.isDryRun ? nil : OpenChange(.recompress)
    var pending: [Prepared] = []
    try await withThrowingTaskGroup(of: Step.self) { group in
      var walk = TimelineWalk(
        library.timeline,
        TimelineQuery(plant: request.plant, kinds: [.photo], order: .oldestFirst))
      for _ in 0..<max(1, request.jobCount) {
        guard let entry = try walk.next() else { break }
        group.addTask { step(entry, request, memory) }
      }
      while let step = try await group.next() {
        if !Task.isCancelled, let entry = try walk.next() {
          group.addTask { self.step(entry, request, memory) }
        }
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

  /// Blobs first, then the rows. `run` is nil for a dry run.
  private func commit(
    _ batch: [Prepared], _ run: OpenChange?, _ now: Timestamp
  ) -> [RecompressOutcome] {
    do {
      var done = Set(batch.map(\.entry.id))
      if let run, !batch.isEmpty {
        try library.blobs.put(batch.map(\.blob))
        let switches = batch.map {
          RenditionReplacement(photo: $0.entry.id, former: $0.former, new: $0.new)
        }
        done = try library.catalog.change(run, now: now) { tables, _ in
          try tables.renditions.apply(switches, now: now, confirm: library.blobs.confirm)
        }
      }
      return batch.map { prepared in
        let before = prepared.former.reduce(0) { $0 + $1.byteCount }
        return RecompressOutcome(
          entry: prepared.entry,
          result: done.contains(prepared.entry.id)
            ? .changed(from: before, to: prepared.new.byteCount)
            : .failed("Another process changed it meanwhile. Run it again."))
      }
    } catch {
      let message = LeaflogError(error).message
      return batch.map { RecompressOutcome(entry: $0.entry, result: .failed(message)) }
    }
  }
}
