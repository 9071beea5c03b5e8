package import DiaryModel

/// Everything that is known about when a photo was taken.
package struct CaptureTimeEvidence: Sendable {
  package var sidecar: RecordedTime?
  /// Whether the sidecar's is a time of capture, which overrules EXIF's.
  package var isCaptureTimeInSidecar = true
  /// Whether the sidecar is that of a RAW file with the same name, and so dates the photo only if nothing else does.
  package var isSidecarOfOther = false
  /// Whether Leaflog exported the sidecar: nothing completes its date, of which no more was known.
  private var isExported = false
  package var exif = EXIF()
  /// From the XMP packet inside the file, for photos that lost their EXIF in an editor.
  package var embeddedXMP: RecordedTime?
  /// Whether the packet's is a time of capture, which overrules the IPTC data's.
  package var isCaptureTimeInXMP = true
  /// From the IPTC data inside the file.
  package var iptc = IPTC()
  /// The time in a PNG's text `Creation Time`.
  package var pngText: RecordedTime?
  package var takeout: RecordedTime?
  package var fileName: FileNameDate?
  package var modified: Timestamp
  /// The sources other than EXIF and IPTC that have a date which could not be read.
  package var unreadable: Set<CaptureSource> = []
  /// Those of whose date only the day could be read, although there is a time of day.
  package var partlyRead: Set<CaptureSource> = []
  /// Those whose day is that of UTC.
  private var daysInUTC: Set<CaptureSource> = [.gps]

  package init(modified: Timestamp) { self.modified = modified }

  /// Adds the facts of a sidecar (`.sidecar`, `.takeout`) or an embedded packet (`.xmp`).
  package mutating func take(_ facts: SidecarFacts?, from source: CaptureSource) {
    switch source {
    case .sidecar: (sidecar, isCaptureTimeInSidecar) = (facts?.time, facts?.isCaptureTime ?? true)
    case .xmp: (embeddedXMP, isCaptureTimeInXMP) = (facts?.time, facts?.isCaptureTime ?? true)
    case .takeout: takeout = facts?.time
    default: preconditionFailure("\(source) has no facts of its own")
    }
    guard let facts else { return }
    if source == .sidecar { isExported = facts.isExported }
    if facts.hasUnreadableTime { unreadable.insert(source) }
    if facts.isPartlyRead { partlyRead.insert(source) }
    if facts.isDayInUTC { daysInUTC.insert(source) }
  }

  /// Adds the date in a PNG's text.
  package mutating func take(pngText text: String?) {
    guard let text, !DateText.isBlank(text) else { return }
    let reading = DateText.pngText(text)
    pngText = reading.time
    if reading.time == nil { unreadable.insert(.png) }
    if reading.hasUnreadableClock { partlyRead.insert(.png) }
  }

  /// A time that may be the photo's.
  private struct Candidate {
    let recorded: RecordedTime?
    let source: CaptureSource
    /// The part of it that could not be read.
    let faults: Set<ImportWarning>
    /// The warning that it is a guess.
    let guess: ImportWarning?

    init(
      _ recorded: RecordedTime?, _ source: CaptureSource, isUnreadable: Bool = false,
      isPartlyRead: Bool = false, guess: ImportWarning? = nil
    ) {
      self.recorded = recorded
      self.source = source
      faults = Set(
        [
          isUnreadable ? ImportWarning.dateUnreadable : nil,
          isPartlyRead ? .clockUnreadable : nil,
        ].compactMap { $0 })
      self.guess = guess
    }
  }

  /// The times other than the file's, most trusted first.
  private var candidates: [Candidate] {
    let beside = other(sidecar, .sidecar)
    let original = inEXIF(exif.original, .original)
    let packet = other(embeddedXMP, .xmp)
    let created = inIPTC(iptc.created, .created)
    return [
      isSidecarOfOther
        ? [original] : isCaptureTimeInSidecar ? [beside, original] : [original, beside],
      [inEXIF(exif.digitized, .digitized)],
      isCaptureTimeInXMP ? [packet, created] : [created, packet],
      [
        inIPTC(iptc.digitized, .digitized), other(pngText, .png), inEXIF(exif.gps, .gps, .gps),
        other(takeout, .takeout), Candidate(fileName?.recorded, .filename),
      ],
      isSidecarOfOther ? [beside] : [],
      [inEXIF(exif.changed, .changed, guess: .dateIsChangeTime)],
    ].flatMap { $0 }
  }

  private func other(_ time: RecordedTime?, _ source: CaptureSource) -> Candidate {
    Candidate(
      time, source, isUnreadable: unreadable.contains(source),
      isPartlyRead: partlyRead.contains(source))
  }

  private func inEXIF(
    _ time: RecordedTime?, _ date: EXIF.Date, _ source: CaptureSource = .exif,
    guess: ImportWarning? = nil
  ) -> Candidate {
    Candidate(
      time, source, isUnreadable: exif.unreadable.contains(date),
      isPartlyRead: exif.partlyRead.contains(date), guess: guess)
  }

  private func inIPTC(_ time: RecordedTime?, _ date: IPTC.Date) -> Candidate {
    Candidate(
      time, .iptc, isUnreadable: iptc.unreadable.contains(date),
      isPartlyRead: iptc.partlyRead.contains(date))
  }

  /// The most trusted plausible time, and warnings about it and about more trusted ones that were rejected. Less trusted
  /// ones that agree complete it. Without any, it is the file's modification time, or the present if that is in the
  /// future or of a clock that was never set: no photo is younger than its import.
  ///
  /// - Parameter now: bounds plausible times; a wall time may be 14 hours ahead of UTC. The end of time if it is not
  ///   known.
  package func resolve(now: Timestamp) -> (CaptureTime, Set<ImportWarning>) {
    var warnings: Set<ImportWarning> = []
    let candidates = candidates
    for (index, candidate) in candidates.enumerated() {
      warnings.formUnion(candidate.faults)
      guard let recorded = candidate.recorded else { continue }
      if let doubt = Self.doubt(about: recorded, from: candidate.source, now: now) {
        warnings.insert(doubt)
        continue
      }
      let found = completed(recorded, candidate.source, by: candidates[(index + 1)...], now: now)
      if let imprecision = found.recorded.imprecision { warnings.insert(imprecision) }
      if case .day = found.recorded, daysInUTC.contains(found.source) { warnings.insert(.dayIsUTC) }
      if let guess = candidate.guess { warnings.insert(guess) }
      if found.source == .filename, fileName?.hasTimeOfFile == true {
        warnings.insert(.timeIsFileTime)
      }
      if found.source != .sidecar, let day = found.recorded.knownDay, UnsetClock.mayShow(day) {
        warnings.insert(.dateMayBeUnset)
      }
      return (found, warnings)
    }
    let isNowKnown = now.milliseconds < .max
    let isWrong =
      isNowKnown && Self.doubt(about: .instant(modified), from: .mtime, now: now) != nil
    warnings.insert(isWrong ? .dateIsImportTime : .dateIsFileTime)
    return (CaptureTime(recorded: .instant(isWrong ? now : modified), source: .mtime), warnings)
  }

  /// A time with what less trusted sources add to it: to a date of which only a part is known, any but a guess; to the
  /// time in a sidecar EXIF, as programs write sidecars from it and leave out its offset or its fraction.
  ///
  /// A moment in UTC adds nothing, because it does not tell the day where the photo was taken.
  private func completed(
    _ recorded: RecordedTime, _ source: CaptureSource, by others: ArraySlice<Candidate>,
    now: Timestamp
  ) -> CaptureTime {
    var found = CaptureTime(recorded: recorded, source: source)
    if source == .sidecar, isExported { return found }
    for other in others where other.guess == nil {
      guard let time = other.recorded, time.isFuller(than: found.recorded),
        found.recorded.isDate || found.source == .sidecar && other.source == .exif,
        Self.doubt(about: time, now: now) == nil
      else { continue }
      found = CaptureTime(recorded: time, source: other.source)
    }
    return found
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
