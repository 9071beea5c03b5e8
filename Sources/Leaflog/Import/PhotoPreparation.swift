internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import SystemPackage

/// The preparation of a photo: from its file to everything that the library will store of it. Writes
/// nothing.
struct PhotoPreparation: Sendable {
  let destination: any ImportDestination
  let request: ImportRequest
  let policy: StoragePolicy
  let present: Present
  let memory: MemoryBudget
  let maxFileByteCount: Int
  let folders: PlantFolders
  let history: QualityHistory

  /// The result of preparing a file.
  enum Result: Sendable {
    /// Nothing to write. `outage` is the error if the destination was unavailable.
    case settled(FileOutcome, outage: LeaflogError? = nil)
    /// Something to write.
    case prepared(PreparedFile)
    /// Another file of the same photo is in progress; look at this one again afterwards.
    case deferred(DeferredFile)
  }

  /// - Parameter hold: the file's reservations, which stay with what is prepared; all others are released.
  func prepare(_ file: ScannedFile, _ hold: PhotoReservations.Hold) -> Result {
    defer { hold.place?.leave() }
    do {
      let result = try attempt(file, hold)
      if case .prepared(let prepared) = result, prepared.reserved != nil { return result }
      hold.release(isKnown: result.isKnown)
      return result
    } catch let error as PhotoTaken {
      hold.release(isKnown: false)
      return taken(file, hold, error)
    } catch let error as Errno {
      hold.release(isKnown: false)
      return .settled(.unreachable(file.displayPath, error))
    } catch let error as ImagingError {
      hold.release(isKnown: false)
      return .settled(failure(file, error))
    } catch {
      hold.release(isKnown: false)
      let failure = LeaflogError(error)
      return .settled(
        .failed(file.displayPath, failure), outage: failure.isOutage ? failure : nil)
    }
  }

  /// The error for a file of a photo that is being imported from another file.
  private struct PhotoTaken: Error {
    let identity: PhotoReservations.Identity
    /// The id of this file's photo, should it be new, and that of the other file's.
    let photo: EntryID
    let other: EntryID
  }

  private func reserve(
    _ identity: PhotoReservations.Identity, _ digest: BlobID, _ hold: PhotoReservations.Hold
  ) throws -> Bool {
    let photo = EntryID(sourceDigest: digest)
    let step: WalkOrder.Step = if case .bytes = identity { .reserveBytes } else { .reservePicture }
    let attempt = inTurn(step, hold) { hold.reserve(identity, as: photo) }
    switch attempt {
    case .reserved(let isAlone): return isAlone
    case .taken(let other): throw PhotoTaken(identity: identity, photo: photo, other: other)
    }
  }

  private func inTurn<Value>(
    _ step: WalkOrder.Step, _ hold: PhotoReservations.Hold, _ body: () -> Value
  ) -> Value {
    guard let place = hold.place else { return body() }
    return place.inTurn(step, body)
  }

  /// In a dry run, reservations stay, as a real run would find the photo in the library.
  private func taken(
    _ file: ScannedFile, _ hold: PhotoReservations.Hold, _ error: PhotoTaken
  ) -> Result {
    guard request.isDryRun else {
      return .deferred(
        DeferredFile(file: file, hold: hold, identity: error.identity, photo: error.photo))
    }
    let isRetagged = if case .picture = error.identity { true } else { false }
    return .settled(
      FileOutcome(
        path: file.displayPath, result: .duplicate(error.other),
        warnings: isRetagged ? [.otherMetadata] : [],
        sourceByteCount: file.fingerprint.byteCount))
  }

  private func attempt(_ file: ScannedFile, _ hold: PhotoReservations.Hold) throws -> Result {
    if !file.isSent, let known = try destination.known(of: file.fingerprint) {
      if known.isDeleted, !request.readmits(file) {
        return .settled(outcome(file, .skipped(.inTrash)))
      }
      if !known.isDeleted, !request.movesFiles {
        let notice =
          try known.pending ?? sidecarNotice(file, known)
          ?? (lacksExactBytes(known) ? .compressedCopy : nil)
        if notice == nil || !request.updatesPhotos {
          return .settled(
            FileOutcome(
              path: file.displayPath, result: .duplicate(known.id),
              warnings: notice.map { [$0] } ?? [],
              sourceByteCount: file.fingerprint.byteCount))
        }
      }
    }
    let reader = try FileReader(file.path)
    if let skipped = try skippedByHead(file, reader) { return .settled(skipped) }
    var needed = reader.byteCount
    while true {
      let share = inTurn(.takeMemory, hold) { memory.reserve(needed) }
      do { return try attempt(file, reader, share, hold) } catch let lack as LackOfMemory {
        share.release()
        needed = lack.byteCount
      }
    }
  }

