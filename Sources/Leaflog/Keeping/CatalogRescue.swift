internal import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import Imaging
internal import SystemPackage

/// What was brought back into a catalog that was lost.
public struct CatalogRescueReport: Sendable, Hashable {
  /// When the snapshot was taken that it began with; nil when there was none.
  public internal(set) var snapshotTakenAt: Timestamp?
  /// Photos that came since, with all that was known of them.
  public internal(set) var journalPhotoCount = 0
  /// Photos of which there were blobs alone: they have the date that their EXIF tells, and no plant.
  public internal(set) var blobPhotoCount = 0
  /// Where the damaged catalog lies now; nil when there was none.
  public internal(set) var quarantine: String?
}

/// Makes the catalog of a library again: from its newest good snapshot, from the journal of photos that
/// came since, and from blobs that neither knows.
public struct CatalogRescue: Sendable {
  private let layout: LibraryLayout

  /// Whether a library's catalog is missing, or so damaged that it cannot be used.
  public static func isNeeded(at path: String) -> Bool {
    let layout = LibraryLayout(FilePath(path))
    guard layout.exists else { return false }
    guard FileManager.default.fileExists(atPath: layout.catalog.string) else { return true }
    do {
      let catalog = try Catalog(path: layout.catalog.string, access: .readOnly)
      return try catalog.inconsistencies().contains { $0.hasPrefix("SQLite") }
    } catch {
      return (error as? CatalogError)?.code == .damaged
    }
  }

  /// - Throws: `LeaflogError` with code `noLibrary` when the folder is none.
  public init(at path: String) throws(LeaflogError) {
    let given = LibraryLayout(FilePath(path))
    _ = try LibraryMarker.read(given.marker)
    layout = try translating { LibraryLayout(try given.root.resolved()) }
  }

  /// `timeZone`: for a library of which no snapshot is left.
  public func run(timeZone: TimeZone = .current) throws(LeaflogError) -> CatalogRescueReport {
    try translating {
      var report = CatalogRescueReport()
      let snapshot = newestGoodSnapshot()
      report.quarantine = try setCatalogAside()
      report.snapshotTakenAt = snapshot?.takenAt
      if let snapshot {
        let file = try OutputFile(layout.catalog)
        try Data(contentsOf: URL(fileURLWithPath: snapshot.path)).withUnsafeBytes {
          try file.write($0)
        }
        _ = try file.replace()
      }
      let library = try Library.reopen(layout)
      if snapshot == nil { try library.catalog.set([.timeZone: timeZone.identifier]) }
      report.journalPhotoCount = try replay(into: library)
      report.blobPhotoCount = try adoptBlobs(into: library)
      try library.catalog.acceptGeneration()
      try library.close()
      return report
    }
  }

  private func newestGoodSnapshot() -> CatalogSnapshot? {
    CatalogSnapshot.all(in: layout).first { snapshot in
      guard let catalog = try? Catalog(path: snapshot.path, access: .readOnly) else { return false }
      defer { try? catalog.close() }
      return (try? catalog.inconsistencies().contains { $0.hasPrefix("SQLite") }) == false
    }
  }

