internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Journal
internal import Synchronization

/// The extent of a verification.
public struct VerifyRequest: Sendable {
  /// Whether to read every byte; otherwise only presence and sizes are checked.
  public var readsEverything = false
  /// The time after which to stop; the next full run continues where this one stopped.
  public var limit: Duration?

  /// Creates a request for a quick verification without a time limit.
  public init() {}
}

/// Damage found in a library.
public struct Damage: Sendable, Hashable {
  /// The kind of damage.
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    /// A blob is missing.
    case missing
    /// A blob does not have the size that it should have.
    case wrongSize
    /// A blob's bytes do not match its digest.
    case damaged
    /// A blob cannot be read.
    case unreadable
    /// A compressed copy's EXIF says that its upright picture has to be turned.
    case turned
    /// The catalog contradicts itself, or is not as it was written.
    case catalog
    /// A part of the journal is damaged or does not lead to the catalog; or the object store has lost the journal, or has
    /// that of another copy of the library.
    case journal
    /// A snapshot of the catalog is damaged.
    case snapshot
    /// One of the library's small files, such as its marker, is damaged.
    case file
    /// Files or folders do not belong to the owner of the library's folder, who may not be able to read them.
    case owner
  }

  /// The kind of damage.
  public let kind: Kind
  /// The damaged blob; nil for the catalog.
  public let blob: BlobID?
  /// The photos that the blob belongs to.
  public let photos: [Entry]
  /// The role of the blob in each of these photos.
  public let roles: [RenditionRole]
  /// A sentence that says what is wrong.
  public let message: String
  /// A way to repair it, if one is known.
  public var remedy: Remedy?
}

extension Damage {
  /// A fault that is not in a blob.
  init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind: kind, blob: nil, photos: [], roles: [], message: message, remedy: remedy)
  }

  /// A blob's fault, with the photos that the blob belongs to.
  ///
  /// - Parameter note: a further sentence for the message.
  init(
    _ fault: BlobFault, of blob: BlobID, in catalog: Catalog, note: String? = nil,
    remedy: Remedy? = nil
  ) throws {
    let found = try catalog.read { try $0.renditions.photos(of: blob) }
    let names = found.map { "the \($0.role.rawValue) of the photo \($0.entry.id.short)" }
    let sentence = "The blob \(blob), \(names.joined(separator: " and ")), \(fault)."
    self.init(
      kind: Kind(fault), blob: blob, photos: found.map(\.entry), roles: found.map(\.role),
      message: [sentence, note].compactMap { $0 }.joined(separator: " "), remedy: remedy)
  }
}

extension Damage.Kind {
  fileprivate init(_ fault: BlobFault) {
    self =
      switch fault {
      case .missing: .missing
      case .wrongSize: .wrongSize
      case .damaged: .damaged
      case .unreadable: .unreadable
      }
  }
}

/// The report of a verification.
public struct VerifySummary: Sendable, Hashable {
  /// Blobs that were checked.
  public internal(set) var blobCount = 0
  /// The total size of these blobs, in bytes.
  public internal(set) var byteCount = 0
  /// The number of faults found.
  public internal(set) var damageCount = 0
  /// Blobs that the catalog does not know; `prune` condemns them in time.
  public internal(set) var unknownCount = 0
  /// Whether everything was verified, neither cut short by the time limit nor cancelled.
  public internal(set) var isComplete = true
  /// Whether the task was cancelled before everything was verified.
  public internal(set) var isInterrupted = false
  /// The time that the verification took.
  public internal(set) var duration = Duration.zero

  /// Whether the verification ends here, as its task is cancelled.
  fileprivate mutating func checkCancellation() -> Bool {
    if Task.isCancelled { (isComplete, isInterrupted) = (false, true) }
    return isInterrupted
  }
}

/// Work on a thread of its own.
private final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let group = DispatchGroup()

  init(_ work: @escaping @Sendable () throws -> Value) {
    DispatchQueue.global().async(group: group) { [self] in
      let found = Result { try work() }
      result.withLock { $0 = found }
    }
  }

  /// Waits for the work.
  func get() throws -> Value {
    group.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("The work has ended") }
    return try result.get()
  }
}

/// Checks that a library's catalog is consistent, and that all its blobs are there and undamaged.
public struct Verifier: Sendable {
  private let library: Library

  /// Creates a verifier. A library that is open for reading only can be verified, but does not remember which files have
  /// been read.
  public init(_ library: Library) { self.library = library }

  /// The number of blobs read between two checks of the time.
  private static let batchCount = 64

