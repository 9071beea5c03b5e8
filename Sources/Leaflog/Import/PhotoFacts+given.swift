internal import DiaryModel
internal import Foundation
internal import Imaging

extension PhotoFacts {
  /// These facts with a time given by hand, and with the zone that is assumed for a wall time, given or found.
  ///
  /// A day alone keeps the photo's own time of day, and a month or a year a date that lies in it. Nothing is kept of a
  /// guess, nor a time of day that would make it a date in the future.
  func given(
    _ time: RecordedTime?, assuming zone: TimeZone?, in library: TimeZone, _ present: Present
  ) -> PhotoFacts {
    var facts = self
    guard let time else {
      facts.capture = capture.assuming(zone)
      return facts
    }
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
    facts.capture = CaptureTime(recorded: recorded, source: .manual).assuming(zone)
    return facts
  }
}

extension ImportWarning {
  /// Whether it is about a photo's own dates.
  fileprivate var isAboutDate: Bool {
    isGuessedDate
      || [
        .dateInFuture, .dateUnset, .dateMayBeUnset, .dateUnreadable, .clockUnreadable,
        .dateWithoutTime, .dateWithoutDay, .dayIsUTC, .timeIsFileTime,
      ].contains(self)
  }
}
