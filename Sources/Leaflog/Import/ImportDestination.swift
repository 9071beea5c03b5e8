internal import BlobStorage
internal import DiaryCatalog
internal import DiaryModel
internal import Foundation
internal import SystemPackage

/// The destination of an import: a library on this machine, or one behind a service.
protocol ImportDestination: Sendable {
  /// The zone used to sort wall times without an offset.
  var timeZone: TimeZone { get }
  /// Checks that a time that somebody has entered is a certain moment.
  func checkZone(of time: RecordedTime) throws(LeaflogError)
  /// The hour until which a time counts for the day before.
  var dayEnd: Int { get }
  var clock: WallClock { get }
  /// The present, by the clock and by what else is known of it.
  var present: Present { get throws }
  /// The storage policy, unless the import specifies another.
  var policy: StoragePolicy { get }
  /// The number of batches written concurrently.
  var width: Int { get }
  /// The maximum number of photos in a batch.
  var maxBatchCount: Int { get }
  /// Whether it takes files as they are, and prepares them itself.
  var takesFiles: Bool { get }

  /// The size of the largest file that is accepted, in bytes.
  func maxFileByteCount() throws(LeaflogError) -> Int

  /// Cleans up what an earlier import may have left behind.
  func begin(isDryRun: Bool) throws

  /// The photo of a file that has not changed since it was imported from this path; nil if that is not known.
  func known(of file: FileFingerprint) throws -> KnownPhoto?

  /// The photo of a file with these bytes.
  func known(withDigest digest: BlobID) throws -> KnownPhoto?

  /// The photos that have the same picture as a file, if that is known before the file is sent.
  func known(withPicture picture: BlobID, of time: RecordedTime?) throws -> PictureMatch

  /// The compressed copy of a photo that has the same picture as a file; nil if there is none.
  func copy(of photo: KnownPhoto) throws -> Rendition?

  /// The name of the plant that has the name of a folder as its own or as an alias; nil if there is none.
  func plant(ofFolder folder: String) throws -> String?

  /// Writes photos durably, all or none of them.
  func write(_ batch: ImportBatch) throws -> [FileOutcome]

  /// Notes that an import has ended, which took so long.
  func end(afterWorkOf duration: Duration)

  /// Removes a source file whose exact bytes are stored safely.
  ///
  /// - Returns: whether it was removed.
  func remove(_ file: ScannedFile, of photo: EntryID, _ outcome: FileOutcome) throws -> Bool
}

/// Photos that are written together.
struct ImportBatch: Sendable {
  let files: [PreparedFile]
  /// For each file, whether its photo is restored from the trash.
  let readmits: [Bool]
  /// Whether the files are recorded, so that another import need not read them again.
  let notesFiles: Bool
  let now: Timestamp
  /// The change that the photos are part of.
  let change: OpenChange
}

/// A library on this machine, as the destination of an import.
struct LibraryDestination: ImportDestination {
  let library: Library

  /// With an object store, the blobs of the next batch are sent while one is recorded.
  var width: Int { library.objects == nil ? 1 : 2 }
  /// All photos that are ready share a commit, up to as many as are written in about a second: an interrupt waits for it.
  let maxBatchCount = 256
  let takesFiles = false

  var timeZone: TimeZone { library.timeZone }
  func checkZone(of time: RecordedTime) throws(LeaflogError) { try library.checkZone(of: time) }
  var dayEnd: Int { library.dayEnd }
  var clock: WallClock { library.clock }
  var present: Present { get throws { try library.present } }
  var policy: StoragePolicy { library.policy }

  func maxFileByteCount() throws(LeaflogError) -> Int {
    try library.settings.maxImportFileByteCount()
  }

  func begin(isDryRun: Bool) throws {
    if isDryRun { try library.checkAlone() } else { try library.checkWritable() }
    try library.disk.sweepTemporaryFiles()
    // A photo that an interrupted run could not send to an object store is not a duplicate until it is there.
    if library.objects != nil, !isDryRun { try CatalogJournal(of: library.catalog).settle() }
  }

  func known(of file: FileFingerprint) throws -> KnownPhoto? {
    try library.catalog.read { try $0.photos.known(of: file) }
  }

  func known(withDigest digest: BlobID) throws -> KnownPhoto? {
    try library.catalog.read { try $0.photos.known(withDigest: digest) }
  }

  func known(withPicture picture: BlobID, of time: RecordedTime?) throws -> PictureMatch {
    try library.catalog.read { try $0.photos.known(withPicture: picture, of: time) }
  }

  func copy(of photo: KnownPhoto) throws -> Rendition? {
    try library.catalog.read { try $0.photos.copy(of: photo) }
  }

  func plant(ofFolder folder: String) throws -> String? {
    try library.catalog.read { try $0.plants.name(ofFolder: folder) }
  }