  /// Whether the library has only a compressed copy of a photo whose exact bytes are to be kept.
  private func lacksExactBytes(_ known: KnownPhoto) throws -> Bool {
    try policy != .compact && destination.copy(of: known) != nil
  }

  /// The warning about sidecars that say something else than when their facts were taken over.
  private func sidecarNotice(_ file: ScannedFile, _ known: KnownPhoto) -> ImportWarning? {
    guard file.hasSidecar, let digest = SidecarContents(file).digest, digest != known.sidecars
    else { return nil }
    return .sidecarChanged
  }

  /// The error for a photo whose header calls for more memory than is reserved.
  private struct LackOfMemory: Error {
    let byteCount: Int
  }

  private func attempt(
    _ file: ScannedFile, _ reader: FileReader, _ share: MemoryBudget.Reservation,
    _ hold: PhotoReservations.Hold
  ) throws -> Result {
    let (bytes, digest) = try reader.readAndHash()
    // First, so that nobody adds the photo after the library has been asked for it.
    _ = try reserve(.bytes(digest), digest, hold)
    var completed: KnownPhoto?
    if let known = try destination.known(withDigest: digest) {
      let isCopy = try !known.isDeleted && lacksExactBytes(known)
      let warnings: [ImportWarning] = isCopy ? [.compressedCopy] : []
      guard isCopy, request.updatesPhotos else {
        return known.isDeleted || !request.isDryRun
          ? record(file, known, try metadata(of: file, bytes), warnings)
          : .settled(
            FileOutcome(
              path: file.displayPath, result: .duplicate(known.id), warnings: warnings,
              sourceByteCount: file.fingerprint.byteCount))
      }
      completed = known
    }
    let result = try withImagingThread {
      try newPhoto(file, bytes, digest, completing: completed, share, hold)
    }
    if case .prepared(let prepared) = result { share.shrink(to: prepared.byteCount) }
    return result
  }

  private func record(
    _ file: ScannedFile, _ known: KnownPhoto, _ metadata: FileMetadata?,
    _ warnings: [ImportWarning]
  ) -> Result {
    .prepared(
      PreparedFile(
        file: file, content: .known(known), blobs: [], reserved: nil, memory: nil,
        warnings: warnings, metadata: metadata))
  }

