package import DiaryModel

/// Everything that is known about when a photo was taken.
package struct CaptureTimeEvidence: Sendable {
  package var sidecar: RecordedTime?
  /// Whether the sidecar's is a time of capture, which overrules EXIF's.
  package var isCaptureTimeInSidecar = true
  package var exif = EXIF()
  /// From the XMP packet inside the file, for photos that lost their EXIF in an editor.
  package var embeddedXMP: RecordedTime?
  /// Whether the packet's is a time of capture, which overrules the IPTC data's.
  package var isCaptureTimeInXMP = true
  /// From the IPTC data inside the file.
  package var iptc = IPTC()
  package var takeout: RecordedTime?
  package var fileName: FileNameDate?
  package var modified: Timestamp
  /// The sources other than EXIF that have a date which could not be read.
  package var unreadable: Set<CaptureSource> = []

  package init(modified: Timestamp) { self.modified = modified }

  /// Adds the facts of a sidecar (`.sidecar`, `.takeout`) or an embedded packet (`.xmp`).
  package mutating func take(_ facts: SidecarFacts?, from source: CaptureSource) {
    switch source {
    case .sidecar: (sidecar, isCaptureTimeInSidecar) = (facts?.time, facts?.isCaptureTime ?? true)
    case .xmp: (embeddedXMP, isCaptureTimeInXMP) = (facts?.time, facts?.isCaptureTime ?? true)
    case .takeout: takeout = facts?.time
    default: preconditionFailure("\(source) has no facts of its own")
    }
    if facts?.hasUnreadableTime == true { unreadable.insert(source) }
  }

  /// A time that may be the photo's.
  private struct Candidate {
    let recorded: RecordedTime?
    let isUnreadable: Bool
    let source: CaptureSource
    /// The warning about the photo's date if it is this one.
    let warning: ImportWarning?

    init(
      _ recorded: RecordedTime?, _ source: CaptureSource, isUnreadable: Bool = false,
      warning: ImportWarning? = nil
    ) {
      self.recorded = recorded
      self.isUnreadable = isUnreadable
      self.source = source
      self.warning = warning
    }
  }

  /// The times other than the file's, most trusted first.
  private var candidates: [Candidate] {
    let beside = Candidate(sidecar, .sidecar, isUnreadable: unreadable.contains(.sidecar))
    let original = Candidate(
      exif.original, .exif, isUnreadable: exif.unreadable.contains(.original))
    let packet = Candidate(embeddedXMP, .xmp, isUnreadable: unreadable.contains(.xmp))
    let created = Candidate(iptc.created, .iptc, isUnreadable: iptc.unreadable.contains(.created))
    return [
      isCaptureTimeInSidecar ? [beside, original] : [original, beside],
      [Candidate(exif.digitized, .exif, isUnreadable: exif.unreadable.contains(.digitized))],
      isCaptureTimeInXMP ? [packet, created] : [created, packet],
      [
        Candidate(iptc.digitized, .iptc, isUnreadable: iptc.unreadable.contains(.digitized)),
        Candidate(exif.gps, .gps, isUnreadable: exif.unreadable.contains(.gps)),
        Candidate(takeout, .takeout, isUnreadable: unreadable.contains(.takeout)),
        Candidate(
          fileName?.recorded, .filename,
          warning: fileName?.hasTimeOfFile == true ? .timeIsFileTime : nil),
        Candidate(
          exif.changed, .exif, isUnreadable: exif.unreadable.contains(.changed),
          warning: .dateIsChangeTime),
      ],
    ].flatMap { $0 }
  }

  /// The most trusted plausible time, and warnings about more trusted ones that were rejected. Without any, it is the
  /// file's modification time, or the present if that is in the future or of a clock that was never set: no photo is
  /// younger than its import.
  ///
  /// - Parameter now: bounds plausible times; a wall time may be 14 hours ahead of UTC. The end of time if it is not
  ///   known.
  package func resolve(now: Timestamp) -> (CaptureTime, Set<ImportWarning>) {
    var warnings: Set<ImportWarning> = []
    for candidate in candidates {
      if candidate.isUnreadable { warnings.insert(.dateUnreadable) }
      guard let recorded = candidate.recorded else { continue }
      if let doubt = Self.doubt(about: recorded, from: candidate.source, now: now) {
        warnings.insert(doubt)
        continue
      }
      if candidate.source == .sidecar, let fuller = fuller(than: recorded, now: now) {
        return (CaptureTime(recorded: fuller, source: .exif), warnings)
      }
      if let imprecision = recorded.imprecision { warnings.insert(imprecision) }
      if let warning = candidate.warning { warnings.insert(warning) }
      if candidate.source != .sidecar, let day = recorded.knownDay, UnsetClock.mayShow(day) {
        warnings.insert(.dateMayBeUnset)
      }
      return (CaptureTime(recorded: recorded, source: candidate.source), warnings)
    }
    let isNowKnown = now.milliseconds < .max
    let isWrong =
      isNowKnown && Self.doubt(about: .instant(modified), from: .mtime, now: now) != nil
    warnings.insert(isWrong ? .dateIsImportTime : .dateIsFileTime)
    return (CaptureTime(recorded: .instant(isWrong ? now : modified), source: .mtime), warnings)
  }

  /// The time in EXIF that agrees and is more precise: programs write sidecars from it and leave out its offset, its
  /// fraction, or the time of day.
  private func fuller(than recorded: RecordedTime, now: Timestamp) -> RecordedTime? {
    [exif.original, exif.digitized].compactMap { $0 }.first { time in
      time.isFuller(than: recorded) && Self.doubt(about: time, now: now) == nil
    }
  }

  /// The reason why a recorded time cannot be true; nil when it is plausible.
  package static func doubt(
    about recorded: RecordedTime, from source: CaptureSource = .exif, now: Timestamp
  ) -> ImportWarning? {
    let (wall, latest, isDayKnown): (LocalDateTime, Int64, Bool) =
      switch recorded {
      case .wall(let wall): (wall, 14 * 3_600_000, true)
      case .zoned(let wall, let offset): (wall, 60_000 + Int64(offset.seconds) * 1000, true)
      case .instant(let instant): (LocalDateTime(utc: instant), 60_000, true)
      case .day(let day): (LocalDateTime(startOf: day), 14 * 3_600_000, true)
      case .month(let month): (LocalDateTime(startOf: month.firstDay), 14 * 3_600_000, false)
      case .year(let year): (LocalDateTime(startOf: year.firstDay), 14 * 3_600_000, false)
      }
    if wall.timestamp(offset: .utc) > now.advanced(byMilliseconds: latest) {
      return .dateInFuture
    }
    // Sidecars may have been written by people, who mean what they write.
    let isByClock = source != .sidecar && source != .manual
    if isDayKnown, UnsetClock.shows(wall.day, isByClock: isByClock) { return .dateUnset }
    // Before the first photograph.
    return wall.day.civil.year < 1826 ? .dateUnset : nil
  }
}