  /// Verifies the library, and reports damage as it is found. Stops when the task is cancelled.
  ///
  /// - Throws: `LeaflogError` when the verification cannot go on. Damage is reported instead.
  public func run(
    _ request: VerifyRequest, progress: (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void
  ) throws(LeaflogError) -> VerifySummary {
    try library.checkAlone()
    return try translating {
      let summary = try check(request, progress: progress, report: report)
      // One that has checked nothing does not replace the record of one that has.
      if summary.isInterrupted, summary.blobCount == 0 { return summary }
      try VerificationRecords(of: library).note(
        summary, isFull: request.readsEverything, at: library.clock.now)
      return summary
    }
  }

  /// Verifies the library as `run` does, for somebody who repairs what is found.
  func check(
    _ request: VerifyRequest, progress: (_ share: Double) -> Void = { _ in },
    report: (Damage) -> Void
  ) throws -> VerifySummary {
    let start = ContinuousClock.now
    var summary = VerifySummary()
    if !summary.checkCancellation() { try checkRecords(request, &summary, report) }
    if library.objects == nil || request.readsEverything { try findTurnedCopies(&summary, report) }
    if !summary.checkCancellation() {
      if library.objects != nil, !request.readsEverything {
        try verifyByListing(&summary, progress, report)
      } else {
        let end = request.limit.map { start + $0 }
        try checkBlobs(isFull: request.readsEverything, until: end, &summary, progress, report)
        if !summary.isInterrupted { try countUnknown(&summary, report) }
      }
    }
    summary.duration = ContinuousClock.now - start
    return summary
  }

  /// Checks the catalog, the journal, and the library's other files apart from the blobs.
  private func checkRecords(
    _ request: VerifyRequest, _ summary: inout VerifySummary, _ report: (Damage) -> Void
  ) throws {
    let ofJournal = try readable(.journal) { try journalDamage(request) }
    if summary.checkCancellation() { return }
    for damage in try catalogDamage(request) + ofJournal + fileDamage() + ownerDamage() {
      summary.damageCount += 1
      report(damage)
    }
  }

  /// Checks each blob of the catalog.
  private func checkBlobs(
    isFull: Bool, until end: ContinuousClock.Instant?, _ summary: inout VerifySummary,
    _ progress: (Double) -> Void, _ report: (Damage) -> Void
  ) throws {
    let total = try library.catalog.read { try $0.totals.referencedBlobs() }.byteCount
    let time = try library.catalog.read { try $0.blobs.verificationTime(now: library.clock.now) }
    var last: VerificationPlace?
    while true {
      let next = try library.catalog.read {
        try $0.blobs.toVerify(after: last, start: time, limit: Self.batchCount)
      }
      last = next.last?.place
      let batch = next.map(\.blob)
      if batch.isEmpty { break }
      if summary.checkCancellation() { return }
      if let end, ContinuousClock.now >= end {
        summary.isComplete = false
        return
      }
      let found = isFull ? try readAll(batch) : try batch.map(fault)
      for (blob, fault) in zip(batch, found) {
        summary.blobCount += 1
        summary.byteCount += blob.byteCount
        guard let fault else { continue }
        summary.damageCount += 1
        report(try Damage(fault, of: blob.id, in: library.catalog))
      }
      if isFull {
        let good = zip(batch, found).filter { $0.1 == nil }.map(\.0.id)
        try library.store.rememberVerified(good, at: time)
      }
      progress(Double(summary.byteCount) / Double(max(1, total)))
    }
  }

  private func catalogDamage(_ request: VerifyRequest) throws -> [Damage] {
    let catalog = library.catalog
    func faults(_ messages: [String]) -> [Damage] {
      messages.map { Damage(.catalog, $0, remedy: .repair) }
    }
    guard request.readsEverything else {
      return faults(try catalog.read { try $0.inconsistencies() })
    }
    // SQLite's own checks run beside the check of the rows, as each reads all of the catalog.
    let checked = Background {
      var messages = try catalog.read { try $0.inconsistencies() }
      if try catalog.hasSoundTextIndexes() == false {
        messages.append("The search indexes do not have the words of all entries and plants.")
      }
      return messages
    }
    let damaged = Result { try catalog.read { try $0.damagedParts() } }
    let found = try checked.get() + damaged.get()
    return faults(try damaged.get().isEmpty ? found : found + changedRows())
  }

  /// A sentence that names the rows which are not as the snapshots and the journal have them; nothing if these do not lead
  /// to the present state.
  private func changedRows() throws -> [String] {
    guard library.access.allowsWriting, !library.store.isReplica else { return [] }
    let (layout, disk) = (library.layout, library.disk)
    let path = disk.temporaryPath("proved")
    defer { try? CatalogFile(path, disk).removeAll() }
    let backup = FileManager.default.fileExists(atPath: layout.backupNote.string)
    guard !backup, let made = try JournalRecovery(layout: layout, store: disk).make(at: path),
      made.losses.isEmpty, try HistoryVerification.isProved(path.string)
    else { return [] }
    let names = try CatalogDifferences(of: layout.catalog.string, from: path.string).names
    return names.isEmpty
      ? [] : ["What has changed by itself: " + names.joined(separator: ", ") + "."]
  }

  /// The damaged ones among the small files. Without its marker or `store.json`, a library is not opened at all.
  private func fileDamage() throws -> [Damage] {
    let layout = library.layout
    let files = [
      (layout.accessFile, "Nobody is let in. Remove it, and add tokens anew."),
      (layout.service, "No folder is allowed. Remove it, and allow the folders again."),
      (layout.formerStores, "It does not say where the photos were before. Remove it."),
      (layout.pushed, "It is written again with the next change."),
      (layout.pruneNote, "It is written again by the next prune."),
      (layout.backupNote, "The next backup has to go elsewhere."),
    ]
    return files.compactMap { path, consequence in
      guard let data = FileManager.default.contents(atPath: path.string),
        !SealedJSON.isSound(data)
      else { return nil }
      return Damage(.file, "\(path.lastComponent?.string ?? "A file") is damaged. \(consequence)")
    }
  }

  /// The files and folders of another user than the library's owner, such as root's of an earlier version of the program.
  private func ownerDamage() throws -> [Damage] {
    let root = library.layout.root
    let found = try OthersFiles(in: root) { LibraryLayout.isOwn($0) }
    if found.count == 0 { return [] }
    let names = found.names.joined(separator: ", ")
    let rest = found.count - found.names.count
    return [
      Damage(
        .owner,
        "\(root) is owned by \(found.owner), but not what is in it: \(names)\(rest > 0 ? " and \(rest) more" : ""). "
          + "\(found.owner) may be unable to read that. Run as root: \(found.command)")
    ]
  }

  /// Whether the journal leads to the catalog, here and in the object store; with a full verification also everything
  /// from which the catalog would be rebuilt.
  private func journalDamage(_ request: VerifyRequest) throws -> [Damage] {
    let (layout, disk) = (library.layout, library.disk)
    var found: [Damage] = []
    if !FileManager.default.fileExists(atPath: layout.backupNote.string), !library.store.isReplica {
      let lead = try HistoryVerification.lead(of: FrameFolder(layout, disk), over: library.catalog)
      found += lead.map { [$0] } ?? []
    }
    if let objects = library.objects, !library.store.isReplica {
      do {
        try objects.journal().check { head in
          try library.catalog.read { try $0.heads.contains(head) }
        }
      } catch let error as JournalError where [.forked, .lost].contains(error.code) {
        found.append(Damage(.journal, error.message, remedy: error.remedy))
      }
    }
    guard request.readsEverything else { return found }
    let past = HistoryVerification(layout: layout, store: disk)
    found += try past.damagedSnapshots()
    let lines = try BackupHistory(layout, disk).lineages()
    for files in [FrameFiles(layout.journal, disk)] + lines.map(BackupHistory(layout, disk).frames)
    {
      found += try past.damagedFrames(in: files)
    }
    guard let objects = library.objects, !library.store.isReplica else { return found }
    return try found
      + StoredHistory(objects, layout, disk).damaged().map {
        Damage(
          $0.kind == .catalog ? .snapshot : .journal,
          "\($0.key) in \(objects.client.location.url) is damaged.", remedy: .repair)
      }
  }

  /// Reads the metadata of copies that an earlier version may have turned twice. A blob that cannot be read is found
  /// later.
  private func findTurnedCopies(
    _ summary: inout VerifySummary, _ report: (Damage) -> Void
  ) throws {
    var last: Int64 = 0
    while !summary.checkCancellation() {
      let copies = try library.catalog.read {
        try $0.renditions.masters(
          ofSources: TurnedCopy.sourceMediaTypes, after: last, limit: Self.batchCount)
      }
      guard let end = copies.last else { return }
      last = end.row
      for copy in copies where !summary.checkCancellation() {
        let length = min(copy.rendition.byteCount, TurnedCopy.headByteCount)
        guard let head = try? library.blobs.get(copy.rendition.blob, range: 0..<length),
          TurnedCopy(head, recipe: copy.rendition.recipe) != nil
        else { continue }
        let entries = try library.catalog.read { try $0.renditions.photos(of: copy.rendition.blob) }
        summary.damageCount += 1
        report(
          Damage(
            kind: .turned, blob: copy.rendition.blob, photos: entries.map(\.entry),
            roles: entries.map(\.role),
            message:
              "The blob \(copy.rendition.blob), the master of the photo \(copy.photo.short), "
              + "is upright, but its EXIF says that it has to be turned.",
            remedy: .repair))
      }
    }
  }

  /// Compares the catalog with a listing of the store, which takes one request per thousand blobs instead of one per
  /// blob. Only the catalog's blobs with the same first byte are in memory at a time.
  private func verifyByListing(
    _ summary: inout VerifySummary, _ progress: (Double) -> Void, _ report: (Damage) -> Void
  ) throws {
    var byte = 0
    var expected: [BlobID: Int] = [:]
    var known: Set<BlobID> = []
    func begin() throws {
      let first = UInt8(byte)
      (expected, known) = try library.catalog.read { tables in
        let referenced = try tables.blobs.referenced(beginningWith: first)
        return (
          Dictionary(uniqueKeysWithValues: referenced.map { ($0.id, $0.byteCount) }),
          try tables.knownBlobs(beginningWith: first)
        )
      }
      summary.blobCount += expected.count
      summary.byteCount += expected.values.reduce(0, +)
    }
    /// Checks the remaining blobs, which were not listed, or with another size; an import may have added them since.
    func end() throws {
      for (id, byteCount) in expected where !summary.checkCancellation() {
        guard let fault = try library.blobs.fault(of: id, byteCount: byteCount) else { continue }
        summary.damageCount += 1
        report(try Damage(fault, of: id, in: library.catalog))
      }
      byte += 1
      progress(Double(byte) / 256)
    }
    try begin()
    func take(_ blob: StoredBlob) throws {
      while byte < Int(blob.id.firstByte) {
        try end()
        try begin()
      }
      if expected[blob.id] == blob.byteCount { expected[blob.id] = nil }
      if !known.contains(blob.id) { summary.unknownCount += 1 }
      if summary.checkCancellation() { throw CancellationError() }
    }
    do { try library.blobs.list(take) } catch is CancellationError { return }
    try end()
    while byte < 256, !summary.checkCancellation() {
      try begin()
      try end()
    }
  }

  /// Reads blobs on all cores, as hashing takes longer than reading.
  private func readAll(_ blobs: [CataloguedBlob]) throws -> [BlobFault?] {
    let found = Mutex<(faults: [Int: BlobFault], error: BlobStoreError?)>(([:], nil))
    DispatchQueue.concurrentPerform(iterations: blobs.count) { index in
      let blob = blobs[index]
      do throws(BlobStoreError) {
        let fault = try library.blobs.faultInBytes(of: blob.id, byteCount: blob.byteCount)
        if let fault { found.withLock { $0.faults[index] = fault } }
      } catch {
        found.withLock { $0.error = error }
      }
    }
    return try found.withLock { found in
      if let error = found.error { throw error }
      return blobs.indices.map { found.faults[$0] }
    }
  }

  /// Counts the blobs that the catalog does not know. A folder that cannot be read is damage, and the others are counted.
  private func countUnknown(_ summary: inout VerifySummary, _ report: (Damage) -> Void) throws {
    guard library.objects == nil else {
      try library.store.forEachStoredBlob { if !$1 { summary.unknownCount += 1 } }
      return
    }
    for byte in UInt8.min...UInt8.max {
      let damage = try readable(.unreadable) {
        let known = try library.catalog.read { try $0.knownBlobs(beginningWith: byte) }
        try library.disk.list(beginningWith: byte) {
          if !known.contains($0.id) { summary.unknownCount += 1 }
        }
        return []
      }
      summary.damageCount += damage.count
      damage.forEach(report)
    }
  }

  /// The damage that a part of the verification finds, or that it meets: the others go on.
  private func readable(_ kind: Damage.Kind, _ body: () throws -> [Damage]) throws -> [Damage] {
    do { return try body() } catch let error as BlobStoreError where error.isOfDisk {
      return [Damage(kind, error.message)]
    }
  }

  /// The fault that a blob's presence and size show.
  private func fault(of blob: CataloguedBlob) throws -> BlobFault? {
    do throws(BlobStoreError) {
      return try library.blobs.fault(of: blob.id, byteCount: blob.byteCount)
    } catch  where error.isOfDisk { return .unreadable(error.message) }
  }
}

extension BlobStoreError {
  /// Whether something in a local store cannot be read, rather than a whole store.
  fileprivate var isOfDisk: Bool { code == .permissionDenied || code == .failed }
}

extension LibraryStore {
  /// Records that blobs are sound, unless the library is open for reading or the disk is full.
  fileprivate func rememberVerified(_ ids: [BlobID], at time: Timestamp) throws {
    guard library.access.allowsWriting, !ids.isEmpty else { return }
    do { try catalog.write { try $0.blobs.setVerified(ids, at: time) } } catch let error
      as CatalogError
      where error.code == .noSpace
    {}
  }
}
