internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging

/// A photo prepared on one machine to be recorded by another: everything that a library stores of it, except the
/// bytes of its renditions.
package struct PreparedPhoto: Codable, Sendable {
  /// The file's name, without folders.
  let name: String
  /// The file's size.
  let byteCount: Int
  let mediaType: String
  /// The upright width, in pixels.
  let width: Int
  let height: Int
  let time: Time
  let captureSource: String
  let notes: String?
  /// The tags; none if it is missing.
  let tags: [String]?
  /// Whether it is a favourite; it is not if this is missing.
  let isFavourite: Bool?
  /// The plant's name.
  let plant: String?
  /// The name of the folder that names the plant; none if something else does.
  let plantFolder: String?
  /// A ThumbHash.
  let placeholder: Data
  /// The thumbnail's, if it was measured.
  let sharpness: Double?
  /// The SHA-256 of the parts of the file that make the picture, if they are known.
  let pictureSha256: String?
  /// The time that was recorded for the picture; none if it is a guess.
  let foundTime: String?
  let warnings: [String]
  package let renditions: [Part]
  /// Whether the photo is restored if it is in the trash.
  let readmits: Bool
  /// Photos with the same value form one change.
  package let batch: String?

  /// A recorded time as the catalog has it.
  struct Time: Codable, Sendable {
    /// Milliseconds since 1970.
    let instant: Int64
    /// Seconds east of UTC.
    let offset: Int
    let basis: String
    /// `month` or `year` if no more than that is known.
    let precision: String?
  }

  /// A rendition; its bytes are another part of the same form.
  package struct Part: Codable, Sendable {
    let role: String
    package let sha256: String
    let byteCount: Int
    let mediaType: String
    /// The stored width, in pixels.
    let width: Int
    let height: Int
    let recipe: String
  }

  init(_ photo: NewPhoto, readmits: Bool, batch: String) {
    name = photo.originalName
    (byteCount, mediaType) = (photo.sourceByteCount, photo.sourceMediaType)
    (width, height) = (photo.size.width, photo.size.height)
    time = Time(
      instant: photo.time.instant.milliseconds, offset: photo.time.offset.seconds,
      basis: photo.time.basis.rawValue, precision: photo.time.precision?.rawValue)
    captureSource = photo.captureSource.rawValue
    (notes, plant) = (photo.notes, photo.plant?.name)
    plantFolder = if case .folder(let name, plant: _) = photo.plant { name } else { nil }
    (tags, isFavourite) = (photo.tags, photo.isFavourite)
    placeholder = Data(photo.placeholder)
    sharpness = photo.sharpness
    (pictureSha256, foundTime) = (photo.pictureDigest?.hex, photo.foundTime?.iso8601)
    warnings = photo.warnings.map(\.rawValue)
    renditions = photo.renditions.map {
      Part(
        role: $0.role.rawValue, sha256: $0.blob.hex, byteCount: $0.byteCount,
        mediaType: $0.mediaType, width: $0.size.width, height: $0.size.height, recipe: $0.recipe)
    }
    (self.readmits, self.batch) = (readmits, batch)
  }
}

extension PreparedPhoto {
  /// Checks the values, and returns the photo to record.
  ///
  /// - Parameter digest: the SHA-256 of the file.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a value that no photo has.
  func checked(_ digest: BlobID, in library: Library) throws(LeaflogError) -> NewPhoto {
    func refuse(_ field: String) -> LeaflogError { .invalid("“\(field)” is not a photo's.") }
    // The years 1 to 9999.
    guard (-62_135_596_800_000...253_402_300_799_999).contains(time.instant),
      let offset = UTCOffset(seconds: time.offset),
      let basis = EntryTime.Basis(rawValue: time.basis)
    else { throw refuse("time") }
    let precision = time.precision.flatMap(DatePrecision.init)
    guard (precision == nil) == (time.precision == nil) else { throw refuse("time") }
    guard let source = CaptureSource(rawValue: captureSource) else {
      throw refuse("captureSource")
    }
    let warnings = warnings.compactMap(ImportWarning.init)
    guard warnings.count == self.warnings.count else { throw refuse("warnings") }
    guard let size = PreparedPhoto.size(width, height), byteCount > 0 else { throw refuse("size") }
    guard placeholder.count <= Self.maxPlaceholderByteCount else { throw refuse("placeholder") }
    let renditions = renditions.compactMap(\.rendition)
    guard renditions.count == self.renditions.count,
      renditions.contains(where: { $0.role == .thumbnail }), (2...4).contains(renditions.count),
      Set(renditions.map(\.role)).count == renditions.count
    else { throw refuse("renditions") }
    let instant = Timestamp(milliseconds: time.instant)
    let recorded = EntryTime(
      instant: instant, offset: offset, basis: basis,
      day: EntryTime.wall(at: instant, offset: offset).day, precision: precision
    ).recorded
    var photo = NewPhoto(
      sourceDigest: digest, sourceByteCount: byteCount, sourceMediaType: mediaType,
      originalName: name, size: size, time: library.placed(recorded), captureSource: source,
      notes: notes, plant: photoPlant, placeholder: Array(placeholder),
      warnings: warnings.sorted(), renditions: renditions)
    guard let tags = try? (tags ?? []).checkedTags() else { throw refuse("tags") }
    photo.tags = tags
    photo.isFavourite = isFavourite ?? false
    photo.sharpness = sharpness.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    photo.pictureDigest = pictureSha256.flatMap { BlobID(hex: $0) }
    photo.foundTime = foundTime.flatMap { RecordedTime($0) }
    guard (photo.pictureDigest == nil) == (pictureSha256 == nil) else {
      throw refuse("pictureSha256")
    }
    guard (photo.foundTime == nil) == (foundTime == nil) else { throw refuse("foundTime") }
    return photo
  }

