internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import Logging
internal import Synchronization

/// Brings folders of photos into a library.
///
/// A photo's way in is: scan, read and hash, decode once, make renditions, put the blobs into the
/// store, record one set of rows, report. A file is reported as added only when all of it would
/// survive a power loss; an import that is cut short anywhere is finished by running it again.
public struct Importer: Sendable {
  private let destination: any ImportDestination

  /// `library` must be open for writing.
  public init(_ library: Library) { destination = LibraryDestination(library: library) }

  /// Into a library that a service keeps: photos are prepared here, and recorded there.
  public init(_ library: RemoteLibrary) { destination = library }

  /// Imports what the request names, and reports every file once, as it is done.
  ///
  /// Cancelling the task ends it after the photos at work; the summary says so.
  ///
  /// - Throws: `LeaflogError` for errors of the whole run. A single file's failure is its outcome.
  public func run(
    _ request: ImportRequest, report: @escaping @Sendable (FileOutcome) -> Void
  ) async throws -> ImportSummary {
    let policy = request.policy ?? destination.policy
    if request.isMove, policy == .compact {
      throw LeaflogError(
        .invalidRequest,
        "Moving would leave only compressed copies. Import with the policy lossless or exact, or do "
          + "not move.")
    }
    try check(request.time)
    try translating { try destination.begin(isDryRun: request.isDryRun) }
    let maxByteCount = try request.maxFileByteCount ?? destination.maxFileByteCount()
    let run = ImportRun(
      destination, request, policy, maxByteCount, OpenChange(.importPhotos), .forPhotos())
    return await withTaskExecutorPreference(BlockingExecutor()) {
      await run.result(
        of: FolderScan(paths: request.paths, followsLinks: request.followsLinks), report: report)
    }
  }

  private func check(_ time: RecordedTime?) throws(LeaflogError) {
    guard let time, destination.clock.isFuture(EntryTime(time, in: destination.timeZone)) else {
      return
    }
    throw .invalid("\(time.iso8601) is in the future.")
  }

  /// Imports one photo that was sent, as a part of a change. The caller's executor may block.
  func take(
    _ upload: Upload, in change: OpenChange, _ memory: MemoryBudget
  ) async throws -> FileOutcome {
    try check(upload.request.time)
    // As in a folder: macOS keeps such files beside photos.
    if upload.request.name.hasPrefix(".") { return .skipped(upload.request.name, .hidden) }
    let run = ImportRun(
      destination, upload.request.importRequest, destination.policy, upload.maxByteCount, change,
      memory)
    let file = try ScannedFile(upload)
    let outcome = Mutex<FileOutcome?>(nil)
    _ = await run.result(of: CollectionOfOne(.file(file))) { told in
      outcome.withLock { $0 = told }
    }
    guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
    return outcome
  }
}

/// One import at work.
private struct ImportRun: Sendable {
  let destination: any ImportDestination
  let request: ImportRequest
  let preparation: PhotoPreparation
  let reservations = DigestReservations()
  /// All of it is one change, or a part of one.
  let change: OpenChange

  private static let logger = Logger(label: "leaflog.import")

  /// The most that may wait to be written: commits share their fsyncs, and memory stays bounded.
  private static let maxPendingByteCount = 64 << 20
  /// How many photos, or bytes of them, are worth a commit of their own beside one that is under way.
  private static let worthwhile = (count: 32, byteCount: 16 << 20)
  /// Jobs that wait for memory keep a thread of Dispatch's each, of which there are 64, and those that
  /// write need some.
  private static let maxJobCount = 48

  init(
    _ destination: any ImportDestination, _ request: ImportRequest, _ policy: StoragePolicy,
    _ maxFileByteCount: Int, _ change: OpenChange, _ memory: MemoryBudget
  ) {
    self.destination = destination
    self.request = request
    self.change = change
    preparation = PhotoPreparation(
      destination: destination, request: request, policy: policy,
      now: destination.clock.now,
      reservations: reservations,
      memory: memory, maxFileByteCount: maxFileByteCount)
  }