  func write(_ batch: ImportBatch) throws -> [FileOutcome] {
    try library.blobs.put(batch.files.flatMap(\.blobs))
    let sender = library.catalog.context.sender
    let records = zip(batch.files, batch.readmits).map { file, readmits in
      ImportRecord(
        content: file.content.sent(by: sender),
        file: batch.notesFiles && !file.file.isSent ? file.file.fingerprint : nil,
        readmits: readmits, metadata: file.metadata, sender: sender)
    }
    let outcomes = try library.catalog.change(batch.change, now: batch.now) { tables, _ in
      try tables.photos.record(records, now: batch.now, confirm: library.blobs.confirm)
    }
    return zip(batch.files, outcomes).map { $0.outcome($1) }
  }

  func end(afterWorkOf duration: Duration) {
    library.takeSnapshotIfDue(afterWorkOf: duration)
  }

  func remove(_ file: ScannedFile, of photo: EntryID, _ outcome: FileOutcome) throws -> Bool {
    try SourceRemoval(library).remove(file, of: photo, outcome)
  }
}

/// Deletes source files whose photos are in the library, for imports that move.
private struct SourceRemoval {
  private let library: Library

  init(_ library: Library) { self.library = library }

  /// Deletes the file, but only if its exact bytes can be restored from the store and it has not changed
  /// since it was read.
  ///
  /// - Returns: whether it was deleted.
  func remove(_ file: ScannedFile, of photo: EntryID, _ outcome: FileOutcome) throws -> Bool {
    // Its new keywords are nowhere else.
    if outcome.warnings.contains(.otherMetadata) || outcome.warnings.contains(.sidecarChanged) {
      return false
    }
    let photo = try library.catalog.read { try $0.photos.find(photo.description) }
    // A blob that this import has written was synced just now; the disk may have damaged an older one.
    let isNew = outcome.isAdded
    guard try isNew || file.isKnown(by: library) else { return false }
    let isSafe = try photo.renditions.contains {
      guard $0.role == .original || $0.role == .packed else { return false }
      return isNew
        ? try library.blobs.byteCount(of: $0.blob) == $0.byteCount
        : try library.blobs.faultInBytes(of: $0.blob, byteCount: $0.byteCount) == nil
    }
    guard isSafe, try file.isUnchanged else { return false }
    try library.store.sendJournal()
    try file.remove(by: library.disk.files)
    return true
  }
}

extension ScannedFile {
  /// Whether it has not changed since it was found.
  var isUnchanged: Bool {
    get throws {
      let status = try FileStatus(path)
      return status.byteCount == fingerprint.byteCount
        && status.modifiedAt == fingerprint.modifiedAt
        && status.changedAt == fingerprint.changedAt && status.inode == fingerprint.inode
    }
  }

  /// Whether the library has a photo from a file with its bytes.
  fileprivate func isKnown(by library: Library) throws -> Bool {
    let digest = try FileReader(path).hash()
    return try library.catalog.read { try $0.photos.known(withDigest: digest) } != nil
  }

  func remove(by files: any FileSystem) throws(LeaflogError) {
    do throws(Errno) { try files.unlink(path) } catch {
      throw LeaflogError(
        .failed, "The photo is in the library, but \(displayPath) could not be removed: \(error).")
    }
  }
}

extension PreparedFile {
  /// The outcome of recording it.
  func outcome(_ recorded: RecordOutcome) -> FileOutcome {
    let photo: NewPhoto? = if case .new(let photo) = content { photo } else { nil }
    return FileOutcome(
      path: file.displayPath, recorded, of: photo, warnings,
      sourceByteCount: file.fingerprint.byteCount)
  }
}

extension FileOutcome {
  /// - Parameters:
  ///   - photo: the photo as it was to be added; nil for one that is known.
  ///   - warnings: about the file. A warning about facts that were not taken over takes their place.
  init(
    path: String, _ recorded: RecordOutcome, of photo: NewPhoto?, _ warnings: [ImportWarning],
    sourceByteCount: Int
  ) {
    var warnings = warnings
    let result: Result
    switch recorded {
    case .added(let id): result = photo.map { .added(ImportedPhoto(id, $0)) } ?? .duplicate(id)
    case .duplicate(let id): result = .duplicate(id)
    case .outdated(let id, let notice): (result, warnings) = (.duplicate(id), [notice])
    case .updated(let id, _): result = .updated(id)
    case .restored(let id): result = .restored(id)
    case .inTrash: result = .skipped(.inTrash)
    }
    // The hour matters only where its time was taken over.
    let isHourRepeated =
      switch recorded {
      case .added: warnings.contains(.repeatedHour)
      case .updated(_, let isHourRepeated): isHourRepeated
      case .duplicate, .outdated, .restored, .inTrash: false
      }
    warnings = (warnings.filter { $0 != .repeatedHour } + (isHourRepeated ? [.repeatedHour] : []))
      .sorted()
    self.init(path: path, result: result, warnings: warnings, sourceByteCount: sourceByteCount)
  }
}

extension ImportedPhoto {
  fileprivate init(_ id: EntryID, _ photo: NewPhoto) {
    self.init(
      id: id, plantName: photo.plant?.name, time: photo.time, captureSource: photo.captureSource,
      sourceByteCount: photo.sourceByteCount, storedByteCount: photo.storedByteCount)
  }
}
