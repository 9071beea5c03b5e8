internal import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import Imaging
internal import SystemPackage

/// The outcome of one damaged rendition.
public struct RepairOutcome: Sendable {
  /// The result for a rendition.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// It was taken from this file of the given place.
    case taken(from: String)
    /// It was made again from a better rendition, or taken from a cache.
    case remade
    /// Its metadata was corrected.
    case corrected
    /// There is nothing to repair it from; its remains are in the library's quarantine.
    case lost
    /// The disk does not give its bytes, and there is no other copy. It stays where it is, as the disk may give them
    /// another time.
    case unreadable
    /// It could not be repaired; the sentence says why.
    case failed(String)
  }

  /// The photo.
  public let entry: Entry
  /// The role of the damaged rendition.
  public let role: RenditionRole
  /// Its outcome.
  public let result: Result
}

/// A step of a repair that found something to fix.
@nonexhaustive
public enum RepairEvent: Sendable {
  /// The marker was lost and recreated, with the library's former id, or with a new one, which its backups
  /// do not match.
  case markerMade(id: String, isFormer: Bool)
  /// The catalog was rebuilt or brought up to date.
  case catalogRescued(CatalogRescueReport)
  /// The object store had lost the library's journal and catalogs, and has the catalog again.
  case storeRefilled
  /// Snapshots or frames, from which a lost catalog would be rebuilt, were damaged.
  case pastRepaired(HistoryRepair)
  /// Damage that was found and not repaired, besides that of renditions.
  case damage(Damage)
  /// The outcome of one damaged rendition.
  case rendition(RepairOutcome)
}

/// The result of a repair.
public struct RepairSummary: Sendable, Hashable {
  /// Whether the task was cancelled before everything was repaired. The next repair goes on.
  public internal(set) var isInterrupted = false

  /// Whether the repair ends here, as its task is cancelled.
  fileprivate mutating func checkCancellation() -> Bool {
    isInterrupted = isInterrupted || Task.isCancelled
    return isInterrupted
  }
}

/// Repairs a library: first its marker and its catalog, then damaged and missing blobs, from a backup,
/// another library or the old photo folder, or from better renditions of the same photo.
public struct Repairer: Sendable {
  let library: Library

  package init(_ library: Library) { self.library = library }

  /// Whether a folder is a library that lacks only its marker, which a repair restores.
  public static func isMarkerMissing(at path: String) -> Bool { MarkerRescue.isNeeded(at: path) }

  /// Repairs the library in a folder. Reads every byte of it. When the task is cancelled, it ends after the blob that it
  /// is at.
  ///
  /// - Parameters:
  ///   - place: where to look for what is missing.
  ///   - timeZone: the zone of a library whose catalog is lost with its settings.
  ///   - clock: the source of the present time.
  ///   - origin: the origin of the changes, as in `Library.open`.
  ///   - keys: finds the access key of an object store.
  ///   - report: receives everything that was lost or damaged, with the outcome.
  /// - Throws: `LeaflogError` when the library cannot be opened even so, or cannot be written.
  @discardableResult
  public static func run(
    at path: String, from place: RepairPlace?, timeZone: TimeZone = .current,
    clock: WallClock = .system, origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys(),
    report: (RepairEvent) -> Void
  ) throws(LeaflogError) -> RepairSummary {
    let start = ContinuousClock.now
    var summary = RepairSummary()
    if summary.checkCancellation() { return summary }
    if MarkerRescue.isNeeded(at: path) {
      let (id, isFormer) = try MarkerRescue.run(at: path)
      report(.markerMade(id: id, isFormer: isFormer))
    }
    if CatalogRescue.isNeeded(at: path) {
      let rescue = try CatalogRescue(at: path, clock: clock)
      report(.catalogRescued(try rescue.run(from: place?.folder, timeZone: timeZone, keys: keys)))
    }
    let library = try Library.open(at: path, clock: clock, origin: origin, keys: keys)
    if try library.store.putCatalogIfLost() { report(.storeRefilled) }
    try translating {
      let marker = try LibraryMarker.read(library.layout.marker)
      let backup = place.flatMap { BackupHistory(of: marker, in: $0.folder) }
      if let repaired = try library.store.repairHistory(from: backup) {
        report(.pastRepaired(repaired))
      }
    }
    summary = try Repairer(library).run(from: place) {
      report(.rendition($0))
    } others: {
      report(.damage($0))
    }
    library.store.takeSnapshotIfDue(afterWorkOf: .now - start)
    try library.close()
    return summary
  }

