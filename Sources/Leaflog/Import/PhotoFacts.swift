internal import BlobStorage
internal import Foundation
internal import Imaging
internal import SystemPackage

/// A photo's capture time, notes and plant, from its file and its sidecars.
struct PhotoFacts {
  var capture: CaptureTime
  let notes: String?
  /// The plant in a sidecar that Leaflog exported.
  let plant: String?
  let isFavourite: Bool
  /// Whether a sidecar says that the photo is in the bin of the program that it comes from.
  let isTrashed: Bool
  var warnings: Set<ImportWarning>

  init(_ file: ScannedFile, _ photo: PhotoFile, now: Timestamp) {
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
    evidence.take(xmp, from: .sidecar)
    evidence.exif = photo.exif
    let isToldByEXIF = [photo.exif.original, photo.exif.digitized].contains { time in
      time.map { CaptureTimeEvidence.doubt(about: $0, now: now) == nil } ?? false
    }
    if !isToldByEXIF {
      evidence.take(photo.xmp.flatMap { XMP.facts($0) }, from: .xmp)
      evidence.iptc = photo.iptc
    }
    evidence.take(takeout, from: .takeout)
    evidence.fileName = FileNameDate(name: file.name)
    let doubts: Set<ImportWarning>
    (capture, doubts) = evidence.resolve(now: now)
    notes = xmp?.notes ?? takeout?.notes
    plant = xmp?.plant
    isFavourite = [xmp, takeout].contains { $0?.isFavourite == true }
    isTrashed = takeout?.isTrashed == true
    self.warnings = warnings.union(doubts)
  }
}

extension CaptureTime {
  /// This time, with a wall time taken as recorded in the given zone.
  func assuming(_ zone: TimeZone?) -> CaptureTime {
    guard let zone, case .wall(let wall) = recorded else { return self }
    return CaptureTime(recorded: .zoned(wall, zone.offset(atWall: wall)), source: source)
  }
}
