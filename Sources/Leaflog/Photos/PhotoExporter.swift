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
    /// A file with the same bytes existed already.
    case unchanged
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

/// Writes photos into a folder, named by plant and time, each with an XMP sidecar.
/// Existing files that differ are never overwritten.
public struct PhotoExporter: Sendable {
  private let library: Library

  /// Creates an exporter of a library.
  public init(_ library: Library) { self.library = library }

  /// Exports a selection and reports every photo once, in order. Stops after the current photo when the
  /// task is cancelled.
  ///
  /// - Throws: `LeaflogError` for errors of the whole run. A photo's failure is its outcome.
  public func run(
    _ request: ExportRequest, report: (ExportOutcome) -> Void
  ) throws(LeaflogError) {
    let entries = try library.photos.entries(request.selection)
    do {
      try FileManager.default.createDirectory(
        atPath: request.folder, withIntermediateDirectories: true)
    } catch {
      throw LeaflogError(
        .failed, "The folder \(request.folder) cannot be made: \(error.localizedDescription)")
    }
    // Different photos can have the same compressed copy; each still gets a file of its own.
    var taken: Set<String> = []
    for entry in entries {
      if Task.isCancelled { return }
      do {
        report(try export(entry, request, &taken))
      } catch let error as ImagingError where error.code == .tellsPlace {
        let name = (try? library.catalog.read { try $0.photos.find(entry.id.description) })?
          .originalName
        report(placeStays(entry, name, error.message))
      } catch {
        let message = LeaflogError(error).message
        report(ExportOutcome(entry: entry, path: nil, result: .failed(message), byteCount: 0))
      }
    }
  }

  private func export(
    _ entry: Entry, _ request: ExportRequest, _ taken: inout Set<String>
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
    let root = FilePath(request.folder)
    let name = ExportName(entry)
    if let folder = name.folder {
      try FileManager.default.createDirectory(
        atPath: root.appending(folder).string, withIntermediateDirectories: true)
    }
    for attempt in 1...1000 {
      let relative = name.path(attempt, image.fileExtension)
      guard !taken.contains(relative) else { continue }
      let target = root.pushing(FilePath(relative))
      let placed = try image.bytes.withUnsafeBytes { try place($0, at: target) }
      guard placed != .differs else { continue }
      taken.insert(relative)
      if placed == .written { setTime(entry, target) }
      let sidecar = FilePath(target.string + ".xmp")
      let sidecarPlacement = try packet.bytes.withUnsafeBytes { try place($0, at: sidecar) }
      guard sidecarPlacement != .differs else {
        throw LeaflogError.invalid(
          "\(sidecar) exists with other contents and is not overwritten. "
            + "Export into another folder.")
      }
      return ExportOutcome(
        entry: entry, path: relative,
        result: placed == .unchanged && sidecarPlacement == .unchanged ? .unchanged : .written,
        byteCount: image.bytes.count)
    }
    throw LeaflogError.invalid("There are a thousand other files with its name.")
  }

  private func placeStays(_ entry: Entry, _ name: String?, _ message: String) -> ExportOutcome {
    ExportOutcome(
      entry: entry, path: nil, result: .placeStays(name.map { "\($0): \(message)" } ?? message),
      byteCount: 0)
  }

  private enum Placement { case written, unchanged, differs }

  private func place(_ bytes: UnsafeRawBufferPointer, at path: FilePath) throws -> Placement {
    if access(path.string, F_OK) == 0 {
      let reader = try FileReader(path)
      guard reader.byteCount == bytes.count else { return .differs }
      return try reader.hash() == BlobID(hashing: bytes) ? .unchanged : .differs
    }
    let file = try OutputFile(path)
    try file.write(bytes)
    return try file.putIfAbsent() ? .written : .differs
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

/// `monstera/2025-04-02_081105.jpg`: plant and wall time, in characters that every file system allows. Without a time of
/// day it is `2025-04-02.jpg`, of a month `2025-04.jpg`.
private struct ExportName {
  /// Nil for photos without a plant, which go into the export's folder itself.
  let folder: String?
  private let stem: String

  init(_ entry: Entry) {
    folder = entry.plant.map { Self.safe($0.name) }
    let wall = entry.time.wall
    let clock = [wall.hour, wall.minute, wall.second].map { padded($0, 2) }.joined()
    stem = entry.time.date + (entry.time.basis == .day ? "" : "_" + clock)
  }

  /// The plain name for the first attempt; later ones have a number appended.
  func path(_ attempt: Int, _ fileExtension: String) -> String {
    (folder.map { $0 + "/" } ?? "") + stem + (attempt > 1 ? "_\(attempt)" : "") + "."
      + fileExtension
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
