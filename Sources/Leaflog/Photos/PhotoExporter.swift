internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Imaging
internal import SystemPackage

/// A selection of photos to export, with the options.
public struct ExportRequest: Sendable {
  /// The version of a photo to export.
  public enum Quality: String, Sendable, CaseIterable {
    /// The imported file, byte for byte, if the library has it; otherwise the compressed copy.
    case best
    /// The compressed copy if there is one; otherwise the best file there is.
    case master
    /// At most 2048 px a side, upright, sRGB, without metadata.
    case preview
  }

  /// The photos to export.
  public var selection: PhotoSelection
  /// The time of day of the photos to export, and their light.
  public var hours = PhotoHours()
  /// The folder to write to; created if it is missing.
  public var folder: String
  /// The version of the photos to export.
  public var quality = Quality.best
  /// Removes the location from photos, and with it everything except the image, its colour profile and
  /// its other EXIF data. A photo whose EXIF or sidecar has coordinates in words is not exported.
  public var stripsLocation = false
  /// Replaces the files of photos that have changed since they were exported, unless somebody else has changed them.
  public var replacesOutdated = false
  /// Deletes the files of photos that are no longer selected, unless somebody else has changed them.
  public var deletesOthers = false

  /// Creates a request with default options.
  public init(_ selection: PhotoSelection, to folder: String) {
    self.selection = selection
    self.folder = folder
  }
}

/// The outcome of exporting one photo.
public struct ExportOutcome: Sendable {
  /// The result for a photo.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// Its files are new in the folder.
    case written
    /// Its files from an earlier export were replaced.
    case updated
    /// Files with the same bytes existed already.
    case unchanged
    /// The photo has changed since it was exported; its files were left as they are.
    case outdated
    /// It could not be exported; the sentence says why.
    case failed(String)
    /// Its location could not be removed, and nothing was written; the sentence says why. Previews
    /// never have a location, but sidecars may.
    case placeStays(String)
  }

  /// The photo.
  public let entry: Entry
  /// The path below the export's folder, such as `monstera/2025-04-02_081105.jpg`; nil on failure.
  public let path: String?
  /// The result, or the reason for which nothing was done.
  public let result: Result
  /// The size of the image file; 0 on failure.
  public let byteCount: Int
  /// Whether the location stays because the photo's own words in the diary tell it, which the sidecar repeats.
  public var isPlaceInWords = false
}

/// A photo in an export's folder that is no longer selected.
public struct UnselectedExport: Sendable, Hashable {
  /// The result for its files.
  @nonexhaustive
  public enum Result: Sendable, Hashable {
    /// They were left.
    case kept
    /// They were deleted.
    case deleted
    /// They could not be deleted, or somebody else has changed them since they were exported; the sentence says why.
    case failed(String)
  }

  /// The photo.
  public let photo: EntryID
  /// The image's path below the export's folder.
  public let path: String
  /// The result for its files.
  public let result: Result
}

/// The result of an export of photos.
public struct ExportSummary: Sendable, Hashable {
  /// The photos of earlier exports that are no longer selected, up to the interruption if there was one.
  public internal(set) var others: [UnselectedExport] = []
  /// Whether the task was cancelled before everything was done.
  public internal(set) var isInterrupted = false

  /// Whether the export ends here, as its task is cancelled.
  fileprivate mutating func checkCancellation() -> Bool {
    isInterrupted = isInterrupted || Task.isCancelled
    return isInterrupted
  }
}

/// Writes photos into a folder, named by plant and time, each with an XMP sidecar.
///
/// The folder has a hidden list of what exports have written. A photo keeps its name in later exports. Files that
/// somebody else has put or changed there are never overwritten or deleted.
public struct PhotoExporter: Sendable {
  private let library: Library

  /// Creates an exporter of a library.
  public init(_ library: Library) { self.library = library }

