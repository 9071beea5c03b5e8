internal import DiaryCatalog
public import Foundation
internal import Imaging
internal import SystemPackage

/// A correction of photos' times.
public enum Redating: Sendable, Hashable {
  /// A source of a photo's date, in or about its file.
  public enum Source: String, Sendable, CaseIterable {
    /// EXIF DateTimeOriginal (0x9003) or, failing that, DateTimeDigitized (0x9004).
    case exif
    /// The name of the file that was imported.
    case filename
    /// The XMP or Takeout file beside the imported file, as it is now.
    case sidecar
    /// The modification time that the file had when it was imported.
    case mtime
  }

  /// The clock was wrong by a duration: the wall time moves, the offset stays.
  case shift(Duration)
  /// The clock's zone. A wall time stays and gets the zone's offset, a moment in UTC is converted to
  /// the zone. A recorded offset stays; one that the file's time has decided stays if it is one of the zone's.
  case timeZone(TimeZone)
  /// Another source has the right time.
  case source(Source)
}

extension LibraryPhotos {
  /// Corrects the times of photos, all in one change. It can be undone.
  ///
  /// Photos that cannot be corrected stay as they are, and the result says why.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when a photo that is named does not exist.
  public func redate(
    _ selection: PhotoSelection, _ redating: Redating, confirmed: Set<Doubt.Confirmation> = []
  ) throws(LeaflogError) -> EditResult {
    var edits: [EntryEdit] = []
    var failures: [EditResult.Failure] = []
    var sidecars = SidecarReader()
    let present = try translating { try library.present }
    try forEach(selection) { entry in
      do throws(LeaflogError) {
        let (capture, placed, isRepeated) = try newTime(of: entry, redating, &sidecars)
        try confirmed.check(present.isFuture(placed) ? [.future(capture.recorded)] : [])
        let year = placed.localDay.civil.year
        guard (1...9999).contains(year) else {
          throw .invalid("It would be in the year \(year); dates have years from 1 to 9999.")
        }
        var edit = EntryEdit(entry.id)
        (edit.time, edit.isHourRepeated) = ((placed, capture.source), isRepeated)
        edits.append(edit)
      } catch {
        failures.append(
          EditResult.Failure(entry: entry, message: error.message, remedy: error.remedy))
      }
    }
    return try apply(edits, as: .photoRedate, failures: failures)
  }

  private func newTime(
    of entry: Entry, _ redating: Redating, _ sidecars: inout SidecarReader
  ) throws(LeaflogError) -> (CaptureTime, placed: EntryTime, isRepeated: Bool) {
    let source = entry.photo?.captureSource ?? .manual
    switch redating {
    case .shift(let duration):
      let isDecided = try isOffsetDecided(of: entry)
      let recorded = isDecided ? .wall(entry.time.wall) : entry.time.recorded
      let shifted = CaptureTime(recorded: try recorded.shifted(by: duration), source: .manual)
      let (placed, isRepeated) = placed(shifted.recorded, after: entry, isDecided: isDecided)
      return (shifted, placed, isRepeated)
    case .timeZone(let zone):
      // The source of the date stays the same: only the zone was added.
      let (recorded, isRepeated) = try zoned(entry, in: zone)
      return (
        CaptureTime(recorded: recorded, source: source), library.placed(recorded), isRepeated
      )
    case .source(let source):
      var found = try translating { try recordedTime(of: entry, by: source, &sidecars) }
      let changed = try read { try $0.sourceFiles.all(of: entry.id) }.map {
        Timestamp(milliseconds: $0.modifiedAt / 1_000_000)
      }
      let (time, isRepeated) = found.recorded.settled(in: timeZone, changed: changed)
      found = CaptureTime(recorded: time, source: found.source)
      switch CaptureTimeEvidence.doubt(about: found.recorded, from: found.source, now: moment) {
      case .dateUnset:
        throw .invalid("\(found.recorded.iso8601) is what a clock that was never set says.")
      default:
        let placed = EntryTime(time, replacing: entry.time, in: timeZone, dayEnd: library.dayEnd)
        return (found, placed, isRepeated)
      }
    }
  }

  /// The time of a photo with the offset of a zone, if none was recorded, and whether the zone's clocks showed it twice.
  private func zoned(
    _ entry: Entry, in zone: TimeZone
  ) throws(LeaflogError) -> (RecordedTime, isRepeated: Bool) {
    let (time, wall) = (entry.time, entry.time.wall)
    guard time.basis == .wall || time.basis == .zoned else {
      return (time.recorded.zoned(in: zone), false)
    }
    let isDecided =
      time.basis == .zoned ? try hasRepeatedHour(entry) : false
    guard time.basis == .wall || isDecided else { return (time.recorded, false) }
    let offsets = zone.offsets(atWall: wall)
    let isKept = isDecided && offsets.contains(time.offset)
    return (
      isKept ? time.recorded : RecordedTime.wall(wall).zoned(in: zone), offsets.count > 1
    )
  }

  private func hasRepeatedHour(_ photo: Entry) throws(LeaflogError) -> Bool {
    try read { try $0.photos.warnings(of: photo.id) }.contains(.repeatedHour)
  }

