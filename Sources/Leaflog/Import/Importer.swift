internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Logging
internal import Synchronization

/// Imports photos and folders of photos into a library.
///
/// The steps for each photo are: scan, read and hash, decode once, make renditions, put the blobs into
/// the store, record one set of rows, report. A file is reported as added only once all of it would
/// survive a power loss; to complete an interrupted import, run it again.
public struct Importer: Sendable {
  private let destination: any ImportDestination
  /// The qualities of recent photos.
  private let history: QualityHistory

  /// Creates an importer into a library on this machine, which must be open for writing.
  public init(_ library: Library) { self.init(library, after: QualityHistory()) }

  /// - Parameter history: that of other imports into the library.
  init(_ library: Library, after history: QualityHistory) {
    (destination, self.history) = (LibraryDestination(library: library), history)
  }

  /// Creates an importer into a library behind a service: photos are prepared here and recorded there.
  public init(_ library: RemoteLibrary) {
    (destination, history) = (library, QualityHistory())
  }

  /// Imports the files of a request, and reports each file once, as soon as it is done.
  ///
  /// Cancelling the task ends the import after the photos in progress; the summary says so.
  ///
  /// - Throws: `LeaflogError` for errors of the whole run. A single file's failure is its outcome.
  public func run(
    _ request: ImportRequest, report: @escaping @Sendable (FileOutcome) -> Void
  ) async throws -> ImportSummary {
    try await Library.work {
      try await run(request, items: request.scan, report: report)
    }
  }

  /// Imports the files of a scan. The caller's executor must allow blocking.
  func run(
    _ request: ImportRequest, items: some Sequence<ScanItem>,
    report: @escaping @Sendable (FileOutcome) -> Void
  ) async throws -> ImportSummary {
    if destination.takesFiles { try checkSending(request) }
    let policy = request.policy ?? destination.policy
    if request.movesFiles, policy == .compact {
      throw LeaflogError(
        .invalidRequest,
        "Moving would leave only compressed copies. Import with the policy lossless or exact, or do "
          + "not move.")
    }
    try PerceptualTarget.check(request.targetScore)
    let present = try translating { try destination.present }
    try check(request.time, assuming: request.assumedTimeZone, present)
    try translating { try destination.begin(isDryRun: request.isDryRun) }
    let maxByteCount = try request.maxFileByteCount ?? destination.maxFileByteCount()
    let run = ImportRun(
      destination, request, policy, maxByteCount, present, OpenChange(.importPhotos),
      .ofProcess, PhotoReservations(), history)
    let summary = await run.result(of: items, report: report)
    if !request.isDryRun { destination.end(afterWorkOf: summary.duration) }
    return summary
  }

  /// Checks that a request asks for nothing that a service decides or allows, which only takes files.
  private func checkSending(_ request: ImportRequest) throws(LeaflogError) {
    if request.movesFiles {
      throw LeaflogError(
        .refused,
        "Nothing is moved with a token that does not include the diary, as it is not told whether the exact bytes are kept."
      )
    }
    if request.policy != nil {
      throw LeaflogError(
        .refused,
        "With a token that does not include the diary, the service stores photos as its own policy says."
      )
    }
  }

  private func check(
    _ time: RecordedTime?, assuming zone: TimeZone?, _ present: Present
  ) throws(LeaflogError) {
    if let time, zone == nil { try destination.checkZone(of: time) }
    guard let time, present.isFuture(EntryTime(time, in: zone ?? destination.timeZone)) else {
      return
    }
    throw .invalid("\(time.iso8601) is in the future.")
  }

  /// Imports one uploaded photo as part of a change. The caller's executor must allow blocking.
  func take(
    _ upload: Upload, in change: OpenChange, _ reservations: PhotoReservations
  ) async throws -> FileOutcome {
    let present = try translating { try destination.present }
    try check(upload.request.time, assuming: upload.request.assumedTimeZone, present)
    // Skipped as in a folder: macOS keeps such files beside photos.
    if let reason = WalkRules.refusal(ofName: upload.request.name, isFolder: false) {
      return .skipped(upload.request.name, reason)
    }
    let run = ImportRun(
      destination, upload.request.importRequest, destination.policy, upload.maxByteCount, present,
      change, .ofProcess, reservations, history)
    let file = try ScannedFile(
      sent: upload.file.path, name: upload.request.name, modifiedAt: upload.request.modifiedAt)
    return try await outcome(of: .file(file)) { _ = await run.result(of: $0, report: $1) }
  }
}

