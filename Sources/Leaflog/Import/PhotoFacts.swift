internal import BlobStorage
internal import DiaryCatalog
internal import DiaryModel
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
  /// When the file was last changed; nil if that is when the photo was exported.
  private let modified: Timestamp?

  /// - Parameter zone: that of the photo's wall times, as far as they do not say.
  init(
    _ file: ScannedFile, _ photo: PhotoFile, _ sidecars: SidecarContents, in zone: TimeZone,
    now: Timestamp
  ) {
    var warnings: Set<ImportWarning> = sidecars.isUnreadable ? [.sidecarUnreadable] : []
    let (xmp, takeout) = (sidecars.xmp, sidecars.takeout)
    let packet = photo.xmp.flatMap { XMP.facts($0) }
    let iptc = photo.iptc
    let changed = Timestamp(milliseconds: file.fingerprint.modifiedAt / 1_000_000)
    modified = xmp?.isExported == true ? nil : changed
    var evidence = CaptureTimeEvidence(modified: changed)
    evidence.take(xmp, from: .sidecar)
    evidence.isSidecarOfOther = file.isSidecarOfRAW
    evidence.exif = photo.exif
    let isToldByEXIF = [photo.exif.original, photo.exif.digitized].contains { time in
      time.map { !$0.isDate && CaptureTimeEvidence.doubt(about: $0, now: now) == nil } ?? false
    }
    if !isToldByEXIF {
      evidence.take(packet, from: .xmp)
      evidence.iptc = iptc
      evidence.take(pngText: photo.pngCreationTime)
    }
    if [xmp, packet].contains(where: { $0?.isMended == true }) { warnings.insert(.xmpMended) }
    evidence.take(takeout, from: .takeout)
    evidence.fileName = FileNameDate(name: file.name, in: file.folders, order: file.dayOrder)
    evidence.fileName?.take(timeOfFile: EntryTime(.instant(changed), in: zone).wall)
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
  /// The time that was recorded for the picture; nil if it is a guess.
  var foundTime: RecordedTime? {
    warnings.contains(where: \.isGuessedDate) ? nil : capture.recorded
  }

  /// The facts as they are compared with those of another import. A file's name and its time are not the photo's own.
  var comparable: FileFacts {
    FileFacts(
      time: hasOwnTime ? capture.recorded.iso8601 : nil, notes: notes, tags: tags, plant: plant,
      isFavourite: isFavourite)
  }

  /// Whether the time is in the file or its sidecars.
  var hasOwnTime: Bool { foundTime != nil && capture.source != .filename }

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

extension PhotoFacts {
  /// The time of the photo, with an offset where a zone is assumed for a wall time, and whether the clocks showed it twice.
  func settled(
    assuming zone: TimeZone?, in library: TimeZone
  ) -> (capture: CaptureTime, isRepeated: Bool) {
    var (time, isRepeated) = capture.recorded.settled(
      in: zone ?? library, changed: modified.map { [$0] } ?? [])
    if let zone, case .wall(let wall) = time { time = .zoned(wall, zone.offset(atWall: wall)) }
    return (CaptureTime(recorded: time, source: capture.source), isRepeated)
  }
}

extension RecordedTime {
  /// How far the time of a file may be from the moment of its photo to tell which of two it was, in milliseconds.
  private static let nearness = 10 * 60 * 1000

  /// This time, and whether it is a wall time that a zone's clocks showed twice. If a file of the photo was last changed near one of
  /// the two moments, the time gets the offset of that one.
  func settled(
    in zone: TimeZone, changed: [Timestamp]
  ) -> (time: RecordedTime, isRepeated: Bool) {
    guard case .wall(let wall) = self else { return (self, false) }
    let offsets = zone.offsets(atWall: wall)
    guard offsets.count > 1 else { return (self, false) }
    let meant = offsets.first { offset in
      let moment = wall.timestamp(offset: offset).milliseconds
      return changed.contains {
        $0.milliseconds.distance(to: moment).magnitude <= Self.nearness
      }
    }
    return (meant.map { .zoned(wall, $0) } ?? self, true)
  }
}

/// The facts in the sidecars of a file.
struct SidecarContents {
  private(set) var xmp: SidecarFacts?
  private(set) var takeout: SidecarFacts?
  /// Whether one of them could not be read.
  private(set) var isUnreadable = false

  /// Those of a file that has none.
  init() {}

  init(_ file: ScannedFile) {
    xmp = facts(file.xmpSidecar) { XMP.facts($0) }
    takeout = facts(file.takeoutSidecar) { Takeout.facts($0) }
  }

  private mutating func facts(
    _ path: FilePath?, _ parse: ([UInt8]) -> SidecarFacts?
  ) -> SidecarFacts? {
    guard let path else { return nil }
    let facts = try? SidecarNames.read(path, parse)
    if facts == nil { isUnreadable = true }
    return facts
  }

  /// The SHA-256 of everything that they say; nil without any. Editors write more into a sidecar than is read.
  var digest: BlobID? {
    guard xmp != nil || takeout != nil else { return nil }
    let texts = [xmp, takeout].flatMap { facts -> [String] in
      guard let facts else { return ["-"] }
      return [
        facts.time?.iso8601 ?? "", facts.notes ?? "", facts.tags.joined(separator: "\n"),
        facts.plant ?? "", facts.captureSource?.rawValue ?? "",
        "\(facts.isFavourite) \(facts.isTrashed)",
      ]
    }
    return Array(texts.joined(separator: "\0").utf8).withUnsafeBytes { BlobID(hashing: $0) }
  }
}

extension PhotoFacts {
  /// These facts with a time given by hand, and with the zone that is assumed for a wall time, given or found.
  ///
  /// A day alone keeps the photo's own time of day, and a month or a year a date that lies in it. Nothing is kept of a
  /// guess, nor a time of day that would make it a date in the future.
  func given(
    _ time: RecordedTime?, assuming zone: TimeZone?, in library: TimeZone, _ present: Present
  ) -> PhotoFacts {
    var facts = self
    guard let time else { return facts.settledFacts(assuming: zone, in: library) }
    facts.warnings = warnings.filter { !$0.isAboutDate }
    var recorded = time
    if !warnings.contains(where: \.isGuessedDate) {
      // The zone comes last: its offset on the new day may differ from that on the old one.
      let shown = zone ?? library
      if case .day(let day) = time {
        let kept = EntryTime(capture.recorded, in: shown).on(day)
        if !present.isFuture(EntryTime(kept, in: shown)) { recorded = kept }
      } else if time.isDate, capture.recorded.isFuller(than: time) {
        recorded = capture.recorded
      }
    }
    if let imprecision = recorded.imprecision { facts.warnings.insert(imprecision) }
    facts.capture = CaptureTime(recorded: recorded, source: .manual)
    return facts.settledFacts(assuming: zone, in: library)
  }

  private func settledFacts(assuming zone: TimeZone?, in library: TimeZone) -> PhotoFacts {
    var facts = self
    let settled = settled(assuming: zone, in: library)
    facts.capture = settled.capture
    if settled.isRepeated { facts.warnings.insert(.repeatedHour) }
    return facts
  }
}