  /// Exports a selection and reports every photo once, in order. Stops after the current photo when the
  /// task is cancelled.
  ///
  /// - Throws: `LeaflogError` for errors of the whole run. A photo's failure is its outcome.
  @discardableResult
  public func run(
    _ request: ExportRequest, report: (ExportOutcome) -> Void
  ) throws(LeaflogError) -> ExportSummary {
    let ids = try ids(request)
    var folder = try translating { try ExportFolder(request.folder) }
    var summary = ExportSummary()
    var rest = ids[...]
    while !rest.isEmpty, !summary.isInterrupted {
      let batch = Array(rest.prefix(Self.batchCount))
      rest = rest.dropFirst(batch.count)
      try library.photos.forEach(batch) { entry in
        guard !summary.checkCancellation() else { return }
        report(outcome(of: entry, request, &folder))
      }
    }
    listOthers(than: ids, in: &folder, isDeleting: request.deletesOthers, &summary)
    try translating { try folder.end() }
    return summary
  }

  /// The number of photos that are read from the catalog at a time.
  private static let batchCount = 100

  private func ids(_ request: ExportRequest) throws(LeaflogError) -> [EntryID] {
    let all = try library.photos.ids(request.selection)
    guard request.hours.isLimited else { return all }
    var photos: [(id: EntryID, plant: PlantID?, time: EntryTime, isDark: Bool)] = []
    try library.photos.forEach(all) {
      photos.append(($0.id, $0.plant?.id, $0.time, $0.photo?.isDark == true))
    }
    return request.hours.chosen(photos) { ($0.plant, $0.time, $0.isDark) }.map(\.id)
  }

  private func listOthers(
    than ids: [EntryID], in folder: inout ExportFolder, isDeleting: Bool,
    _ summary: inout ExportSummary
  ) {
    let selected = Set(ids)
    let others = folder.records.values.filter { !selected.contains($0.photo) }
      .sorted { $0.files.path < $1.files.path }
    for record in others {
      guard !summary.checkCancellation() else { return }
      let result = isDeleting ? delete(record, from: &folder) : .kept
      summary.others.append(
        UnselectedExport(photo: record.photo, path: record.files.path, result: result))
    }
  }

  private func delete(
    _ record: ExportFolder.Record, from folder: inout ExportFolder
  ) -> UnselectedExport.Result {
    do {
      for files in record.allFiles {
        guard try !folder.isForeign(files) else {
          return .failed("\(files.path) is not as an export has written it, and is not deleted.")
        }
      }
      for files in record.allFiles { try folder.remove(files) }
      folder.forget(record.photo)
      return .deleted
    } catch { return .failed(LeaflogError(error).message) }
  }

  private func outcome(
    of entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) -> ExportOutcome {
    do {
      return try export(entry, request, &folder)
    } catch let error as ImagingError where error.code == .tellsPlace {
      return placeStays(entry, entry.photo?.originalName, error.message)
    } catch {
      return ExportOutcome(
        entry: entry, path: nil, result: .failed(LeaflogError(error).message), byteCount: 0)
    }
  }

  private func export(
    _ entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) throws -> ExportOutcome {
    let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
    var packet = XMPPacket(photo)
    // A name may tell a place in ways that are not recognised.
    if request.stripsLocation { packet.originalName = nil }
    if request.stripsLocation, let part = LocationRemoval.place(in: packet) {
      var outcome = placeStays(
        entry, photo.originalName,
        "Where it was taken cannot be left out of its sidecar: there are coordinates in \(part).")
      outcome.isPlaceInWords = true
      return outcome
    }
    let image = try image(of: photo, request)
    let files = ExportedFiles(
      image: image.bytes, sidecar: packet.bytes, fileExtension: image.fileExtension)
    return try place(files, of: entry, request, &folder)
  }