  /// The facts of a file whose photo is known, if it may have new ones.
  private func metadata(of file: ScannedFile, _ bytes: SharedBytes) throws -> FileMetadata? {
    guard file.hasSidecar || request.updatesPhotos,
      case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) })
    else { return nil }
    return try withImagingThread {
      let photo = try PhotoFile(
        bytes: bytes, format: format, limits: ImageLimits(fileByteCount: maxFileByteCount))
      let sidecars = SidecarContents(file)
      return metadata(
        PhotoFacts(file, photo, sidecars, in: zone, now: present.now), sidecars)
    }
  }

  private func metadata(_ facts: PhotoFacts, _ sidecars: SidecarContents) -> FileMetadata {
    let (capture, isRepeated) = facts.settled(
      assuming: request.assumedTimeZone, in: destination.timeZone)
    var metadata = FileMetadata(
      facts: facts.comparable,
      time: facts.hasOwnTime
        ? (
          EntryTime(capture.recorded, in: destination.timeZone, dayEnd: destination.dayEnd),
          capture.source
        ) : nil,
      sidecars: sidecars.digest, isTaken: request.updatesPhotos,
      namesPlant: [.folder, .path].contains(request.plant))
    metadata.isHourRepeated = isRepeated && facts.hasOwnTime
    return metadata
  }

  private func outcome(_ file: ScannedFile, _ result: FileOutcome.Result) -> FileOutcome {
    FileOutcome(
      path: file.displayPath, result: result, sourceByteCount: file.fingerprint.byteCount)
  }

  /// The outcome of a file whose first bytes show that it cannot be imported; nil for others.
  private func skippedByHead(_ file: ScannedFile, _ reader: FileReader) throws -> FileOutcome? {
    let claimsToBeImage = file.claimsToBeImage
    if reader.byteCount == 0, claimsToBeImage {
      return outcome(
        file, .failed(.empty, message: "The file is empty. Copy it again from where it came."))
    }
    let head = try reader.read(0..<min(reader.byteCount, FileType.headByteCount))
    switch head.withUnsafeBytes({ FileType(head: $0) }) {
    case .image where reader.byteCount > maxFileByteCount:
      return outcome(
        file,
        .failed(
          .tooLarge,
          message:
            "The file has \(reader.byteCount / 1_000_000) MB; the library takes files of at most "
            + "\(FileSize.text(maxFileByteCount)). Raise its setting import.maxFileSize if it is a photo."
        ))
    case .image
    where reader.byteCount > ImageLimits(fileByteCount: maxFileByteCount).maxReducedByteCount:
      return outcome(
        file,
        .failed(
          .tooLarge,
          message:
            "The file has \(reader.byteCount / 1_000_000) MB; this machine allows \(ProcessMemory.forPhotos / 1_000_000) MB of memory for photos."
        ))
    case .image: return nil
    case .raw: return outcome(file, .skipped(file.hasRenderedDuplicate ? .rawBesideJPEG : .raw))
    case .video: return outcome(file, .skipped(.video))
    case .otherImage(let name) where claimsToBeImage:
      return outcome(
        file, .failed(.notAnImage, message: "It is \(name), not what its name says."))
    case .otherImage: return outcome(file, .skipped(.unsupportedFormat))
    case .other where claimsToBeImage:
      return outcome(
        file,
        .failed(
          .notAnImage,
          message: file.isNameless
            ? "It is not an image." : "Its name says that it is an image; its contents are none."))
    case .other: return outcome(file, .skipped(.notAnImage))
    }
  }

  /// A file whose bytes no photo has, with everything that is known of it before its pixels are decoded.
  private struct NewFile {
    let file: ScannedFile
    let digest: BlobID
    let photo: PhotoFile
    let facts: PhotoFacts
    /// The digest of its picture, and the photos that have the same one.
    let picture: BlobID?
    let match: PictureMatch
    var metadata: FileMetadata
    /// The photo that has a compressed copy of it, which its exact bytes replace.
    var completed: KnownPhoto?
  }

  /// Reads the header, date and pixels and makes the renditions, each once. The memory that the photo
  /// holds until it is written stays reserved.
  ///
  /// - Parameter completed: the photo that has only a compressed copy of it; nil if it is new.
  private func newPhoto(
    _ file: ScannedFile, _ bytes: SharedBytes, _ digest: BlobID, completing completed: KnownPhoto?,
    _ share: MemoryBudget.Reservation, _ hold: PhotoReservations.Hold
  ) throws -> Result {
    let format: ImageFormat
    switch bytes.withUnsafeBytes({ FileType(head: $0) }) {
    case .image(let found): format = found
    // The directories of some are at their end.
    case .raw:
      return .settled(outcome(file, .skipped(file.hasRenderedDuplicate ? .rawBesideJPEG : .raw)))
    default: throw ImagingError(.corrupt, "The file changed while it was read.")
    }
    let limits = ImageLimits(fileByteCount: maxFileByteCount)
    let photo = try PhotoFile(bytes: bytes, format: format, limits: limits)
    // An update keeps the bytes as the photo's former ones are kept.
    let packing =
      policy == .lossless || request.updatesPhotos ? photo.memory.packingByteCount(limits) : 0
    func need(_ byteCount: Int) throws {
      guard share.grow(to: byteCount + packing) else {
        throw LackOfMemory(byteCount: byteCount + packing)
      }
    }
    // Before more memory is needed: others wait for its reservations.
    let new = try look(at: photo, file, digest, completing: completed, hold)
    if destination.takesFiles {
      return try resultWithoutPixels(of: new) ?? .prepared(prepared(new, nil, share, hold))
    }
    try need(photo.memory.coefficientByteCount(limits) ?? photo.memory.importByteCount(limits))
    if let result = resultWithoutPixels(of: new) { return result }
    let source: RenditionSource
    if let read = photo.coefficients(limits: limits) {
      source = read
    } else {
      try need(photo.memory.importByteCount(limits))
      source = try photo.pixels(limits: limits)
    }
    return try .prepared(prepared(new, source, share, hold))
  }

  private func look(
    at photo: PhotoFile, _ file: ScannedFile, _ digest: BlobID, completing completed: KnownPhoto?,
    _ hold: PhotoReservations.Hold
  ) throws -> NewFile {
    let sidecars = SidecarContents(file)
    let facts = PhotoFacts(file, photo, sidecars, in: zone, now: present.now)
    let picture = PictureData.ranges(of: photo.bytes, photo.format)
      .map { BlobID(hashing: $0, of: photo.bytes) }
    var match = try picture.map { try self.match(of: $0, facts.foundTime, digest, hold) }
    // Those without a picture are not waited for.
    hold.place?.skip(.reservePicture)
    if completed != nil { match = nil }
    var metadata = metadata(facts, sidecars)
    if case .same = match { metadata.isRetagged = true }
    return NewFile(
      file: file, digest: digest, photo: photo, facts: facts, picture: picture,
      match: match ?? .noPhoto, metadata: metadata, completed: completed)
  }

  /// Reserves a picture, and looks for the photos that have it.
  private func match(
    of picture: BlobID, _ time: RecordedTime?, _ digest: BlobID, _ hold: PhotoReservations.Hold
  ) throws -> PictureMatch {
    let isAlone = try reserve(.picture(picture, time.map { ComparedTime($0) }), digest, hold)
    let match = try destination.known(withPicture: picture, of: time)
    return match == .noPhoto && !isAlone ? .other : match
  }

  /// The result for a file whose pixels are not needed: the library has its picture, or it stays in a trash.
  private func resultWithoutPixels(of new: NewFile) -> Result? {
    if new.completed != nil { return nil }
    let file = new.file
    switch new.match {
    case .same(let known, _) where known.isDeleted && !request.readmits(file):
      return .settled(outcome(file, .skipped(.inTrash)))
    case .same(let known, _) where known.isDeleted || !request.updatesPhotos:
      return .prepared(
        PreparedFile(
          file: file, content: .known(known), blobs: [], reserved: nil, memory: nil,
          warnings: [], metadata: new.metadata))
    case .same: return nil
    case .noPhoto, .other:
      guard new.facts.isTrashed, !request.readmits(file) else { return nil }
      return .settled(
        FileOutcome(
          path: file.displayPath, result: .skipped(.inTrash), warnings: [.inForeignTrash],
          sourceByteCount: file.fingerprint.byteCount))
    }
  }

  /// Makes the renditions of a new photo, or of the bytes that replace a known photo's.
  ///
  /// - Parameter source: nil to make none, for a destination that does so itself.
  private func prepared(
    _ new: NewFile, _ source: RenditionSource?, _ share: MemoryBudget.Reservation,
    _ hold: PhotoReservations.Hold
  ) throws -> PreparedFile {
    var (policy, targetScore) = (policy, request.targetScore)
    var (metadata, replaced) = (new.metadata, new.completed)
    if case .same(let known, let role) = new.match {
      (policy, targetScore) = try keeping(of: known, role)
      replaced = known
    }
    var kept = EncodedRenditions()
    if let source, !request.isDryRun {
      kept = try EncodedRenditions(source, new.digest, policy, targetScore, after: history)
    }
    let facts = new.facts.given(
      request.time, assuming: request.assumedTimeZone, in: destination.timeZone, present)
    var warnings = facts.warnings.union(source?.warnings ?? []).union(kept.warnings)
    if new.match == .other { warnings.insert(.samePicture) }
    let plant = try plant(of: new.file, facts)
    if let plant, replaced == nil { folders.note(new.file, of: plant) }
    if isEscaped(new.file, plant) { warnings.insert(.nameEscaped) }
    var photo = NewPhoto(
      sourceDigest: new.digest, sourceByteCount: new.photo.bytes.count,
      sourceMediaType: new.photo.format.mediaType, originalName: new.file.name,
      size: new.photo.uprightSize,
      time: EntryTime(
        facts.capture.recorded, in: destination.timeZone, dayEnd: destination.dayEnd),
      captureSource: facts.capture.source, notes: facts.notes ?? request.note,
      plant: plant, placeholder: kept.placeholder,
      warnings: warnings.sorted(), renditions: kept.renditions)
    (photo.tags, photo.isFavourite) = (facts.tags, facts.isFavourite)
    photo.sharpness = kept.sharpness
    (photo.pictureDigest, photo.foundTime) = (new.picture, new.facts.foundTime)
    if replaced != nil { metadata.replacement = photo }
    return PreparedFile(
      file: new.file, content: replaced.map { .known($0) } ?? .new(photo), blobs: kept.blobs,
      reserved: hold, memory: share, warnings: photo.warnings, metadata: metadata,
      sending: destination.takesFiles ? sending(new, photo) : nil)
  }

  /// The request to a service that prepares a file, with the date and the notes of a sidecar.
  private func sending(_ new: NewFile, _ photo: NewPhoto) -> UploadRequest {
    let own = PhotoFacts(new.file, new.photo, SidecarContents(), in: zone, now: present.now)
    let facts = new.facts
    var sent = UploadRequest(name: new.file.name)
    (sent.byteCount, sent.digest) = (new.photo.bytes.count, new.digest)
    sent.modifiedAt = Timestamp(milliseconds: new.file.fingerprint.modifiedAt / 1_000_000)
    sent.plant = photo.plant?.name
    sent.note = facts.notes == own.notes ? request.note : facts.notes
    let isOwn =
      facts.capture.recorded == own.capture.recorded
      || facts.warnings.contains(where: \.isGuessedDate)
    sent.time = request.time ?? (isOwn ? nil : facts.capture.recorded)
    sent.assumedTimeZone = request.assumedTimeZone
    return sent
  }

  /// How a known photo is kept: the bytes that replace its former ones are kept in the same way, or exactly if that is
  /// wanted and there is only a copy of them.
  ///
  /// - Parameter role: the role of its exact bytes; nil if there is only a copy.
  private func keeping(
    of known: KnownPhoto, _ role: RenditionRole?
  ) throws -> (StoragePolicy, targetScore: Double) {
    switch role {
    case .packed: (.lossless, request.targetScore)
    case nil where policy != .compact: (policy, request.targetScore)
    case nil: (.compact, try destination.copy(of: known)?.targetScore ?? request.targetScore)
    default: (.exact, request.targetScore)
    }
  }

  /// The zone of wall times that come without one.
  private var zone: TimeZone { request.assumedTimeZone ?? destination.timeZone }

  private func plant(of file: ScannedFile, _ facts: PhotoFacts) throws -> PhotoPlant? {
    switch request.plant {
    case .folder, .path:
      if let name = facts.plant { return name.composedName.map { .named($0) } }
      return try folders.plant(of: file) { try destination.plant(ofFolder: $0) }
    case .named(let name): return name.composedName.map { .named($0) }
    case .none: return nil
    }
  }

  /// Whether the name of a found file or of the folder that names its plant is not as in the file system.
  private func isEscaped(_ file: ScannedFile, _ plant: PhotoPlant?) -> Bool {
    if file.isSent { return false }
    if case .folder(let name, plant: _) = plant, FileNameText.isEscaped(name) { return true }
    return FileNameText.isEscaped(file.name)
  }

  private func failure(_ file: ScannedFile, _ error: ImagingError) -> FileOutcome {
    let (reason, remedy): (FailureReason, String) =
      switch error.code {
      case .truncated: (.truncated, " Copy it again from where it came.")
      case .corrupt: (.corrupt, "")
      case .tooLarge: (.tooLarge, "")
      case .noPixels: (.noPixels, "")
      case .unsupported: (.unsupportedFormat, " Save it as an ordinary JPEG and import that.")
      case .failed, .tellsPlace: (.storeFailed, "")
      }
    return outcome(file, .failed(reason, message: error.message + remedy))
  }
}

extension PhotoPreparation.Result {
  /// Whether the library has the photo.
  fileprivate var isKnown: Bool {
    switch self {
    case .prepared: true
    case .settled(let outcome, _): outcome.isStored
    case .deferred: false
    }
  }
}
