internal import BlobStorage
internal import Foundation
internal import Imaging
internal import SystemPackage

/// A photo's capture time, notes, tags, plant and mark as a favourite, from its file and its sidecars.
struct PhotoFacts {
  var capture: CaptureTime
  let notes: String?
  let tags: [String]
  /// The plant in a sidecar that Leaflog exported.
  let plant: String?
  let isFavourite: Bool
  /// Whether a sidecar says that the photo is in the bin of the program that it comes from.
  let isTrashed: Bool
  var warnings: Set<ImportWarning>

  /// - Parameter zone: that of the photo's wall times, as far as they do not say.
  init(_ file: ScannedFile, _ photo: PhotoFile, in zone: TimeZone, now: Timestamp) {
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

    let packet = photo.xmp.flatMap { XMP.facts($0) }
    let iptc = photo.iptc
    var evidence = CaptureTimeEvidence(
      modified: Timestamp(milliseconds: file.fingerprint.modifiedAt / 1_000_000))
    evidence.take(xmp, from: .sidecar)
    evidence.exif = photo.exif
    let isToldByEXIF = [photo.exif.original, photo.exif.digitized].contains { time in
      time.map { CaptureTimeEvidence.doubt(about: $0, now: now) == nil } ?? false
    }
    if !isToldByEXIF {
      evidence.take(packet, from: .xmp)
      evidence.iptc = iptc
    }
    evidence.take(takeout, from: .takeout)
    evidence.fileName = FileNameDate(name: file.name, folders: file.folders)
    evidence.fileName?.take(timeOfFile: EntryTime(.instant(evidence.modified), in: zone).wall)
    let doubts: Set<ImportWarning>
    (capture, doubts) = evidence.resolve(now: now)
    if capture.source == .sidecar, let source = xmp?.captureSource {
      capture = CaptureTime(recorded: capture.recorded, source: source)
      xmp?.guess.map { _ = warnings.insert($0) }
    }
    let isExported = xmp?.isExported == true
    notes =
      xmp?.notes ?? takeout?.notes
      ?? (isExported ? nil : [packet?.notes, iptc.caption].compactMap(Self.caption).first)
    let keywords = isExported ? [] : (packet?.tags ?? []) + iptc.keywords
    tags = (xmp?.tags.isEmpty == false ? xmp?.tags ?? [] : keywords).storableTags
    plant = xmp?.plant
    isFavourite = (isExported ? [xmp] : [xmp, takeout, packet])
      .contains { $0?.isFavourite == true }
    isTrashed = takeout?.isTrashed == true
    self.warnings = warnings.union(doubts)
  }
}

extension PhotoFacts {
  /// A text in a file as a caption; nil for those that cameras and editors write into each of their pictures.
  private static func caption(_ text: String?) -> String? {
    guard let text, !boilerplate.contains(text.lowercased()),
      !text.lowercased().hasSuffix(" digital camera")
    else { return nil }
    return text
  }

  private static let boilerplate: Set<String> = [
    "sony dsc", "dsc", "dcim", "default", "default description", "image description",
    "digital camera", "exif_jpeg_picture", "created with gimp", "untitled", "cof", "oznor", "dav",
    "rhdr", "hdr", "mde", "vignette",
  ]
}

extension CaptureTime {
  /// This time, with a wall time taken as recorded in the given zone.
  func assuming(_ zone: TimeZone?) -> CaptureTime {
    guard let zone, case .wall(let wall) = recorded else { return self }
    return CaptureTime(recorded: .zoned(wall, zone.offset(atWall: wall)), source: source)
  }
}