  /// What is left of the catalog may still be of use to somebody: it is moved, never deleted.
  private func setCatalogAside() throws -> String? {
    let files = ["", "-wal", "-shm"].map { layout.catalog.string + $0 }
      .filter { FileManager.default.fileExists(atPath: $0) }
    guard !files.isEmpty else { return nil }
    let folder = layout.quarantine.string + "/catalog-\(Timestamp.now.milliseconds)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in files {
      try FileManager.default.moveItem(
        atPath: file, toPath: folder + "/" + (file as NSString).lastPathComponent)
    }
    return folder
  }

  /// Photos of the journal whose blobs are all there.
  private func replay(into library: Library) throws -> Int {
    let photos = RecoveryJournal(layout).photos(in: library.timeZone)
    return try add(photos, to: library)
  }

  private func add(_ photos: [NewPhoto], to library: Library) throws -> Int {
    var count = 0
    for photo in photos where try library.catalog.photo(withDigest: photo.sourceDigest) == nil {
      let isWhole = try photo.renditions.allSatisfy {
        try library.blobs.byteCount(of: $0.blob) == $0.byteCount
      }
      guard isWhole, !photo.renditions.isEmpty else { continue }
      let outcomes = try library.catalog.record(
        [ImportRecord(content: .new(photo), file: nil)], now: .now,
        confirm: library.blobs.confirm)
      if case .added? = outcomes.first { count += 1 }
    }
    return count
  }

  /// Blobs that no row knows: pictures larger than a thumbnail become photos again.
  private func adoptBlobs(into library: Library) throws -> Int {
    let known = Set(try library.catalog.knownBlobs().map(\.id))
    var unknown: [StoredBlob] = []
    try library.blobs.list { if !known.contains($0.id) { unknown.append($0) } }
    var taken = Set(
      try library.catalog.entries(.matching(TimelineQuery())).compactMap(Likeness.init))
    taken.formUnion(
      try library.catalog.entries(.matching(TimelineQuery(deleted: true))).compactMap(Likeness.init)
    )
    var photos: [NewPhoto] = []
    for blob in unknown.sorted(by: { $0.storedAt < $1.storedAt }) {
      let photo = try? withImagingThread { try adopted(blob, library) }
      guard let photo = photo ?? nil else { continue }
      if let likeness = Likeness(photo), !taken.insert(likeness).inserted { continue }
      photos.append(photo)
    }
    return try add(photos, to: library)
  }

  /// What two blobs of one photo share: a compressed copy has the date and the size of what it is a copy
  /// of. Of a photo that is there already no second one is made.
  private struct Likeness: Hashable {
    let instant: Timestamp
    let size: PixelSize

    init?(_ entry: Entry) {
      guard let photo = entry.photo else { return nil }
      (instant, size) = (entry.time.instant, photo.size)
    }

    /// Nil without a date of its own: when a blob was stored says nothing of the photo.
    init?(_ photo: NewPhoto) {
      guard photo.captureSource != .mtime else { return nil }
      (instant, size) = (photo.time.instant, photo.size)
    }
  }

  private func adopted(_ blob: StoredBlob, _ library: Library) throws -> NewPhoto? {
    let stored = try library.blobs.verifiedBytes(blob.id)
    // A packed JPEG is known by what it unpacks to.
    let isPacked = stored.withUnsafeBytes { FileType(head: $0) } == .image(.jxl)
    let unpacked = isPacked ? try? JPEGPacking.unpack(stored) : nil
    let bytes = unpacked ?? stored
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      return nil
    }
    let file = try PhotoFile(bytes: bytes, format: format)
    let side = max(file.storedSize.width, file.storedSize.height)
    guard side > DecodedPhoto.thumbnailSide || file.exif != EXIF() else { return nil }
    let thumbnail = try file.decode().thumbnail()
    let pending = PendingBlob(hashing: thumbnail.image.bytes)
    try library.blobs.put([pending])
    var evidence = CaptureTimeEvidence(modified: blob.storedAt)
    evidence.exif = file.exif
    evidence.embeddedXMP = file.xmp.flatMap { XMP.facts($0) }?.time
    let (capture, doubts) = evidence.resolve(now: .now)
    let full = Rendition(
      role: unpacked == nil ? .original : .packed, blob: blob.id, byteCount: blob.byteCount,
      mediaType: unpacked == nil ? format.mediaType : ImageFormat.jxl.mediaType,
      size: file.storedSize, recipe: unpacked == nil ? "exact" : JPEGPacking.recipe)
    let small = Rendition(
      role: .thumbnail, blob: pending.id, byteCount: pending.bytes.count,
      mediaType: thumbnail.image.format.mediaType, size: thumbnail.image.size,
      recipe: thumbnail.image.recipe)
    return NewPhoto(
      sourceDigest: unpacked == nil ? blob.id : bytes.withUnsafeBytes { BlobID(hashing: $0) },
      sourceByteCount: bytes.count, sourceMediaType: format.mediaType,
      originalName: "\(blob.id.hex.prefix(16)).\(format.fileExtension)", size: file.uprightSize,
      time: EntryTime(capture.recorded, in: library.timeZone), captureSource: capture.source,
      notes: nil, plantName: nil, placeholder: try Placeholder.hash(thumbnail),
      warnings: doubts.sorted(), renditions: [full, small])
  }
}
