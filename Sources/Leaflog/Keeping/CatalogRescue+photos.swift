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
      for inTrash in [false, true] {
        for id in try forgotten(from: catalog, inTrash: inTrash, by: library) {
          if try add(id, of: catalog, to: library) { count += 1 }
        }
      }
    }
    return count
  }

  private func forgotten(
    from catalog: Catalog, inTrash: Bool, by library: Library
  ) throws -> [EntryID] {
    try catalog.read { try $0.entries.all(.matching(TimelineQuery(deleted: inTrash))) }
      .filter { entry in
        guard let photo = entry.photo else { return false }
        return try library.read { try $0.photos.known(withDigest: photo.sourceDigest) } == nil
      }.map(\.id)
  }

  /// - Returns: whether the photo was added: all of its blobs exist.
  private func add(_ id: EntryID, of catalog: Catalog, to library: Library) throws -> Bool {
    guard var former = try catalog.read({ try $0.photos.exchanged(id) }),
      try isWhole(former.photo, in: library), try !hasPicture(of: former.photo, library)
    else { return false }
    former.photo.time = former.photo.time.moved(to: library.timeZone, dayEnd: library.dayEnd)
    return try library.change(.importPhotos) {
      try $0.photos.add(former, now: $1, confirm: library.blobs.confirm)
    }
  }

  /// Whether the library has the picture already: the photo's file was replaced since.
  private func hasPicture(of photo: NewPhoto, _ library: Library) throws -> Bool {
    guard let picture = photo.pictureDigest,
      case .same = try library.read({
        try $0.photos.known(withPicture: picture, of: photo.foundTime)
      })
    else { return false }
    return true
  }

  private func isWhole(_ photo: NewPhoto, in library: Library) throws -> Bool {
    try !photo.renditions.isEmpty
      && photo.renditions.allSatisfy {
        try library.blobs.byteCount(of: $0.blob) == $0.byteCount
      }
  }

  private func add(_ photos: [NewPhoto], to library: Library) throws -> Int {
    var count = 0
    for photo in photos {
      let known = try library.read { try $0.photos.known(withDigest: photo.sourceDigest) }
      guard known == nil else { continue }
      guard try isWhole(photo, in: library) else { continue }
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
      guard let photo = try adopted(blob, library) else { continue }
      if let likeness = Likeness(photo), !taken.insert(likeness).inserted { continue }
      photos.append(photo)
    }
    return try add(photos, to: library)
  }

  /// The JPEG that is packed in a file; nil for another JPEG XL file.
  private func unpacked(_ stored: SharedBytes) throws(LackOfMemory) -> SharedBytes? {
    do { return try JPEGPacking.unpack(stored) } catch let error where error.code == .tooLarge {
      throw LackOfMemory(error: error)
    } catch { return nil }
  }

  /// The error for a photo that only a machine with more memory can adopt.
  private struct LackOfMemory: Error { let error: ImagingError }

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

  /// The photo of a blob; nil for one that is none, or cannot be read.
  ///
  /// - Throws: `ImagingError` with code `tooLarge` for a packed photo that takes too much memory here: as another photo, it
  ///   would have another id.
  private func adopted(_ blob: StoredBlob, _ library: Library) throws -> NewPhoto? {
    do { return try withImagingThread { try photo(of: blob, library) } } catch let lack
      as LackOfMemory
    { throw lack.error } catch { return nil }
  }

  private func photo(of blob: StoredBlob, _ library: Library) throws -> NewPhoto? {
    let stored = try library.blobs.verifiedBytes(blob.id)
    // A packed JPEG is identified by the file that it unpacks to.
    let isPacked = stored.withUnsafeBytes { FileType(head: $0) } == .image(.jxl)
    let unpacked = isPacked ? try unpacked(stored) : nil
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
      notes: nil, plant: nil, placeholder: try Placeholder.hash(thumbnail.decoded),
      warnings: doubts.union(library.isRepeated(capture.recorded) ? [.repeatedHour] : []).sorted(),
      renditions: [full, small])
    photo.pictureDigest = PictureData.ranges(of: bytes, format)
      .map { BlobID(hashing: $0, of: bytes) }
    photo.foundTime = doubts.contains(where: \.isGuessedDate) ? nil : capture.recorded
    return photo
  }
}
