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

  /// The size of the largest file that is accepted, in bytes.
  func maxFileByteCount() throws(LeaflogError) -> Int

  /// Cleans up what an earlier import may have left behind.
  func begin(isDryRun: Bool) throws

  /// The photo of a file that has not changed since it was imported from this path; nil if that is not known.
  func known(of file: FileFingerprint) throws -> KnownPhoto?

  /// The photo of a file with these bytes.
  func known(withDigest digest: BlobID) throws -> KnownPhoto?

  /// Whether somebody has sent a photo and said that it was made from a file with these bytes, which gives way to it.
  func isClaimed(_ digest: BlobID) throws -> Bool

  /// The photos that have the same picture as a file, if that is known before the file is sent.
  func known(withPicture picture: BlobID, of time: RecordedTime?) throws -> PictureMatch

  /// The compressed copy of a photo that has the same picture as a file; nil if there is none.
  func copy(of photo: KnownPhoto) throws -> Rendition?

  /// The name of the plant that has the name of a folder as its own or as an alias; nil if there is none.
  func plant(ofFolder folder: String) throws -> String?

  /// Writes photos durably, all or none of them.
  func write(_ batch: ImportBatch) throws -> [RecordOutcome]

  /// Removes a source file whose exact bytes are stored safely.
  ///
  /// - Returns: whether it was removed.
  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool
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
    if !isDryRun { try library.checkWritable() }
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

  func isClaimed(_ digest: BlobID) throws -> Bool {
    try library.catalog.read { try $0.sentPhotos.isClaimed(digest) }
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

  func write(_ batch: ImportBatch) throws -> [RecordOutcome] {
    try library.blobs.put(batch.files.flatMap(\.blobs))
    let sender = library.catalog.context.sender
    let records = zip(batch.files, batch.readmits).map { file, readmits in
      ImportRecord(
        content: file.content.sent(by: sender.map { PhotoSender($0) }),
        file: batch.notesFiles && !file.file.isSent ? file.file.fingerprint : nil,
        readmits: readmits, metadata: file.metadata, sender: sender)
    }
    return try library.catalog.change(batch.change, now: batch.now) { tables, _ in
      try tables.photos.record(records, now: batch.now, confirm: library.blobs.confirm)
    }
  }

  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool {
    try SourceRemoval(library).remove(file, outcome)
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
  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool {
    // Its new keywords are nowhere else.
    if outcome.notice != nil { return false }
    let photo = try library.catalog.read { try $0.photos.find(outcome.photo.description) }
    // A blob that this import has written was synced just now; the disk may have damaged an older one.
    let isNew = if case .added = outcome { true } else { false }
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

extension RecordOutcome {
  /// The photo's id.
  var photo: EntryID {
    switch self {
    case .added(let id), .duplicate(let id), .restored(let id), .inTrash(let id),
      .updated(let id), .confirmed(let id), .claimedBefore(let id), .outdated(let id, _):
      id
    }
  }

  /// The warning about new facts of the file that were not taken over.
  var notice: ImportWarning? {
    if case .outdated(_, let notice) = self { notice } else { nil }
  }

  /// The warnings about what the library had before.
  var warnings: [ImportWarning]? {
    if case .confirmed = self { [.claimReplaced] } else { notice.map { [$0] } }
  }
}
