internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import SystemPackage

/// Recovery of photos that the catalog does not know.
extension CatalogRescue {
  /// Adds photos whose blobs all exist, from the catalog that the journal leads to, and from the snapshots,
  /// the newest first.
  ///
  /// - Returns: the number of photos added.
  func addFormer(_ recovered: FilePath, to library: Library) throws -> Int {
    var count = 0
    for path in [recovered.string] + CatalogSnapshot.all(in: layout).map(\.path) {
      // A damaged one is skipped; there may be others.
      guard let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion) else {
        continue
      }
      defer { try? catalog.close() }
      count += try add(forgotten(from: catalog, inTrash: false, by: library), of: catalog, library)
      let deleted = try forgotten(from: catalog, inTrash: true, by: library)
      count += try add(deleted, of: catalog, library)
      // Those that are back and were in the trash go there again.
      var edits: [EntryEdit] = []
      for entry in deleted where try isKnown(entry, to: library) {
        var edit = EntryEdit(entry.id)
        edit.isDeleted = true
        edits.append(edit)
      }
      _ = try library.change(.photoDelete) { try $0.entries.apply(edits, now: $1) }
    }
    return count
  }

  private func forgotten(
    from catalog: Catalog, inTrash: Bool, by library: Library
  ) throws -> [Entry] {
    try catalog.read { try $0.entries.all(.matching(TimelineQuery(deleted: inTrash))) }
      .filter { try !isKnown($0, to: library) }
  }

  private func isKnown(_ entry: Entry, to library: Library) throws -> Bool {
    guard let photo = entry.photo else { return true }
    return try library.catalog.read { try $0.photos.known(withDigest: photo.sourceDigest) } != nil
  }

  private func add(
    _ entries: [Entry], of catalog: Catalog, _ library: Library
  ) throws -> Int {
    try add(
      entries.compactMap { entry in
        NewPhoto(
          try catalog.read { try $0.photos.find(entry.id.description) }, in: library)
      }, to: library)
  }

  private func add(_ photos: [NewPhoto], to library: Library) throws -> Int {
    var count = 0
    for photo in photos {
      let known = try library.read { try $0.photos.known(withDigest: photo.sourceDigest) }
      guard known == nil else { continue }
      let isWhole = try photo.renditions.allSatisfy {
        try library.blobs.byteCount(of: $0.blob) == $0.byteCount
      }
      guard isWhole, !photo.renditions.isEmpty else { continue }
      let outcomes = try library.change(.importPhotos) { tables, _ in
        try tables.photos.record(
          [ImportRecord(content: .new(photo), file: nil)], now: library.clock.now,
          confirm: library.blobs.confirm)
      }
      if case .added? = outcomes.first { count += 1 }
    }
    return count
  }

  /// Turns blobs without a row into photos again, if they are images larger than a thumbnail or with EXIF.
  ///
  /// - Returns: the number of photos added.
  func adoptBlobs(into library: Library) throws -> Int {
    var unknown: [StoredBlob] = []
    try library.store.forEachStoredBlob { if !$1 { unknown.append($0) } }
    var taken = Set(
      try library.catalog.read { try $0.entries.all(.matching(TimelineQuery())) }.compactMap(
        Likeness.init))
    taken.formUnion(
      try library.catalog.read { try $0.entries.all(.matching(TimelineQuery(deleted: true))) }
        .compactMap(Likeness.init)
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

  /// The traits that two blobs of one photo share: a compressed copy has the date and the size of its original. They
  /// prevent that a photo is added twice.
  private struct Likeness: Hashable {
    let instant: Timestamp
    let size: PixelSize

    init?(_ entry: Entry) {
      guard let photo = entry.photo else { return nil }
      (instant, size) = (entry.time.instant, photo.size)
    }

    /// Nil for a photo without a date of its own: the time when a blob was stored says nothing about the photo, and a
    /// program may change many files in a second.
    init?(_ photo: NewPhoto) {
      guard !photo.warnings.contains(where: \.isGuessedDate) else { return nil }
      (instant, size) = (photo.time.instant, photo.size)
    }
  }

  private func adopted(_ blob: StoredBlob, _ library: Library) throws -> NewPhoto? {
    let stored = try library.blobs.verifiedBytes(blob.id)
    // A packed JPEG is identified by the file that it unpacks to.
    let isPacked = stored.withUnsafeBytes { FileType(head: $0) } == .image(.jxl)
    let unpacked = isPacked ? try? JPEGPacking.unpack(stored) : nil
    let bytes = unpacked ?? stored
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      return nil
    }
    let file = try PhotoFile(bytes: bytes, format: format)
    let side = max(file.storedSize.width, file.storedSize.height)
    guard side > DecodedPhoto.thumbnailSide || file.exif != EXIF() else { return nil }
    let thumbnail = try file.read().thumbnail()
    let pending = PendingBlob(hashing: thumbnail.image.bytes)
    try library.blobs.put([pending])
    var evidence = CaptureTimeEvidence(modified: blob.storedAt)
    evidence.exif = file.exif
    evidence.take(file.xmp.flatMap { XMP.facts($0) }, from: .xmp)
    evidence.iptc = file.iptc
    evidence.take(pngText: file.pngCreationTime)
    let (capture, doubts) = evidence.resolve(now: try library.present.now)
    let full = Rendition(
      role: unpacked == nil ? .original : .packed, blob: blob.id, byteCount: blob.byteCount,
      mediaType: unpacked == nil ? format.mediaType : ImageFormat.jxl.mediaType,
      size: file.storedSize, recipe: unpacked == nil ? "exact" : JPEGPacking.recipe)
    let small = Rendition(
      role: .thumbnail, blob: pending.id, byteCount: pending.bytes.count,
      mediaType: thumbnail.image.format.mediaType, size: thumbnail.image.size,
      recipe: thumbnail.image.recipe)
    var photo = NewPhoto(
      sourceDigest: unpacked == nil ? blob.id : bytes.withUnsafeBytes { BlobID(hashing: $0) },
      sourceByteCount: bytes.count, sourceMediaType: format.mediaType,
      originalName: "\(blob.id.hex.prefix(16)).\(format.fileExtension)", size: file.uprightSize,
      time: library.placed(capture.recorded), captureSource: capture.source,
      notes: nil, plantName: nil, placeholder: try Placeholder.hash(thumbnail.decoded),
      warnings: doubts.sorted(), renditions: [full, small])
    photo.pictureDigest = PictureData.ranges(of: bytes, format)
      .map { BlobID(hashing: $0, of: bytes) }
    photo.foundTime = doubts.contains(where: \.isGuessedDate) ? nil : capture.recorded
    return photo
  }
}

extension NewPhoto {
  /// A photo of another catalog, with its time in this library.
  fileprivate init?(_ photo: Photo, in library: Library) {
    guard let summary = photo.entry.photo else { return nil }
    self.init(
      sourceDigest: summary.sourceDigest, sourceByteCount: summary.sourceByteCount,
      sourceMediaType: photo.sourceMediaType, originalName: photo.originalName, size: summary.size,
      time: photo.entry.time.moved(to: library.timeZone, dayEnd: library.dayEnd),
      captureSource: summary.captureSource,
      notes: photo.entry.notes, plantName: photo.entry.plant?.name, placeholder: photo.placeholder,
      warnings: photo.warnings, renditions: photo.renditions)
    (tags, isFavourite) = (photo.entry.tags, summary.isFavourite)
  }
}
