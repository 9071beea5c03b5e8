internal import BlobStorage
internal import DiaryCatalog
internal import Logging
internal import Synchronization

/// Transfers all blobs that a catalog refers to from one store to another, several at a time: hashing takes longer than
/// reading a disk, and waiting for a remote store longer than either.
struct StoreTransfer {
  /// A blob that is missing or damaged in the source.
  struct Fault: Sendable {
    let blob: CataloguedBlob
    let fault: BlobFault
    /// Whether the target has it nevertheless.
    let isInTarget: Bool
  }

  struct Result {
    var linkedCount = 0
    var copiedCount = 0
    var copiedByteCount = 0
    var faults: [Fault] = []
    var isInterrupted = false
  }

  private let transfer: any BlobTransfer
  private let isFull: Bool
  private let looksAtSource: Bool

  private static let logger = Logger(label: "leaflog.transfer")

  /// The number of blobs transferred between two checks for cancellation.
  private static let batchCount = 64

  /// - Parameters:
  ///   - mayLink: whether hard links to the source's files will do.
  ///   - isFull: whether to read the blobs that the target has already.
  ///   - looksAtSource: whether to check that the source has them, too.
  init(
    from source: any BlobStore, to target: any BlobStore, mayLink: Bool, isFull: Bool,
    looksAtSource: Bool
  ) throws {
    if let source = source as? LocalBlobStore, let target = target as? LocalBlobStore {
      transfer = LinkingTransfer(from: source, to: target, mayLink: mayLink)
    } else {
      transfer = try CopyingTransfer(from: source, to: target, looksAtSource: looksAtSource)
    }
    self.isFull = isFull
    self.looksAtSource = looksAtSource
  }

  /// Transfers the blobs. Once it returns, they survive a power loss, unless the task was cancelled, which stops it.
  func run(_ blobs: [CataloguedBlob], progress: (Double) -> Void) throws -> Result {
    var result = Result()
    let total = blobs.reduce(0) { $0 + $1.byteCount }
    var done = 0
    for first in stride(from: 0, to: blobs.count, by: Self.batchCount) {
      if Task.isCancelled {
        result.isInterrupted = true
        return result
      }
      let batch = Array(blobs[first..<min(first + Self.batchCount, blobs.count)])
      for (blob, outcome) in zip(batch, try bring(batch)) {
        done += blob.byteCount
        count(outcome, of: blob, in: &result)
      }
      progress(Double(done) / Double(max(1, total)))
    }
    try transfer.finish()
    return result
  }

  private enum Step: Sendable {
    case moved(BlobTransferOutcome)
    /// The target has the blob, but the source does not.
    case missesInSource(BlobFault)
  }

  private func bring(_ batch: [CataloguedBlob]) throws -> [Step] {
    let steps = Mutex<[Int: Step]>([:])
    try inParallel(Array(batch.enumerated()), width: transfer.width) {
      place throws(BlobStoreError) in
      let step = try bring(place.element)
      steps.withLock { $0[place.offset] = step }
    }
    let done = steps.withLock { $0 }
    return batch.indices.compactMap { done[$0] }
  }

  private func bring(_ blob: CataloguedBlob) throws(BlobStoreError) -> Step {
    guard try transfer.isPresent(blob.id, byteCount: blob.byteCount, isFull: isFull) else {
      let outcome = try transfer.bring(blob.id, byteCount: blob.byteCount)
      Self.logger.debug("brought", metadata: ["blob": "\(blob.id.hex)", "as": "\(outcome)"])
      return .moved(outcome)
    }
    guard looksAtSource,
      let fault = try transfer.faultInSource(blob.id, byteCount: blob.byteCount)
    else { return .moved(.present) }
    return .missesInSource(fault)
  }

  private func count(_ step: Step, of blob: CataloguedBlob, in result: inout Result) {
    switch step {
    case .moved(.present): break
    case .moved(.linked): result.linkedCount += 1
    case .moved(.copied):
      result.copiedCount += 1
      result.copiedByteCount += blob.byteCount
    case .moved(.faulty(let fault)):
      result.faults.append(Fault(blob: blob, fault: fault, isInTarget: false))
    case .missesInSource(let fault):
      result.faults.append(Fault(blob: blob, fault: fault, isInTarget: true))
    }
  }
}
