internal import DiaryCatalog
internal import Imaging
internal import SystemPackage

/// A file to import, with its sidecars and the name of its folder, either found by a scan or uploaded.
package struct ScannedFile: Sendable {
  /// The absolute path.
  let path: FilePath
  /// The file name without folders: the path's, or that of the uploaded file.
  let name: String
  /// The path as the request named it, for people to read.
  package let displayPath: String
  let fingerprint: FileFingerprint
  /// Sidecars beside it: XMP first, then Takeout's JSON.
  let xmpSidecar: FilePath?
  let takeoutSidecar: FilePath?
  /// Whether the XMP sidecar is rather that of a RAW file beside it.
  let isSidecarOfRAW: Bool
  /// Which number is the day in the names of its folder that have the year last; nil if they do not tell.
  let dayOrder: DayOrder?
  /// Whether a JPEG or HEIC with the same stem lies beside it.
  let hasRenderedTwin: Bool
  /// Whether the request named the file itself, rather than a folder that contains it.
  let isNamed: Bool
  /// Whether it was uploaded. Its path is temporary, so the library does not recognise it by that.
  let isSent: Bool
}

extension ScannedFile {
  /// The names of the folders that contain it, the outermost first; none for an uploaded file.
  var folders: [String] {
    isSent ? [] : path.removingLastComponent().components.map(\.text)
  }

  var hasSidecar: Bool { xmpSidecar != nil || takeoutSidecar != nil }

  /// The file of a complete upload.
  init(_ upload: Upload) throws(Errno) {
    let status = try FileStatus(upload.file.path)
    let modified = upload.request.modifiedAt?.milliseconds.multipliedSaturated(by: 1_000_000)
    self.init(
      path: upload.file.path, name: upload.request.name, displayPath: upload.request.name,
      fingerprint: FileFingerprint(
        path: upload.file.path.bytes, byteCount: status.byteCount,
        modifiedAt: modified ?? status.modifiedAt, changedAt: status.changedAt,
        inode: status.inode),
      xmpSidecar: nil, takeoutSidecar: nil, isSidecarOfRAW: false, dayOrder: nil,
      hasRenderedTwin: false, isNamed: true, isSent: true)
  }
}

/// An element of a scan.
package enum ScanItem: Sendable {
  case file(ScannedFile)
  /// An outcome that is known without reading a file.
  case outcome(FileOutcome)
}