/// An import in progress.
private struct ImportRun: Sendable {
  let destination: any ImportDestination
  let request: ImportRequest
  let preparation: PhotoPreparation
  let reservations: PhotoReservations
  private let order = WalkOrder()
  /// The change that the import is, or is part of.
  let change: OpenChange

  private static let logger = Logger(label: "leaflog.import")

  /// The limits of what waits to be written: enough for photos to share fsyncs, while memory stays bounded, and so does
  /// what an interrupt leaves undone.
  private static let maxPending = (count: 512, byteCount: 64 << 20)
  /// The number of files that may wait for others of the same photo.
  private static let maxDeferredCount = 1000
  /// The number of photos, or of their bytes, that is worth another commit while one is in progress.
  private static let worthwhile = (count: 32, byteCount: 16 << 20)
  /// Each job that waits for memory occupies one of Dispatch's 64 threads, and commits need some of them.
  private static let maxJobCount = 48

  init(
    _ destination: any ImportDestination, _ request: ImportRequest, _ policy: StoragePolicy,
    _ maxFileByteCount: Int, _ present: Present, _ change: OpenChange, _ memory: MemoryBudget,
    _ reservations: PhotoReservations, _ history: QualityHistory
  ) {
    self.destination = destination
    self.request = request
    self.change = change
    self.reservations = reservations
    preparation = PhotoPreparation(
      destination: destination, request: request, policy: policy,
      present: present, memory: memory, maxFileByteCount: maxFileByteCount,
      folders: PlantFolders(given: request.paths, isByPath: request.plant == .path),
      history: history)
  }

  private enum Event: Sendable {
    case prepared(PhotoPreparation.Result)
    case committed(Commit)
    /// The other file of the same photo is done.
    case freed(DeferredFile)
  }

  private struct Commit {
    let outcomes: [FileOutcome]
    /// The error if the store as a whole is unavailable.
    var outage: LeaflogError?
  }

  /// Prepares photos concurrently while one or more batches are being written; the photos that are ready when one of
  /// these becomes durable form the next batch.
  func result(
    of items: some Sequence<ScanItem>, report: @Sendable (FileOutcome) -> Void
  ) async -> ImportSummary {
    let start = ContinuousClock.now
    var summary = ImportSummary()
    var scan = items.makeIterator()
    var freed: [DeferredFile] = []
    var deferredCount = 0
    var pending = PendingFiles()
    var jobs = 0
    var commits = 0
    var outage = Outage()
    func settle(_ outcome: FileOutcome) {
      summary.count(outcome)
      report(outcome)
    }
    func nextFile() -> (file: ScannedFile, hold: PhotoReservations.Hold)? {
      while let one = freed.popLast() {
        guard let error = outage.error else { return (one.file, one.hold) }
        one.hold.release(isKnown: false)
        settle(.failed(one.file.displayPath, error))
      }
      while deferredCount < Self.maxDeferredCount, !Task.isCancelled, let item = scan.next() {
        switch item {
        case .file(let file):
          guard let error = outage.error else { return (file, reservations.hold(in: order)) }
          settle(.failed(file.displayPath, error))
        case .outcome(let outcome): settle(outcome)
        }
      }
      return nil
    }
    await withTaskGroup(of: Event.self) { group in
      while true {
        while jobs < min(max(1, request.jobCount), Self.maxJobCount), !Task.isCancelled,
          pending.isBelow(Self.maxPending), let (file, hold) = nextFile()
        {
          jobs += 1
          group.addTask { .prepared(preparation.prepare(file, hold)) }
        }
        if Task.isCancelled {
          // Files that are not being written yet will be prepared again.
          let left = pending.removeAll()
          summary.isInterrupted = summary.isInterrupted || !left.isEmpty || !freed.isEmpty
          for hold in left.compactMap(\.reserved) + freed.map(\.hold) {
            hold.release(isKnown: false)
          }
          freed.removeAll()
        }
        while commits < destination.width, !pending.files.isEmpty,
          commits == 0 || pending.reaches(worthwhile)
        {
          let batch = pending.removeFirst(destination.maxBatchCount)
          commits += 1
          let error = outage.error
          group.addTask { .committed(commit(batch, after: error)) }
        }
        guard let event = await group.next() else { break }
        switch event {
        case .prepared(.settled(let outcome, let failure)):
          jobs -= 1
          if let failure { outage.note(failure) }
          settle(outcome)
        case .prepared(.deferred(let file)):
          jobs -= 1
          deferredCount += 1
          group.addTask {
            await file.wait()
            return .freed(file)
          }
        case .freed(let file):
          deferredCount -= 1
          freed.append(file)
        case .prepared(.prepared(let file)):
          jobs -= 1
          pending.append(file)
        case .committed(let commit):
          commits -= 1
          outage.note(commit.outage)
          commit.outcomes.forEach(settle)
        }
      }
    }
    if Task.isCancelled, !summary.isInterrupted { summary.isInterrupted = scan.next() != nil }
    summary.mixedPlants = preparation.folders.mixed
    summary.clockWarning = preparation.present.warning
    summary.duration = ContinuousClock.now - start
    Self.logger.debug(
      "finished", metadata: ["peakMemory": "\(ProcessMemory.peakByteCount ?? 0)"])
    return summary
  }

