internal import DiaryCatalog
internal import SystemPackage

/// A file to import, with its sidecars and the name of its folder: one that a scan found, or one that was
/// sent.
struct ScannedFile: Sendable {
  /// Absolute.
  let path: FilePath
  /// Without folders: the path's, or that of the file that was sent.
  let name: String
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
  /// Whether it was sent, and is gone afterwards: the library does not know it again by its path.
  let isSent: Bool
}

extension ScannedFile {
  /// A file whose bytes have all come.
  init(_ upload: Upload) throws(Errno) {
    let status = try FileStatus(upload.file.path)
    let modified = upload.request.modifiedAt?.milliseconds.multipliedSaturated(by: 1_000_000)
    self.init(
      path: upload.file.path, name: upload.request.name, displayPath: upload.request.name,
      fingerprint: FileFingerprint(
        path: upload.file.path.bytes, byteCount: status.byteCount,
        modifiedAt: modified ?? status.modifiedAt, inode: status.inode),
      folderName: "", xmpSidecar: nil, takeoutSidecar: nil, hasRenderedTwin: false, isNamed: true,
      isSent: true)
  }
}

/// An element of a scan.
enum ScanItem: Sendable {
  case file(ScannedFile)
  /// Something that needs no reading to be told.
  case outcome(FileOutcome)
}
