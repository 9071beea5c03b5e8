internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// How much to verify.
public struct VerifyRequest: Sendable {
  /// Reads every byte; otherwise presence and sizes are looked at.
  public var isFull = false
  /// Ends after this long; the next full run goes on where this one stopped.
  public var limit: Duration?

  public init() {}
}

/// Something that is wrong in a library.
public struct Damage: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A blob is not there.
    case missing
    /// A blob has another size than it had.
    case wrongSize
    /// A blob's bytes are not what its name says.
    case damaged
    /// A blob cannot be read.
    case unreadable
    /// The catalog contradicts itself.
    case catalog
  }

  public let kind: Kind
  /// Nil for the catalog.
  public let blob: BlobID?
  /// The photos that it belongs to.
  public let photos: [Entry]
  /// As what it belongs to them.
  public let roles: [RenditionRole]
  /// What is wrong, with what.
  public let message: String
}

/// What a verification saw.
public struct VerifySummary: Sendable, Hashable {
  /// Blobs that were looked at, or read.
  public internal(set) var blobCount = 0
  /// Bytes that were looked at, or read.
  public internal(set) var byteCount = 0
  public internal(set) var damageCount = 0
  /// Blobs that the catalog does not know; `prune` condemns them in time.
  public internal(set) var unknownCount = 0
  /// Whether nothing was left out for want of time or by interruption.
  public internal(set) var isComplete = true
  public internal(set) var duration = Duration.zero
}

/// Looks whether everything is there that should be, and as it should be.
public struct Verifier: Sendable {
  private let library: Library

  /// A library that is open for reading only is verified as well, but does not remember it.
  public init(_ library: Library) { self.library = library }

  /// How many blobs are read between two looks at the clock.
  private static let batchCount = 64

  /// Reports each damage as it is found. Stops when the task is cancelled.
  public func run(
    _ request: VerifyRequest, progress: (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void
  ) throws(LeaflogError) -> VerifySummary {
    try translating { try verify(request, progress, report) }
  }

  private func verify(
    _ request: VerifyRequest, _ progress: (Double) -> Void, _ report: (Damage) -> Void
  ) throws -> VerifySummary {
    let start = ContinuousClock.now
    var summary = VerifySummary()
    for message in try library.catalog.inconsistencies() {
      summary.damageCount += 1
      report(Damage(kind: .catalog, blob: nil, photos: [], roles: [], message: message))
    }
    let blobs = try library.catalog.blobsToVerify()
    let total = blobs.reduce(0) { $0 + $1.byteCount }
    for first in stride(from: 0, to: blobs.count, by: Self.batchCount) {
      let isOver = request.limit.map { ContinuousClock.now - start >= $0 } ?? false
      if isOver || Task.isCancelled {
        summary.isComplete = false
        break
      }
      let batch = Array(blobs[first..<min(first + Self.batchCount, blobs.count)])
      let found = request.isFull ? readAll(batch) : try batch.map(look)
      for (blob, damage) in zip(batch, found) {
        summary.blobCount += 1
        summary.byteCount += blob.byteCount
        guard let (kind, message) = damage else { continue }
        summary.damageCount += 1
        report(try describe(kind, blob, message))
      }
      if request.isFull {
        let good = zip(batch, found).filter { $0.1 == nil }.map(\.0.id)
        try library.rememberVerified(good)
      }
      progress(Double(summary.byteCount) / Double(max(1, total)))
    }
    summary.unknownCount = try unknownCount()
    summary.duration = ContinuousClock.now - start
    return summary
  }

  private typealias Finding = (kind: Damage.Kind, message: String)

  private func look(_ blob: CataloguedBlob) throws -> Finding? {
    guard let byteCount = try library.blobs.byteCount(of: blob.id) else {
      return (.missing, "is not there")
    }
    return byteCount == blob.byteCount
      ? nil : (.wrongSize, "has \(byteCount) bytes instead of \(blob.byteCount)")
  }

  /// On all cores: hashing costs more than reading does.
  private func readAll(_ blobs: [CataloguedBlob]) -> [Finding?] {
    let found = Mutex<[Int: Finding]>([:])
    DispatchQueue.concurrentPerform(iterations: blobs.count) { index in
      guard let finding = read(blobs[index]) else { return }
      found.withLock { $0[index] = finding }
    }
    return found.withLock { found in blobs.indices.map { found[$0] } }
  }

  private func read(_ blob: CataloguedBlob) -> Finding? {
    do throws(Errno) {
      let file = try FileReader(library.blobs.path(of: blob.id))
      guard file.byteCount == blob.byteCount else {
        return (.wrongSize, "has \(file.byteCount) bytes instead of \(blob.byteCount)")
      }
      return try file.hash() == blob.id ? nil : (.damaged, "has other bytes than its name says")
    } catch .noSuchFileOrDirectory {
      return (.missing, "is not there")
    } catch {
      return (.unreadable, "cannot be read: \(error)")
    }
  }

  private func describe(
    _ kind: Damage.Kind, _ blob: CataloguedBlob, _ message: String
  ) throws -> Damage {
    let photos = try library.catalog.photos(of: blob.id)
    let names = photos.map { "the \($0.role.rawValue) of the photo \($0.entry.id.short)" }
    return Damage(
      kind: kind, blob: blob.id, photos: photos.map(\.entry), roles: photos.map(\.role),
      message: "The blob \(blob.id), \(names.joined(separator: " and ")), \(message).")
  }

  private func unknownCount() throws -> Int {
    let known = Set(try library.catalog.knownBlobs().map(\.id))
    var count = 0
    try library.blobs.list { if !known.contains($0.id) { count += 1 } }
    return count
  }
}

extension Library {
  /// Nothing is remembered of a library that is open for reading.
  fileprivate func rememberVerified(_ ids: [BlobID]) throws {
    guard access == .writing, !ids.isEmpty else { return }
    try catalog.setVerified(ids, at: .now)
  }
}