  private enum Event: Sendable {
    case prepared(PhotoPreparation.Result)
    case committed(Commit)
  }

  private struct Commit {
    let outcomes: [FileOutcome]
    /// Why the store takes nothing from anybody, if so.
    var outage: LeaflogError?
  }

  /// Photos are prepared side by side while a batch is being written, or a few: whatever has become ready by the time
  /// one of them is durable goes into the next.
  func result(
    of items: some Sequence<ScanItem>, report: @Sendable (FileOutcome) -> Void
  ) async -> ImportSummary {
    let start = ContinuousClock.now
    var summary = ImportSummary()
    var scan = items.makeIterator()
    var deferred: [ScannedFile] = []
    var pending: [PreparedFile] = []
    var jobs = 0
    var commits = 0
    var outage = Outage()
    func tell(_ outcome: FileOutcome) {
      summary.count(outcome)
      report(outcome)
    }
    func nextFile() -> ScannedFile? {
      while let item = scan.next() {
        switch item {
        case .file(let file):
          guard let error = outage.error else { return file }
          tell(.failed(file.displayPath, error))
        case .outcome(let outcome): tell(outcome)
        }
      }
      // The others are through, so these are duplicates or the first of their kind now.
      return jobs == 0 && pending.isEmpty && commits == 0 ? deferred.popLast() : nil
    }
    await withTaskGroup(of: Event.self) { group in
      while true {
        while jobs < min(max(1, request.jobCount), Self.maxJobCount), !Task.isCancelled,
          pending.byteCount < Self.maxPendingByteCount, let file = nextFile()
        {
          jobs += 1
          group.addTask { .prepared(preparation.prepare(file)) }
        }
        while commits < destination.width, !pending.isEmpty,
          commits == 0 || isWorthwhile(pending)
        {
          let batch = Array(pending.prefix(destination.maxBatchCount))
          pending.removeFirst(batch.count)
          commits += 1
          let error = outage.error
          group.addTask { .committed(commit(batch, after: error)) }
        }
        guard let event = await group.next() else { break }
        switch event {
        case .prepared(.settled(let outcome, let failure)):
          jobs -= 1
          if let failure { outage.note(failure) }
          tell(outcome)
        case .prepared(.deferred(let file)):
          jobs -= 1
          deferred.append(file)
        case .prepared(.prepared(let file)):
          jobs -= 1
          pending.append(file)
        case .committed(let commit):
          commits -= 1
          outage.note(commit.outage)
          commit.outcomes.forEach(tell)
        }
      }
    }
    summary.isInterrupted = Task.isCancelled
    summary.duration = ContinuousClock.now - start
    Self.logger.debug(
      "finished", metadata: ["peakMemory": "\(ProcessMemory.peakByteCount ?? 0)"])
    return summary
  }

  private func isWorthwhile(_ batch: [PreparedFile]) -> Bool {
    batch.count >= min(Self.worthwhile.count, destination.maxBatchCount)
      || batch.byteCount >= Self.worthwhile.byteCount
  }