  private var worthwhile: (count: Int, byteCount: Int) {
    (min(Self.worthwhile.count, destination.maxBatchCount), Self.worthwhile.byteCount)
  }

  /// Writes the blobs first, then the rows. A batch that cannot be written as a whole is retried file by
  /// file, so that one large photo does not take others with it when a disk fills up. This is not done for a
  /// store that cannot be reached or refuses the key: each file would take as long to fail as the batch.
  ///
  /// - Parameter outage: the reason for not trying to write, if any.
  private func commit(_ batch: [PreparedFile], after outage: LeaflogError?) -> Commit {
    defer { batch.forEach { $0.memory?.release() } }
    if request.isDryRun {
      return Commit(
        outcomes: batch.map { $0.outcome($0.expected(readmitted: request.readmits($0.file))) })
    }
    let commit = written(batch, after: outage)
    for (file, outcome) in zip(batch, commit.outcomes) {
      file.reserved?.release(isKnown: outcome.isStored)
    }
    return commit
  }

  private func written(_ batch: [PreparedFile], after outage: LeaflogError?) -> Commit {
    do {
      if let outage { throw outage }
      return Commit(outcomes: try write(batch))
    } catch {
      let failure = LeaflogError(error)
      guard !failure.isOutage else {
        return Commit(
          outcomes: batch.map { .failed($0.file.displayPath, failure) }, outage: failure)
      }
      return Commit(outcomes: oneByOne(batch, error))
    }
  }

  private func oneByOne(_ batch: [PreparedFile], _ error: any Error) -> [FileOutcome] {
    let written = batch.map { file -> Result<[FileOutcome], any Error> in
      batch.count > 1 ? Result { try write([file]) } : .failure(error)
    }
    // Preparing a photo again needs memory, and this batch may hold all of it.
    batch.forEach { $0.memory?.release() }
    return zip(batch, written).flatMap { file, result in
      switch result {
      case .success(let outcomes): outcomes
      case .failure(let error): [again(file, error)]
      }
    }
  }

  /// Prepares a photo again as a new one if the catalog knew it and a prune has removed it since. Other
  /// errors are failures.
  private func again(_ file: PreparedFile, _ error: any Error) -> FileOutcome {
    if case .known = file.content, (error as? CatalogError)?.code == .notFound {
      let hold = reservations.hold()
      defer { hold.release(isKnown: true) }
      switch preparation.prepare(file.file, hold) {
      case .settled(let outcome, _): return outcome
      case .prepared(let new):
        do { return try write([new])[0] } catch {
          return .failed(file.file.displayPath, LeaflogError(error))
        }
      case .deferred: break
      }
    }
    return .failed(file.file.displayPath, LeaflogError(error))
  }

