internal import DiaryCatalog
internal import Foundation
internal import Glibc
internal import SystemPackage

/// A line of JSON for each photo that was added since the last snapshot of the catalog: with the store
/// and that snapshot it is enough to make the catalog again.
struct RecoveryJournal {
  private let path: FilePath
  /// What a snapshot that is being taken will have all of.
  private let older: FilePath

  init(_ layout: LibraryLayout) {
    path = layout.journal
    older = Self.olderPath(layout)
  }

  static func olderPath(_ layout: LibraryLayout) -> FilePath {
    layout.journal.removingLastComponent().appending("journal-older.jsonl")
  }

  /// A photo as it was recorded.
  struct Line: Codable {
    struct Blob: Codable {
      let role: String
      let blob: String
      let byteCount: Int
      let mediaType: String
      let width: Int
      let height: Int
      let recipe: String
    }

    let sourceDigest: String
    let sourceByteCount: Int
    let sourceMediaType: String
    let originalName: String
    let width: Int
    let height: Int
    /// As it was recorded: ISO 8601.
    let recordedAt: String
    let timeBasis: String
    let captureSource: String
    let notes: String?
    let plant: String?
    let placeholder: Data
    let warnings: [String]
    let renditions: [Blob]
  }

  /// Adds photos, durably. To be called once they are in the catalog: a line too few is known from the
  /// blobs, a line too many is not known to be one.
  func append(_ photos: [NewPhoto]) throws(LeaflogError) {
    guard !photos.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = Data()
    for photo in photos {
      guard let line = try? encoder.encode(Line(photo)) else { continue }
      text += line + Data("\n".utf8)
    }
    let file = path.withPlatformString {
      open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw OutputFile.failure(path, Errno(rawValue: errno)) }
    defer { close(file) }
    // In one piece, so that lines of several processes do not mix.
    let count = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count == text.count, fsync(file) == 0 else {
      throw OutputFile.failure(path, count < 0 ? Errno(rawValue: errno) : .noSpace)
    }
  }

  /// The photos in it, oldest first; what cannot be read, as after a crash in the middle of a line, is
  /// left out.
  func photos(in zone: TimeZone) -> [NewPhoto] {
    [older, path].flatMap { path -> [NewPhoto] in
      let data = FileManager.default.contents(atPath: path.string) ?? Data()
      return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
        (try? JSONDecoder().decode(Line.self, from: line))?.photo(in: zone)
      }
    }
  }

  /// Lets go of what a snapshot has. What is added while it is being taken stays, and so does all of
  /// it when it fails.
  func during<Snapshot>(_ snapshot: () throws -> Snapshot) rethrows -> Snapshot {
    // One that is there was left by a snapshot that failed: this one has it, too.
    if access(older.string, F_OK) != 0 { rename(path.string, older.string) }
    let taken = try snapshot()
    unlink(older.string)
    return taken
  }
}

extension RecoveryJournal.Line {
  init(_ photo: NewPhoto) {
    sourceDigest = photo.sourceDigest.hex
    sourceByteCount = photo.sourceByteCount
    sourceMediaType = photo.sourceMediaType
    originalName = photo.originalName
    (width, height) = (photo.size.width, photo.size.height)
    recordedAt = photo.time.recorded.iso8601
    timeBasis = photo.time.basis.rawValue
    captureSource = photo.captureSource.rawValue
    (notes, plant) = (photo.notes, photo.plantName)
    placeholder = Data(photo.placeholder)
    warnings = photo.warnings.map(\.rawValue)
    renditions = photo.renditions.map {
      Blob(
        role: $0.role.rawValue, blob: $0.blob.hex, byteCount: $0.byteCount,
        mediaType: $0.mediaType, width: $0.size.width, height: $0.size.height, recipe: $0.recipe)
    }
  }

  func photo(in zone: TimeZone) -> NewPhoto? {
    guard let digest = BlobID(hex: sourceDigest),
      let source = CaptureSource(rawValue: captureSource),
      let recorded = recordedTime
    else { return nil }
    let found = renditions.compactMap { item -> Rendition? in
      guard let role = RenditionRole(rawValue: item.role), let blob = BlobID(hex: item.blob) else {
        return nil
      }
      return Rendition(
        role: role, blob: blob, byteCount: item.byteCount, mediaType: item.mediaType,
        size: PixelSize(width: item.width, height: item.height), recipe: item.recipe)
    }
    return NewPhoto(
      sourceDigest: digest, sourceByteCount: sourceByteCount, sourceMediaType: sourceMediaType,
      originalName: originalName, size: PixelSize(width: width, height: height),
      time: EntryTime(recorded, in: zone), captureSource: source, notes: notes, plantName: plant,
      placeholder: Array(placeholder),
      warnings: warnings.compactMap { ImportWarning(rawValue: $0) },
      renditions: found)
  }

  private var recordedTime: RecordedTime? {
    guard let recorded = RecordedTime(recordedAt) else { return nil }
    if timeBasis == EntryTime.Basis.instant.rawValue, case .zoned(let wall, let offset) = recorded {
      return .instant(wall.timestamp(offset: offset))
    }
    return recorded
  }
}