  /// Writes a photo's files where they are missing, and over those of earlier exports if the request says so.
  private func place(
    _ wanted: ExportedFiles, of entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) throws -> ExportOutcome {
    let name = ExportName(entry)
    let known = folder.record(
      of: entry.id, named: name, wanted.fileExtension,
      image: (wanted.imageDigest, wanted.image.count))
    let states = try folder.states(of: known.files, wanted)
    try refuseForeign(states, of: known.files, in: folder)
    if let former = known.former {
      try refuseForeign(folder.states(of: former, wanted), of: former, in: folder)
    }
    // Another rendition can have another format.
    let isRenamed = !known.files.path.hasSuffix("." + wanted.fileExtension)
    let isOutdated =
      known.former != nil || states.contains(.outdated)
      || (isRenamed && states != [.missing, .missing])
    if isOutdated, !request.replacesOutdated {
      guard !request.stripsLocation else {
        throw LeaflogError.invalid(
          "\(folder.path(known.files.path)) is of an earlier export, may have its location, and was "
            + "not replaced.")
      }
      return ExportOutcome(entry: entry, path: known.files.path, result: .outdated, byteCount: 0)
    }
    if !isOutdated, states == [.same, .same], folder.records[entry.id] != nil {
      return ExportOutcome(
        entry: entry, path: known.files.path, result: .unchanged, byteCount: wanted.image.count)
    }
    // A name that is given up twice before its files are removed cannot be: the first comes before all else.
    if let former = known.former { try folder.remove(former) }
    var record = known
    record.former = isRenamed ? known.files : nil
    if isRenamed { record.files = folder.newFiles(named: name, wanted.fileExtension) }
    try write(wanted, as: &record, of: entry, &folder)
    let isAdopted = states == [.same, .same] && folder.records[entry.id] != nil
    return ExportOutcome(
      entry: entry, path: record.files.path,
      result: isOutdated ? .updated : isAdopted ? .unchanged : .written,
      byteCount: wanted.image.count)
  }

  private func refuseForeign(
    _ states: [ExportFolder.FileState], of files: ExportFolder.Files, in folder: ExportFolder
  ) throws {
    for (state, path) in zip(states, [files.path, files.sidecarPath]) where state == .foreign {
      throw LeaflogError.invalid(
        "\(folder.path(path)) is not as an export has written it, and is not overwritten.")
    }
  }

  /// Notes a record, and writes its files. Those that it replaces are removed last.
  private func write(
    _ wanted: ExportedFiles, as record: inout ExportFolder.Record, of entry: Entry,
    _ folder: inout ExportFolder
  ) throws {
    while true {
      let states = try folder.states(of: record.files, wanted)
      record.files.images.append(wanted.imageDigest)
      record.files.sidecars.append(wanted.sidecarDigest)
      try folder.note(record)
      let path = folder.path(record.files.path)
      let isThere = try wanted.image.withUnsafeBytes { try write($0, at: path, states[0]) }
      guard isThere else {
        // Somebody else made it meanwhile, or the file system does not tell its name from another.
        record.files = folder.newFiles(named: ExportName(entry), wanted.fileExtension)
        continue
      }
      if states[0] != .same { setTime(entry, path) }
      let sidecar = folder.path(record.files.sidecarPath)
      guard try wanted.sidecar.withUnsafeBytes({ try write($0, at: sidecar, states[1]) }) else {
        throw LeaflogError.invalid("\(sidecar) was made by somebody else, and is not overwritten.")
      }
      break
    }
    let isNarrower = record.files.images.count > 1 || record.former != nil
    if let former = record.former { try folder.remove(former) }
    record.former = nil
    (record.files.images, record.files.sidecars) = ([wanted.imageDigest], [wanted.sidecarDigest])
    if isNarrower { folder.settle(record) }
  }

  private func placeStays(_ entry: Entry, _ name: String?, _ message: String) -> ExportOutcome {
    ExportOutcome(
      entry: entry, path: nil, result: .placeStays(name.map { "\($0): \(message)" } ?? message),
      byteCount: 0)
  }