  private func write(_ batch: [PreparedFile]) throws -> [FileOutcome] {
    let start = ContinuousClock.now
    let outcomes = try destination.write(
      ImportBatch(
        files: batch, readmits: batch.map { request.readmits($0.file) },
        notesFiles: !request.movesFiles, now: preparation.present.clock, change: change))
    Self.logger.debug(
      "committed", metadata: ["files": "\(batch.count)", "took": "\(ContinuousClock.now - start)"])
    guard request.movesFiles else { return outcomes }
    return zip(batch, outcomes).map { file, outcome in
      isLeft(file.file, outcome) ? outcome.warned(of: .notMoved) : outcome
    }
  }
}

extension ImportRun {
  /// Removes a source file, and returns whether it had to stay. The photo is in the library by now, so failing to remove
  /// the file is a warning for that photo and never fails the batch.
  private func isLeft(_ file: ScannedFile, _ outcome: FileOutcome) -> Bool {
    // The file of a photo in the trash stays, without a warning.
    guard let photo = outcome.photo else { return false }
    do { return try !destination.remove(file, of: photo, outcome) } catch {
      Self.logger.warning(
        "not moved", metadata: ["file": "\(file.displayPath)", "why": "\(error)"])
      return true
    }
  }
}

extension LeaflogError {
  /// Whether a remote store or service is unavailable as a whole.
  var isOutage: Bool { code == .unreachable || code == .refused }
}

/// The files that wait to be written, in order.
private struct PendingFiles {
  private(set) var files: [PreparedFile] = []
  /// The total size of the blobs to write, in bytes.
  private var byteCount = 0

  mutating func append(_ file: PreparedFile) {
    files.append(file)
    byteCount += file.byteCount
  }

  mutating func removeFirst(_ count: Int) -> [PreparedFile] {
    let first = Array(files.prefix(count))
    files.removeFirst(first.count)
    byteCount -= first.reduce(0) { $0 + $1.byteCount }
    return first
  }

  mutating func removeAll() -> [PreparedFile] { removeFirst(files.count) }

  func isBelow(_ limit: (count: Int, byteCount: Int)) -> Bool {
    files.count < limit.count && byteCount < limit.byteCount
  }

  func reaches(_ share: (count: Int, byteCount: Int)) -> Bool {
    files.count >= share.count || byteCount >= share.byteCount
  }
}

/// Tracks whether an import's store has become unavailable.
private struct Outage {
  /// The error after which nothing more is tried.
  private(set) var error: LeaflogError?
  private var count = 0

  /// The number of consecutive failures to give up after; until then, the store may be restarting.
  private static let maxCount = 5

  /// - Parameter failure: the outage met by a batch or a photo; nil when a batch was written or failed otherwise.
  mutating func note(_ failure: LeaflogError?) {
    count = failure == nil ? 0 : count + 1
    if count >= Self.maxCount { error = failure }
  }
}

extension PreparedFile {
  /// The expected outcome of recording it, for a dry run.
  fileprivate func expected(readmitted: Bool) -> RecordOutcome {
    switch content {
    case .new(let photo): .added(EntryID(sourceDigest: photo.sourceDigest))
    case .known(let photo) where metadata?.replacement != nil:
      .updated(photo.id, isHourRepeated: false)
    case .known(let photo) where !photo.isDeleted:
      metadata?.isRetagged == true ? .outdated(photo.id, .otherMetadata) : .duplicate(photo.id)
    case .known(let photo): readmitted ? .restored(photo.id) : .inTrash(photo.id)
    }
  }
}

extension Importer {
  /// The number of files that an import would report.
  public static func fileCount(_ request: ImportRequest) -> Int {
    var count = 0
    for _ in request.scan { count += 1 }
    return count
  }
}

extension ImportRequest {
  /// The walk through its folders and files.
  fileprivate var scan: FolderScan {
    FolderScan(paths: paths, followsLinks: followsLinks, takesAll: takesAll)
  }

  /// Whether a file's photo is restored from the trash.
  func readmits(_ file: ScannedFile) -> Bool {
    switch readmission {
    case .named: file.isNamed
    case .all: true
    case .none: false
    }
  }
}