  /// Reads every byte of the blobs, and repairs what it can.
  ///
  /// - Parameter others: receives damage that is not in a blob, which this does not repair.
  @discardableResult
  package func run(
    from place: RepairPlace?, report: (RepairOutcome) -> Void,
    others: (Damage) -> Void = { _ in }
  ) throws(LeaflogError) -> RepairSummary {
    try translating {
      var summary = RepairSummary()
      try library.catalog.write { try $0.totals.recount() }
      if try library.catalog.hasSoundTextIndexes() == false {
        try library.catalog.write { try $0.rebuildTextIndexes() }
      }
      var request = VerifyRequest()
      request.readsEverything = true
      var damaged: [BlobID: Damage] = [:]
      let verified = try Verifier(library).check(request) { damage in
        if let blob = damage.blob { damaged[blob] = damage } else { others(damage) }
      }
      summary.isInterrupted = verified.isInterrupted
      guard !damaged.isEmpty, !summary.isInterrupted else { return summary }
      let photos = try affectedPhotos(damaged)
      let source = try place.map { try RepairSource($0, wanted: wanted(photos, damaged)) }
      for photo in photos {
        let broken = photo.renditions.filter { damaged[$0.blob] != nil }
        // Full renditions first: the thumbnail is made from them.
        for rendition in broken.sorted(by: { $0.role.rank < $1.role.rank })
        where !summary.checkCancellation() {
          let isTurned = damaged[rendition.blob]?.kind == .turned
          let result = withImagingThread {
            isTurned
              ? turnBack(rendition, of: photo)
              : mend(rendition, damaged[rendition.blob]?.kind, of: photo, source)
          }
          report(RepairOutcome(entry: photo.entry, role: rendition.role, result: result))
        }
      }
      return summary
    }
  }

  private func affectedPhotos(_ damaged: [BlobID: Damage]) throws -> [Photo] {
    let ids = Set(damaged.values.flatMap { $0.photos.map(\.id) })
    return try ids.map { id in try library.read { try $0.photos.find(id.description) } }
      .sorted { $0.entry.time.instant < $1.entry.time.instant }
  }

  /// The files that would help: the blobs themselves, and those that the photos were imported from.
  private func wanted(_ photos: [Photo], _ damaged: [BlobID: Damage]) -> [BlobID: Int] {
    photos.reduce(into: [:]) { wanted, photo in
      if let summary = photo.entry.photo { wanted[summary.sourceDigest] = summary.sourceByteCount }
      for rendition in photo.renditions where damaged[rendition.blob] != nil {
        wanted[rendition.blob] = rendition.byteCount
      }
    }
  }

  private func mend(
    _ rendition: Rendition, _ fault: Damage.Kind?, of photo: Photo, _ source: RepairSource?
  ) -> RepairOutcome.Result {
    do {
      // The blob may have been repaired already, for another photo.
      if try isGood(rendition) { return .remade }
      let copy = try copy(of: rendition, source)
      // Without a copy, a file that the disk does not give now stays: another time it may.
      if fault == .unreadable, copy == nil, rendition.role != .thumbnail { return .unreadable }
      let remains = try library.store.quarantine(rendition.blob)
      let result = try replace(rendition, by: copy, of: photo, source)
      if result != .lost, fault != .unreadable, let remains {
        try FileManager.default.removeItem(atPath: remains)
      }
      return result
    } catch {
      return .failed(LeaflogError(error).message)
    }
  }

  /// Corrects the metadata of a copy that they turn although it is upright, and makes the thumbnail again.
  private func turnBack(_ rendition: Rendition, of photo: Photo) -> RepairOutcome.Result {
    do {
      let bytes = try library.blobs.verifiedBytes(rendition.blob)
      guard let copy = TurnedCopy(bytes, recipe: rendition.recipe) else { return .corrected }
      let blob = PendingBlob(hashing: copy.corrected)
      let corrected = Rendition(
        role: rendition.role, blob: blob.id, byteCount: blob.bytes.count,
        mediaType: rendition.mediaType, size: rendition.size, recipe: rendition.recipe)
      try put(corrected, blob, photo)
      let current = try library.catalog.read { try $0.photos.find(photo.entry.id.description) }
      _ = try remakeThumbnail(of: current, nil)
      return .corrected
    } catch {
      return .failed(LeaflogError(error).message)
    }
  }

  /// The bytes of a blob, from the given place, from the cache of an object store, or from the library's quarantine, where
  /// an earlier run may have put a file that could not be read then.
  private func copy(
    of rendition: Rendition, _ source: RepairSource?
  ) throws -> (bytes: SharedBytes, result: RepairOutcome.Result)? {
    if let found = try source?.file(rendition.blob) {
      return (found.bytes, .taken(from: found.path))
    }
    if let copy = library.objects?.cache.get(rendition.blob) { return (copy, .remade) }
    return library.store.quarantined(rendition.blob).map { ($0.bytes, .taken(from: $0.path)) }
  }

  private func replace(
    _ rendition: Rendition, by copy: (bytes: SharedBytes, result: RepairOutcome.Result)?,
    of photo: Photo, _ source: RepairSource?
  ) throws -> RepairOutcome.Result {
    if let copy {
      try library.blobs.put([PendingBlob(id: rendition.blob, bytes: copy.bytes)])
      return copy.result
    }
    let current = try library.catalog.read { try $0.photos.find(photo.entry.id.description) }
    if rendition.role == .thumbnail {
      return try remakeThumbnail(of: current, source) ? .remade : .lost
    }
    guard let digest = photo.entry.photo?.sourceDigest, let found = try source?.file(digest) else {
      return .lost
    }
    try remake(rendition, of: current, from: found.bytes)
    return .taken(from: found.path)
  }