  /// Writes a file that is missing or outdated.
  ///
  /// - Returns: false when it was missing and is there now.
  private func write(
    _ bytes: UnsafeRawBufferPointer, at path: FilePath, _ state: ExportFolder.FileState
  ) throws -> Bool {
    if state == .same { return true }
    if state == .missing {
      try FileManager.default.createDirectory(
        atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
    }
    let file = try OutputFile(path)
    try file.write(bytes)
    if state == .missing { return try file.putIfAbsent() }
    _ = try file.replace()
    return true
  }

  private func image(
    of photo: Photo, _ request: ExportRequest
  ) throws -> (bytes: SharedBytes, fileExtension: String) {
    if request.quality == .preview {
      return (
        SharedBytes(copying: try library.photos.preview(of: photo)), ImageFormat.jpeg.fileExtension
      )
    }
    let master = photo.renditions.first { $0.role == .master && request.quality == .master }
    let file = try library.photos.file(master ?? library.photos.bestRendition(of: photo))
    guard request.stripsLocation else { return (file.bytes, file.format.fileExtension) }
    let stripped = try withImagingThread {
      try LocationRemoval.strip(file.bytes, format: file.format)
    }
    return (stripped, file.format.fileExtension)
  }

  /// Sets the file's modification time to the photo's, for programs that use nothing else. A file system
  /// may refuse it.
  private func setTime(_ entry: Entry, _ path: FilePath) {
    let milliseconds = entry.time.instant.milliseconds
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path.string)
  }
}

extension XMPPacket {
  /// The sidecar of an exported photo.
  fileprivate init(_ photo: Photo) {
    let entry = photo.entry
    self.init(
      time: entry.time.recorded, notes: entry.notes, plant: entry.plant?.name, tags: entry.tags)
    originalName = photo.originalName
    isFavourite = entry.photo?.isFavourite == true
    captureSource = entry.photo?.captureSource
    guess = photo.warnings.first { $0.isGuessedDate || $0 == .repeatedHour }
  }
}

extension ExportFolder {
  /// The states of an image and its sidecar.
  fileprivate func states(of files: Files, _ wanted: ExportedFiles) throws -> [FileState] {
    [
      try state(files.path, files.images, wanted: wanted.imageDigest),
      try state(files.sidecarPath, files.sidecars, wanted: wanted.sidecarDigest),
    ]
  }
}

/// The files that are to be exported for a photo.
private struct ExportedFiles {
  let image: SharedBytes
  let sidecar: [UInt8]
  let fileExtension: String
  let imageDigest: BlobID
  let sidecarDigest: BlobID

  init(image: SharedBytes, sidecar: [UInt8], fileExtension: String) {
    (self.image, self.sidecar, self.fileExtension) = (image, sidecar, fileExtension)
    imageDigest = image.withUnsafeBytes { BlobID(hashing: $0) }
    sidecarDigest = sidecar.withUnsafeBytes { BlobID(hashing: $0) }
  }
}

/// `monstera/2025-04-02_081105.jpg`: plant and wall time, in characters that every file system allows. Without a time of
/// day it is `2025-04-02.jpg`, of a month `2025-04.jpg`.
struct ExportName {
  /// Nil for photos without a plant, which go into the export's folder itself.
  let folder: String?
  let stem: String

  init(_ entry: Entry) {
    folder = entry.plant.map { Self.safe($0.name) }
    let wall = entry.time.wall
    let clock = [wall.hour, wall.minute, wall.second].map { padded($0, 2) }.joined()
    stem = entry.time.date + (entry.time.basis == .day ? "" : "_" + clock)
  }

  /// The name of a file: the plain one for the number 1, others have their number appended.
  func file(_ number: Int, _ fileExtension: String) -> String {
    stem + (number > 1 ? "_\(number)" : "") + "." + fileExtension
  }

  /// The number of a file with such a name; nil for other names.
  func number(of file: String, _ fileExtension: String) -> Int? {
    guard file.hasPrefix(stem), file.hasSuffix("." + fileExtension) else { return nil }
    let middle = file.dropFirst(stem.count).dropLast(fileExtension.count + 1)
    let number = middle.isEmpty ? 1 : Int(middle.dropFirst())
    return number.flatMap { self.file($0, fileExtension) == file ? $0 : nil }
  }

  /// FAT and NTFS refuse some characters, and trailing dots and spaces; a leading dot would hide the folder.
  private static func safe(_ name: String) -> String {
    var result = ""
    for character in name {
      let isRefused =
        "/\\:*?\"<>|".contains(character)
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      let next = isRefused ? "-" : String(character)
      if result.utf8.count + next.utf8.count > 200 { break }
      result += next
    }
    while let last = result.last, last == "." || last == " " { result.removeLast() }
    if result.hasPrefix(".") { result = "-" + result.dropFirst() }
    return result.isEmpty ? "-" : result
  }
}
