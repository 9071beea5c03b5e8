package import DiaryModel

/// The days that each part of the insights looks at. All spans include both ends.
package struct InsightsSpans: Sendable {
  /// The lengths, in days, of the spans for which the episodes that began in them are counted.
  package static let episodeCountDays = [30, 90, 365]

  private static let baselineDayCount = 60
  private static let triggerDayCount = 7
  private static let weekCount = 53

  /// The requested span.
  package let asked: ClosedRange<LocalDay>

  /// The last `days` days up to and including `today`.
  package init(days: Int, today: LocalDay) {
    precondition(days > 0)
    asked = Self.last(days, to: today)
  }

  /// The baseline that episodes are compared with, before the days of episodes are excluded.
  package var baseline: ClosedRange<LocalDay> { Self.last(Self.baselineDayCount, to: last) }

  /// The 53 weeks that a one-year calendar shows.
  package var weeks: ClosedRange<LocalDay> {
    let monday = last.monday
    return monday.advanced(by: -7 * (Self.weekCount - 1))...last
  }

  /// The span of the relevant episodes: each has a day in it.
  package var episodes: ClosedRange<LocalDay> {
    let counted = Self.episodeCountDays.max() ?? 1
    let first = min(asked.lowerBound, baseline.lowerBound, began(inLast: counted).lowerBound)
    return first...last
  }

  /// The span in which all relevant symptoms were logged.
  package var symptoms: ClosedRange<LocalDay> {
    min(asked.lowerBound, weeks.lowerBound)...last
  }

  package func began(inLast days: Int) -> ClosedRange<LocalDay> { Self.last(days, to: last) }

  /// The seven days before an episode.
  package static func triggerWindow(of episode: EpisodeRecord) -> ClosedRange<LocalDay> {
    let start = episode.days.first
    return start.advanced(by: -triggerDayCount)...start.advanced(by: -1)
  }

  /// The spans of the relevant logs: the requested span, the baseline, and the days before the episodes,
  /// which may have begun long ago. They do not overlap, so each log is read once.
  package func logs(with episodes: [EpisodeRecord]) -> [ClosedRange<LocalDay>] {
    let windows = episodes.filter { $0.days.overlaps(asked) }.map(Self.triggerWindow)
    let wanted = ([asked, baseline] + windows).sorted { $0.lowerBound < $1.lowerBound }
    return wanted.reduce(into: []) { merged, next in
      if let before = merged.last, next.lowerBound <= before.upperBound {
        merged[merged.count - 1] =
          before.lowerBound...max(before.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
  }

  private var last: LocalDay { asked.upperBound }

  private static func last(_ days: Int, to last: LocalDay) -> ClosedRange<LocalDay> {
    last.advanced(by: 1 - days)...last
  }
}

extension EpisodeDays {
  /// Whether it has a day in a span.
  package func overlaps(_ span: ClosedRange<LocalDay>) -> Bool {
    overlaps(EpisodeDays(first: span.lowerBound, last: span.upperBound))
  }
}

extension LocalDay {
  /// The Monday of its week.
  package var monday: LocalDay { advanced(by: 1 - weekday) }
}

extension ClosedRange<LocalDay> {
  /// Its days in order.
  package var days: [LocalDay] {
    (lowerBound.dayNumber...upperBound.dayNumber).map(LocalDay.init(dayNumber:))
  }
}
