internal import DiaryCatalog
internal import SystemPackage

/// A file that a scan found, with its sidecars and the name of its folder.
struct ScannedFile: Sendable {
  /// Absolute.
  let path: FilePath
  /// As the request named it, for people to read.
  let displayPath: String
  let fingerprint: FileFingerprint
  /// The name of the folder that it lies in.
  let folderName: String
  /// Files beside it that may tell of it: XMP first, then Takeout's JSON.
  let xmpSidecar: FilePath?
  let takeoutSidecar: FilePath?
  /// Whether a JPEG or HEIC with the same stem lies beside it.
  let hasRenderedTwin: Bool
  /// Whether the request named it itself, and not a folder that it was found in.
  let isNamed: Bool

  var name: String { path.lastComponent.map { String(decoding: $0) } ?? displayPath }
}

/// An element of a scan.
enum ScanItem: Sendable {
  case file(ScannedFile)
  /// Something that needs no reading to be told.
  case outcome(FileOutcome)
}
