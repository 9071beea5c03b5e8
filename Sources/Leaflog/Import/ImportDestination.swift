internal import DiaryCatalog
internal import Foundation

/// Where an import brings photos: a library on this machine, or one that a service keeps.
protocol ImportDestination: Sendable {
  /// The zone in which wall times without an offset are sorted.
  var timeZone: TimeZone { get }
  var clock: WallClock { get }
  /// How photos are kept unless the import says otherwise.
  var policy: StoragePolicy { get }
  /// How many batches are written at a time.
  var width: Int { get }
  /// The most photos in a batch.
  var maxBatchCount: Int { get }

  /// The size of the largest file that is taken, in bytes.
  func maxFileByteCount() throws(LeaflogError) -> Int

  /// Sees to it that what an earlier import left is in order.
  func begin(isDryRun: Bool) throws

  /// The photo of a file that has not changed since it was imported from here; nil where nothing tells.
  func known(of file: FileFingerprint) throws -> KnownPhoto?

  /// The photo of a file with these bytes.
  func known(withDigest digest: BlobID) throws -> KnownPhoto?

  /// Writes photos, durably: all or none of them.
  func write(_ batch: ImportBatch) throws -> [RecordOutcome]

  /// Removes a source file whose exact bytes are safe.
  ///
  /// - Returns: whether it is gone.
  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool
}

/// Photos that are written together.
struct ImportBatch: Sendable {
  let files: [PreparedFile]
  /// By file, whether its photo comes back from the trash.
  let readmits: [Bool]
  /// Whether the files are noted, so that they need not be read again.
  let notesFiles: Bool
  let now: Timestamp
  /// The change that they are a part of.
  let change: OpenChange
}

/// A library on this machine, as the destination of an import.
struct LibraryDestination: ImportDestination {
  let library: Library

  /// While a batch is recorded, an object store takes the blobs of the next.
  var width: Int { library.objects == nil ? 1 : 2 }
  /// Photos share a commit.
  let maxBatchCount = Int.max

  var timeZone: TimeZone { library.timeZone }
  var clock: WallClock { library.clock }
  var policy: StoragePolicy { library.policy }

  func maxFileByteCount() throws(LeaflogError) -> Int {
    try library.settings.maxImportFileByteCount()
  }

  func begin(isDryRun: Bool) throws {
    try library.disk.sweepTemporaryFiles()
    // A photo that an interrupted run could not send to an object store is no duplicate before it is there.
    if library.objects != nil, !isDryRun { try CatalogJournal(of: library.catalog).settle() }
  }

  func known(of file: FileFingerprint) throws -> KnownPhoto? {
    try library.catalog.read { try $0.photos.known(of: file) }
  }

  func known(withDigest digest: BlobID) throws -> KnownPhoto? {
    try library.catalog.read { try $0.photos.known(withDigest: digest) }
  }

  func write(_ batch: ImportBatch) throws -> [RecordOutcome] {
    try library.blobs.put(batch.files.flatMap(\.blobs))
    let records = zip(batch.files, batch.readmits).map { file, readmits in
      ImportRecord(
        content: file.content,
        file: batch.notesFiles && !file.file.isSent ? file.file.fingerprint : nil,
        readmits: readmits)
    }
    return try library.catalog.change(batch.change, now: batch.now) { tables, _ in
      try tables.photos.record(records, now: batch.now, confirm: library.blobs.confirm)
    }
  }

  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool {
    try SourceRemoval(library).remove(file, outcome)
  }
}
