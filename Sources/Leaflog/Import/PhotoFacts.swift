internal import BlobStorage
internal import Foundation
internal import Imaging
internal import SystemPackage

/// When a photo was taken and what was written about it, from the file and those beside it.
struct PhotoFacts {
  var capture: CaptureTime
  let notes: String?
  /// As an export of Leaflog's says.
  let plant: String?
  var warnings: Set<ImportWarning>

  init(_ file: ScannedFile, _ photo: PhotoFile, now: Timestamp, assumedTimeZone: TimeZone?) {
    var warnings: Set<ImportWarning> = []
    func sidecar(
      _ path: FilePath?, _ parse: ([UInt8]) -> SidecarFacts?
    ) -> SidecarFacts? {
      guard let path else { return nil }
      guard let facts = try? SidecarNames.read(path, parse) else {
        warnings.insert(.sidecarUnreadable)
        return nil
      }
      return facts
    }
    let xmp = sidecar(file.xmpSidecar) { XMP.facts($0) }
    let takeout = sidecar(file.takeoutSidecar) { Takeout.facts($0) }

    var evidence = CaptureTimeEvidence(
      modified: Timestamp(milliseconds: file.fingerprint.modifiedAt / 1_000_000))
    evidence.sidecar = xmp?.time
    evidence.exif = photo.exif
    if photo.exif.original == nil, photo.exif.digitized == nil {
      evidence.embeddedXMP = photo.xmp.flatMap { XMP.facts($0) }?.time
    }
    evidence.takeout = takeout?.time
    evidence.fileName = FileNameDate(name: file.name)
    let (found, doubts) = evidence.resolve(now: now)
    capture = found.assuming(assumedTimeZone)
    notes = xmp?.notes ?? takeout?.notes
    plant = xmp?.plant
    self.warnings = warnings.union(doubts)
  }
}

extension CaptureTime {
  /// A wall time becomes one of a zone that somebody vouches for.
  func assuming(_ zone: TimeZone?) -> CaptureTime {
    guard let zone, case .wall(let wall) = recorded else { return self }
    return CaptureTime(recorded: .zoned(wall, zone.offset(atWall: wall)), source: source)
  }
}
