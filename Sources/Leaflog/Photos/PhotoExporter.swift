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
  public enum Result: Sendable, Hashable {
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
public struct UnselectedExport: Sendable {
  /// The result for its files.
  public enum Result: String, Sendable, Hashable {
    /// They were left.
    case kept
    /// They were deleted.
    case deleted
    /// Somebody else has changed them since they were exported, so they were left.
    case changed
  }

  /// The photo.
  public let photo: EntryID
  /// The image's path below the export's folder.
  public let path: String
  /// The result for its files.
  public let result: Result
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
  /// - Returns: the photos of earlier exports that are no longer selected; none when the task was cancelled.
  /// - Throws: `LeaflogError` for errors of the whole run. A photo's failure is its outcome.
  @discardableResult
  public func run(
    _ request: ExportRequest, report: (ExportOutcome) -> Void
  ) throws(LeaflogError) -> [UnselectedExport] {
    let entries = try library.photos.entries(request.selection)
    var folder = try translating { try ExportFolder(request.folder) }
    var others: [UnselectedExport] = []
    do {
      for entry in entries where !Task.isCancelled {
        report(outcome(of: entry, request, &folder))
      }
      if !Task.isCancelled {
        others = try self.others(than: entries, in: &folder, isDeleting: request.deletesOthers)
      }
    } catch {
      try translating { try folder.end() }
      throw LeaflogError(error)
    }
    try translating { try folder.end() }
    return others
  }

  private func others(
    than entries: [Entry], in folder: inout ExportFolder, isDeleting: Bool
  ) throws -> [UnselectedExport] {
    let selected = Set(entries.map(\.id))
    let others = folder.records.values.filter { !selected.contains($0.photo) }
      .sorted { $0.path < $1.path }
    return try others.map { record in
      var result = UnselectedExport.Result.kept
      if isDeleting {
        let states = [
          try folder.state(record.path, record.images),
          try folder.state(record.sidecarPath, record.sidecars),
        ]
        result = states.contains(.foreign) ? .changed : .deleted
      }
      if result == .deleted {
        try folder.remove(record)
        folder.forget(record.photo)
      }
      return UnselectedExport(photo: record.photo, path: record.path, result: result)
    }
  }

  private func outcome(
    of entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) -> ExportOutcome {
    do {
      return try export(entry, request, &folder)
    } catch let error as ImagingError where error.code == .tellsPlace {
      let name = (try? library.catalog.read { try $0.photos.find(entry.id.description) })?
        .originalName
      return placeStays(entry, name, error.message)
    } catch {
      return ExportOutcome(
        entry: entry, path: nil, result: .failed(LeaflogError(error).message), byteCount: 0)
    }
  }

  private func export(
    _ entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) throws -> ExportOutcome {
    let photo = try library.catalog.read { try $0.photos.find(entry.id.description) }
    let packet = XMPPacket(photo)
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
    _ files: ExportedFiles, of entry: Entry, _ request: ExportRequest, _ folder: inout ExportFolder
  ) throws -> ExportOutcome {
    let name = ExportName(entry)
    let known = try folder.record(
      of: entry.id, named: name, files.fileExtension,
      image: (files.imageDigest, files.image.count))
    let image = try folder.state(known.path, known.images, wanted: files.imageDigest)
    let sidecar = try folder.state(known.sidecarPath, known.sidecars, wanted: files.sidecarDigest)
    for (state, path) in [(image, known.path), (sidecar, known.sidecarPath)]
    where state == .foreign {
      throw LeaflogError.invalid(
        "\(folder.path(path)) is not as an export has written it, and is not overwritten.")
    }
    // Another rendition can have another format.
    let isRenamed = known.path.hasSuffix("." + files.fileExtension) == false
    let states = [image, sidecar]
    let isOutdated = states.contains(.outdated) || (isRenamed && states != [.missing, .missing])
    if isOutdated, !request.replacesOutdated {
      guard !request.stripsLocation else {
        throw LeaflogError.invalid(
          "\(folder.path(known.path)) is of an earlier export, may have its location, and was not replaced."
        )
      }
      return ExportOutcome(entry: entry, path: known.path, result: .outdated, byteCount: 0)
    }
    var record = known
    if isRenamed {
      record = try folder.newRecord(of: entry.id, named: name, files.fileExtension)
    }
    (record.images, record.sidecars) = ([files.imageDigest], [files.sidecarDigest])
    if isRenamed || states != [.same, .same] || folder.records[entry.id] == nil {
      try folder.note(record)
    }
    let missing = isRenamed ? .missing : image
    let isImageWritten = try files.image.withUnsafeBytes {
      try write($0, at: folder.path(record.path), missing)
    }
    guard isImageWritten else {
      // Somebody else made it meanwhile, or the file system does not tell its name from another.
      let other = try folder.newRecord(of: entry.id, named: name, files.fileExtension)
      try folder.note(other)
      return try place(files, of: entry, request, &folder)
    }
    if missing != .same { setTime(entry, folder.path(record.path)) }
    let isWritten = try files.sidecar.withUnsafeBytes {
      try write($0, at: folder.path(record.sidecarPath), isRenamed ? .missing : sidecar)
    }
    guard isWritten else {
      throw LeaflogError.invalid(
        "\(folder.path(record.sidecarPath)) was made by somebody else, and is not overwritten.")
    }
    if isRenamed { try folder.remove(known) }
    return ExportOutcome(
      entry: entry, path: record.path,
      result: isOutdated ? .updated : states == [.same, .same] ? .unchanged : .written,
      byteCount: files.image.count)
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
  ) throws -> (bytes: ByteBuffer, fileExtension: String) {
    if request.quality == .preview {
      return (
        ByteBuffer(copying: try library.photos.preview(of: photo)), ImageFormat.jpeg.fileExtension
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
    isFavourite = entry.photo?.isFavourite == true
    captureSource = entry.photo?.captureSource
    guess = photo.warnings.first(where: \.isGuessedDate)
  }
}

/// The files that are to be exported for a photo.
private struct ExportedFiles {
  let image: ByteBuffer
  let sidecar: [UInt8]
  let fileExtension: String
  let imageDigest: BlobID
  let sidecarDigest: BlobID

  init(image: ByteBuffer, sidecar: [UInt8], fileExtension: String) {
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