  /// Blobs first, then the rows; a batch that cannot be written whole is tried file by file, so that
  /// one large photo does not take others with it when a disk fills up. A store that cannot
  /// be reached, or refuses the key, is not asked for each file: one would take as long to fail as all.
  ///
  /// - Parameter outage: why nothing is tried any more.
  private func commit(_ batch: [PreparedFile], after outage: LeaflogError?) -> Commit {
    defer { batch.forEach { $0.memory?.release() } }
    if request.isDryRun {
      return Commit(
        outcomes: batch.map { $0.outcome($0.expected(readmitted: request.readmits($0.file))) })
    }
    defer { batch.compactMap(\.reserved).forEach(reservations.release) }
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
      case .failure(let error): again(file, error)
      }
    }
  }

  /// A photo that the catalog knew and that a prune has forgotten since is a new one. Other errors
  /// are failures.
  private func again(_ file: PreparedFile, _ error: any Error) -> [FileOutcome] {
    if case .known = file.content, (error as? CatalogError)?.code == .notFound {
      switch preparation.prepare(file.file) {
      case .settled(let outcome, _): return [outcome]
      case .prepared(let new):
        defer { new.reserved.map(reservations.release) }
        do { return try write([new]) } catch {
          return [.failed(file.file.displayPath, LeaflogError(error))]
        }
      case .deferred: break
      }
    }
    return [.failed(file.file.displayPath, LeaflogError(error))]
  }

  private func write(_ batch: [PreparedFile]) throws -> [FileOutcome] {
    let start = ContinuousClock.now
    let recorded = try destination.write(
      ImportBatch(
        files: batch, readmits: batch.map { request.readmits($0.file) },
        notesFiles: !request.isMove, now: preparation.now, change: change))
    Self.logger.debug(
      "committed", metadata: ["files": "\(batch.count)", "took": "\(ContinuousClock.now - start)"])
    return zip(batch, recorded).map { file, outcome in
      file.outcome(outcome, request.isMove && !isMoved(file.file, outcome) ? [.notMoved] : [])
    }
  }
}

extension ImportRun {
  /// Removes a source file. The photo is in the library by now, so a file that stays is a warning of
  /// that photo's, never the batch's failure.
  private func isMoved(_ file: ScannedFile, _ outcome: RecordOutcome) -> Bool {
    if case .inTrash = outcome { return true }  // it stays, and nobody is to be warned
    do { return try destination.remove(file, outcome) } catch {
      Self.logger.warning(
        "not moved", metadata: ["file": "\(file.displayPath)", "why": "\(error)"])
      return false
    }
  }
}

extension LeaflogError {
  /// Whether a store or a service elsewhere takes nothing from anybody.
  var isOutage: Bool { code == .unreachable || code == .refused }
}

extension [PreparedFile] {
  /// The size of all blobs that are to be written, in bytes.
  fileprivate var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}

/// Whether an import's store is gone.
private struct Outage {
  /// Why nothing is tried any more.
  private(set) var error: LeaflogError?
  private var count = 0

  /// Failures in a row for it: meanwhile the store may be started anew.
  private static let maxCount = 5

  /// - Parameter failure: that of a batch or a photo; nil when a batch was written, or failed for another reason.
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
    case .known(let photo) where !photo.isDeleted: .duplicate(photo.id)
    case .known(let photo): readmitted ? .restored(photo.id) : .inTrash(photo.id)
    }
  }

  fileprivate func outcome(
    _ recorded: RecordOutcome, _ further: [ImportWarning] = []
  ) -> FileOutcome {
    FileOutcome(
      path: file.displayPath, result: result(recorded), warnings: warnings + further,
      sourceByteCount: file.fingerprint.byteCount)
  }

  private func result(_ recorded: RecordOutcome) -> FileOutcome.Result {
    switch (recorded, content) {
    case (.added(let id), .new(let photo)):
      .added(
        ImportedPhoto(
          id: id, plantName: photo.plantName, time: photo.time,
          captureSource: photo.captureSource, sourceByteCount: photo.sourceByteCount,
          storedByteCount: photo.renditions.reduce(0) { $0 + $1.byteCount }))
    case (.added(let id), .known), (.duplicate(let id), _): .duplicate(id)
    case (.restored(let id), _): .restored(id)
    case (.inTrash, _): .skipped(.inTrash)
    }
  }
}

extension Importer {
  /// How many files an import would report.
  public static func fileCount(_ request: ImportRequest) -> Int {
    var count = 0
    for _ in FolderScan(paths: request.paths, followsLinks: request.followsLinks) { count += 1 }
    return count
  }
}

extension ImportRequest {
  /// Whether a file's photo comes back from the trash.
  func readmits(_ file: ScannedFile) -> Bool {
    switch readmission {
    case .named: file.isNamed
    case .all: true
    case .none: false
    }
  }
}