extension RecordedTime {
  /// The day in the recorded zone; nil if only a month or a year is known.
  fileprivate var knownDay: LocalDay? {
    switch self {
    case .wall(let wall), .zoned(let wall, _): wall.day
    case .instant(let instant): LocalDateTime(utc: instant).day
    case .day(let day): day
    case .month, .year: nil
    }
  }

  /// Whether this time says the same as another one, and more.
  package func isFuller(than other: RecordedTime) -> Bool {
    let (own, hasOffset): (LocalDateTime?, Bool)
    let day: LocalDay
    switch self {
    case .wall(let wall): (own, hasOffset, day) = (wall, false, wall.day)
    case .zoned(let wall, _): (own, hasOffset, day) = (wall, true, wall.day)
    case .day(let known): (own, hasOffset, day) = (nil, false, known)
    case .month(let month):
      return other == .year(CalendarYear(of: month.firstDay))
    case .instant, .year: return false
    }
    switch other {
    case .year(let year): return CalendarYear(of: day) == year
    case .month(let month): return CalendarMonth(of: day) == month
    case .day(let known): return own != nil && day == known
    case .wall(let wall):
      guard let own, day == wall.day, hasOffset || own != wall else { return false }
      return own.millisecondOfDay == wall.millisecondOfDay
        || wall.millisecondOfDay.isMultiple(of: 1000)
          && own.millisecondOfDay / 1000 == wall.millisecondOfDay / 1000
    case .zoned, .instant: return false
    }
  }
}
