internal import DiaryModel
internal import Foundation

extension PhotoFacts {
  /// These facts with a time given by hand, and with the zone that is assumed for a wall time, given or found. A day
  /// alone keeps the time of day; if only a day is known, the date is a guess, or the result would be in the future, the
  /// time is midnight.
  func given(
    _ time: RecordedTime?, assuming zone: TimeZone?, in destination: some ImportDestination
  ) -> PhotoFacts {
    var facts = self
    guard let time else {
      facts.capture = capture.assuming(zone)
      return facts
    }
    facts.warnings = warnings.filter { !$0.isAboutDate }
    guard case .day(let day) = time else {
      facts.capture = CaptureTime(recorded: time, source: .manual).assuming(zone)
      return facts
    }
    // The zone comes last: its offset on the new day may differ from that on the old one.
    let shown = zone ?? destination.timeZone
    let kept = EntryTime(capture.recorded, in: shown).on(day)
    let hasTimeOfDay =
      !warnings.contains { $0.isGuessedDate || $0 == .dateWithoutTime }
      && !destination.clock.isFuture(EntryTime(kept, in: shown))
    if !hasTimeOfDay { facts.warnings.insert(.dateWithoutTime) }
    let recorded = hasTimeOfDay ? kept : .wall(LocalDateTime(startOf: day))
    facts.capture = CaptureTime(recorded: recorded, source: .manual).assuming(zone)
    return facts
  }
}

extension ImportWarning {
  /// Whether it is about a photo's own dates.
  fileprivate var isAboutDate: Bool {
    isGuessedDate || [.dateInFuture, .dateUnset, .dateUnreadable, .dateWithoutTime].contains(self)
  }
}