  private func isGood(_ rendition: Rendition) throws -> Bool {
    try library.blobs.faultInBytes(of: rendition.blob, byteCount: rendition.byteCount) == nil
  }

  private func remakeThumbnail(of photo: Photo, _ source: RepairSource?) throws -> Bool {
    let full = photo.renditions.filter { $0.role != .thumbnail }
    let imported = try photo.entry.photo.flatMap { try source?.file($0.sourceDigest) }
    guard let bytes = try readable(full)?.bytes ?? imported?.bytes else { return false }
    let image = try photoFile(bytes).read().thumbnail().image
    let blob = PendingBlob(hashing: image.bytes)
    try put(
      Rendition(
        role: .thumbnail, blob: blob.id, byteCount: blob.bytes.count,
        mediaType: image.format.mediaType, size: image.size, recipe: image.recipe), blob, photo)
    return true
  }

  /// The first file that can be read. One that takes too much memory here is not damaged.
  private func readable(_ renditions: [Rendition]) throws -> (
    bytes: SharedBytes, format: ImageFormat
  )? {
    for rendition in renditions {
      do { return try library.photos.file(rendition) } catch let error as ImagingError
        where error.code == .tooLarge
      {
        throw error
      } catch { continue }
    }
    return nil
  }

  /// Makes a rendition again from the imported file.
  private func remake(_ rendition: Rendition, of photo: Photo, from bytes: SharedBytes) throws {
    let file = try photoFile(bytes)
    let policy: StoragePolicy =
      switch rendition.role {
      case .master: .compact
      case .packed: .lossless
      case .original, .thumbnail: .exact
      }
    let digest = bytes.withUnsafeBytes { BlobID(hashing: $0) }
    let made = try EncodedRenditions(file.read(), digest, policy, rendition.targetScore)
    guard let new = made.renditions.first(where: { $0.role != .thumbnail }),
      let blob = made.blobs.first(where: { $0.id == new.blob })
    else { throw LeaflogError(.failed, "It could not be regenerated.") }
    try put(new, blob, photo)
    if new.role != rendition.role {
      try library.write {
        try $0.renditions.remove(rendition.role, of: photo.entry.id, now: library.clock.now)
      }
    }
  }

  private func put(_ rendition: Rendition, _ blob: PendingBlob, _ photo: Photo) throws {
    try library.blobs.put([blob])
    try library.write {
      try $0.renditions.set(
        rendition, of: photo.entry.id, now: library.clock.now, confirm: library.blobs.confirm)
    }
  }

  private func photoFile(_ bytes: SharedBytes) throws -> PhotoFile {
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      throw LeaflogError(.damaged, "It is not an image.")
    }
    return try PhotoFile(bytes: bytes, format: format)
  }
}

extension RenditionRole {
  fileprivate var rank: Int { RenditionRole.allCases.firstIndex(of: self) ?? 0 }
}

extension Rendition {
  /// The score that it had to reach according to its recipe; 80 if that has none.
  var targetScore: Double {
    recipe.split(separator: ":").last.flatMap { Double($0) } ?? 80
  }
}

/// Recreates the marker of a library, without which it is not recognised as one.
private enum MarkerRescue {
  /// Whether a folder has the files of a library, but no marker, or a damaged one.
  static func isNeeded(at path: String) -> Bool { isNeeded(LibraryLayout(FilePath(path))) }

  private static func isNeeded(_ layout: LibraryLayout) -> Bool {
    if layout.lacksMarker { return true }
    do throws(LeaflogError) {
      _ = try LibraryMarker.read(layout.marker)
      return false
    } catch { return error.code == .damaged }
  }

  /// - Returns: the library's id, and whether it is the former one. Backups are matched by the id, so with a
  ///   new one the library needs new backups.
  static func run(at path: String) throws(LeaflogError) -> (id: String, isFormer: Bool) {
    try translating {
      let layout = LibraryLayout(try FilePath(path).resolved())
      guard isNeeded(layout) else {
        throw LeaflogError.invalid("Nothing at \(path) lacks a marker.")
      }
      let store = LocalBlobStore(root: layout.root)
      try store.createFolders()
      let former = formerID(layout)
      let marker = LibraryMarker(id: former ?? UUID().uuidString)
      try marker.write(to: layout, store)
      return (marker.id, former != nil)
    }
  }

  /// The id in a backup's note, the catalog or one of its snapshots. Unreadable files are skipped, as the
  /// catalog is repaired only after this.
  private static func formerID(_ layout: LibraryLayout) -> String? {
    if let data = FileManager.default.contents(atPath: layout.backupNote.string),
      let note = SealedJSON.decode(BackupNote.self, from: data)
    {
      return note.library
    }
    let catalogs = [layout.catalog.string] + CatalogSnapshot.all(in: layout).map(\.path)
    return catalogs.lazy.compactMap { path -> String? in
      guard FileManager.default.fileExists(atPath: path),
        let catalog = try? Catalog(path: path, access: .readOnlyOfAnyVersion)
      else { return nil }
      defer { try? catalog.close() }
      return (try? catalog.read { try $0.settings[.libraryID] }) ?? nil
    }.first
  }
}
