internal import DiaryModel

extension PhotoFacts {
  /// These facts with a time given by hand. A day alone keeps the time of day; if only a day is known, the
  /// date is a guess, or the result would be in the future, the time is midnight.
  func given(_ time: RecordedTime?, in destination: some ImportDestination) -> PhotoFacts {
    guard let time else { return self }
    var facts = self
    facts.warnings = warnings.filter { !$0.isAboutDate }
    guard case .day(let day) = time else {
      facts.capture = CaptureTime(recorded: time, source: .manual)
      return facts
    }
    let kept = EntryTime(capture.recorded, in: destination.timeZone).on(day)
    let hasTimeOfDay =
      !warnings.contains { $0.isGuessedDate || $0 == .dateWithoutTime }
      && !destination.clock.isFuture(EntryTime(kept, in: destination.timeZone))
    if !hasTimeOfDay { facts.warnings.insert(.dateWithoutTime) }
    facts.capture = CaptureTime(
      recorded: hasTimeOfDay ? kept : .wall(LocalDateTime(startOf: day)), source: .manual)
    return facts
  }
}

extension ImportWarning {
  /// Whether it is about a photo's own dates.
  fileprivate var isAboutDate: Bool {
    isGuessedDate || [.dateInFuture, .dateUnset, .dateUnreadable, .dateWithoutTime].contains(self)
  }
}