  private var photoPlant: PhotoPlant? {
    let name = plant?.composedName
    guard let folder = plantFolder?.composedName else { return name.map { .named($0) } }
    return .folder(folder, plant: name ?? folder)
  }

  private static let maxPlaceholderByteCount = 64

  /// Its picture and time, by which other files are known to be of the same photo; nil if the picture is not known.
  var identity: PhotoReservations.Identity? {
    pictureSha256.flatMap { BlobID(hex: $0) }.map {
      .picture($0, foundTime.flatMap { RecordedTime($0) }.map { ComparedTime($0) })
    }
  }

  fileprivate static func size(_ width: Int, _ height: Int) -> PixelSize? {
    // The longest side that a JPEG XL file can have.
    let sides = 1...(1 << 30)
    guard sides.contains(width), sides.contains(height) else { return nil }
    return PixelSize(width: width, height: height)
  }
}

extension PreparedPhoto.Part {
  fileprivate var rendition: Rendition? {
    guard let role = RenditionRole(rawValue: role), let blob = BlobID(hex: sha256), byteCount > 0,
      let size = PreparedPhoto.size(width, height)
    else { return nil }
    return Rendition(
      role: role, blob: blob, byteCount: byteCount, mediaType: mediaType, size: size,
      recipe: recipe)
  }
}

extension Rendition {
  /// Whether bytes are an image of this media type and size, according to their header.
  func fits(_ bytes: SharedBytes) -> Bool {
    guard bytes.count == byteCount,
      case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }),
      format.mediaType == mediaType, let file = try? PhotoFile(bytes: bytes, format: format)
    else { return false }
    return file.storedSize == size
  }
}

/// A photo that was prepared on another machine, as it was received.
///
/// It is one argument of asynchronous calls: with its parts as arguments of their own, optimised builds of Swift 6.3.1
/// crashed in them.
package struct PreparedUpload: Sendable {
  let photo: PreparedPhoto
  /// The SHA-256 of the file that it was made from.
  let digest: BlobID
  /// The bytes of its renditions, each once.
  let parts: [Upload]

  package init(_ photo: PreparedPhoto, of digest: BlobID, _ parts: [Upload]) {
    (self.photo, self.digest, self.parts) = (photo, digest, parts)
  }
}

/// Records photos that were prepared on another machine.
struct PreparedImport: Sendable {
  let library: Library
  let change: OpenChange

  func record(_ upload: PreparedUpload) throws(LeaflogError) -> FileOutcome {
    try translating {
      let photo = upload.photo
      var new = try photo.checked(upload.digest, in: library)
      if let picture = new.pictureDigest {
        let match = try library.catalog.read {
          try $0.photos.known(withPicture: picture, of: new.foundTime)
        }
        if match == .other {
          new.warnings = Set(new.warnings).union([.samePicture]).sorted()
        }
      }
      let blobs = try blobs(upload.parts, for: new.renditions)
      let known = try library.catalog.read { try $0.photos.known(new)?.photo }
      if known == nil { try library.blobs.put(blobs) }
      let sender = library.catalog.context.sender
      new.sender = sender
      let record = ImportRecord(
        content: known.map { .known($0) } ?? .new(new), file: nil,
        readmits: photo.readmits, sender: sender)
      let now = library.clock.now
      let outcomes = try library.catalog.change(change, now: now) { tables, _ in
        try tables.photos.record([record], now: now, confirm: library.blobs.confirm)
      }
      return FileOutcome(
        path: photo.name, outcomes[0], of: new, new.warnings, sourceByteCount: new.sourceByteCount)
    }
  }

  /// The blobs of all renditions, checked against their descriptions.
  private func blobs(_ parts: [Upload], for renditions: [Rendition]) throws -> [PendingBlob] {
    var found: [BlobID: PendingBlob] = [:]
    for part in parts {
      let (bytes, digest) = try FileReader(part.file.path).readAndHash()
      found[digest] = PendingBlob(id: digest, bytes: bytes)
    }
    for rendition in renditions {
      guard let blob = found[rendition.blob] else {
        throw LeaflogError(
          .mismatch, "The bytes of the \(rendition.role.rawValue) are not those that were said.")
      }
      guard rendition.fits(blob.bytes) else {
        throw LeaflogError.invalid(
          "The \(rendition.role.rawValue) is not the picture that was said.")
      }
    }
    guard Set(renditions.map(\.blob)) == Set(found.keys) else {
      throw LeaflogError.invalid("There are bytes that no rendition has.")
    }
    return Array(found.values)
  }
}