  /// Whether the offset was not recorded, but decided by the time of the file, as the library's clocks showed the time twice.
  func isOffsetDecided(of photo: Entry) throws(LeaflogError) -> Bool {
    let time = photo.time
    guard time.basis == .zoned else { return false }
    let offsets = timeZone.offsets(atWall: time.wall)
    guard offsets.count > 1, offsets.contains(time.offset) else { return false }
    return try hasRepeatedHour(photo)
  }

  /// The place of a photo's new time, and whether the library's clocks showed it twice. An offset that was decided stays in that
  /// hour, and goes to no other.
  func placed(
    _ time: RecordedTime, after photo: Entry, isDecided: Bool
  ) -> (EntryTime, isRepeated: Bool) {
    let isRepeated = library.isRepeated(time)
    if isDecided, isRepeated, case .wall(let wall) = time,
      timeZone.offsets(atWall: wall).contains(photo.time.offset)
    {
      return (library.placed(.zoned(wall, photo.time.offset)), true)
    }
    return (
      EntryTime(time, replacing: photo.time, in: timeZone, dayEnd: library.dayEnd), isRepeated
    )
  }

  private func recordedTime(
    of entry: Entry, by source: Redating.Source, _ sidecars: inout SidecarReader
  ) throws -> CaptureTime {
    let photo = try catalog.read { try $0.photos.find(entry.id.description) }
    switch source {
    case .exif:
      let best = try bestFile(of: photo)
      let exif = try withImagingThread {
        try PhotoFile(bytes: best.bytes, format: best.format).exif
      }
      guard let recorded = exif.original ?? exif.digitized else {
        throw LeaflogError.invalid("Its EXIF has no date.")
      }
      return CaptureTime(recorded: recorded, source: .exif)
    case .filename:
      let file = try read { try $0.sourceFiles.all(of: entry.id) }.first
      let order = file.flatMap { sidecars.dayOrder(beside: FilePath(bytes: $0.path)) }
      guard let found = FileNameDate(name: photo.originalName, order: order) else {
        throw LeaflogError.invalid("The name \(photo.originalName) has no date.")
      }
      return CaptureTime(recorded: found.recorded, source: .filename)
    case .mtime:
      // A copy is newer than its original.
      let files = try read { try $0.sourceFiles.all(of: entry.id) }
      guard let oldest = files.map(\.modifiedAt).min() else {
        throw LeaflogError.invalid("The library does not know its file's modification time.")
      }
      return CaptureTime(
        recorded: .instant(Timestamp(milliseconds: oldest / 1_000_000)), source: .mtime)
    case .sidecar:
      for file in try catalog.read({ try $0.sourceFiles.all(of: entry.id) }) {
        if let found = try sidecars.captureTime(beside: FilePath(bytes: file.path)) {
          return found
        }
      }
      throw LeaflogError.invalid(
        "No sidecar with a date lies beside "
          + (photo.sourcePaths.isEmpty ? "its file." : photo.sourcePaths.joined(separator: ", ")))
    }
  }
}

extension RecordedTime {
  /// This time moved later by a duration, on the same clock.
  ///
  /// - Throws: for a date that no clock recorded to that precision: a day can be moved by whole days only.
  func shifted(by duration: Duration) throws(LeaflogError) -> RecordedTime {
    let milliseconds = duration.saturatedMilliseconds
    func shifted(_ wall: LocalDateTime) -> LocalDateTime {
      LocalDateTime(utc: wall.timestamp(offset: .utc).advanced(byMilliseconds: milliseconds))
    }
    switch self {
    case .zoned(let wall, let offset): return .zoned(shifted(wall), offset)
    case .wall(let wall): return .wall(shifted(wall))
    case .instant(let instant): return .instant(instant.advanced(byMilliseconds: milliseconds))
    case .day(let day):
      guard milliseconds.isMultiple(of: Int64(LocalDateTime.millisecondsPerDay)) else {
        throw .invalid("Its time of day is not known: \(day) can only be moved by whole days.")
      }
      return .day(shifted(LocalDateTime(startOf: day)).day)
    case .month, .year:
      throw .invalid(
        "Only \(iso8601) is known of its date, which cannot be moved. Give it another date instead."
      )
    }
  }

  /// This time with the offset of a zone, if none was recorded.
  func zoned(in zone: TimeZone) -> RecordedTime {
    switch self {
    case .zoned, .day, .month, .year: self
    case .wall(let wall): .zoned(wall, zone.offset(atWall: wall))
    case .instant(let instant):
      .zoned(
        EntryTime(.instant(instant), in: zone).wall, zone.offset(at: instant))
    }
  }
}

extension Entry {
  /// The entry with its wall time alone.
  var withoutOffset: Entry {
    Entry(
      id: id,
      time: EntryTime(
        instant: time.instant, offset: time.offset, basis: .wall, day: time.localDay),
      notes: notes, tags: tags, plant: plant, plantDay: plantDay,
      content: content, deletedAt: deletedAt, sequence: sequence)
  }
}
