internal import Leaflog

/// A month whose days lead somewhere.
struct MonthCalendar {
  let monthName: String
  /// Addresses.
  let previousMonth: String?
  let nextMonth: String?
  let weekdays: [String]
  /// Whole weeks.
  let days: [CalendarDay]
}

/// A month whose days are check boxes.
struct DayBoxes {
  let monthName: String
  let weekdays: [String]
  /// Whole weeks.
  let days: [CalendarDay]
}

struct CalendarDay {
  let number: Int
  let day: String
  /// Whether it is another month's.
  let isOutside: Bool
  let isToday: Bool
  /// Whether it is done.
  let isFilled: Bool
  /// Whether something is recorded.
  let isPale: Bool
  let isChosen: Bool
  let isAhead: Bool
  let dayHref: String?
  /// With what it has, in words.
  let dayLabel: String
}

extension CalendarMonth {
  var previous: CalendarMonth { CalendarMonth(of: firstDay.advanced(by: -1)) }
  var next: CalendarMonth { CalendarMonth(of: lastDay.advanced(by: 1)) }
}

extension PageContext {
  /// - Parameters:
  ///   - marks: what the days have, in words.
  ///   - chosen: the day that the page shows.
  ///   - dayHref: leads to a day.
  ///   - monthHref: leads to this page with another month.
  func calendar(
    of month: CalendarMonth, marks: [LocalDay: String], chosen: LocalDay,
    dayHref: (LocalDay) -> String, monthHref: (CalendarMonth) -> String
  ) -> MonthCalendar {
    MonthCalendar(
      monthName: reader.month(month), previousMonth: monthHref(month.previous),
      nextMonth: month.lastDay < today ? monthHref(month.next) : nil,
      weekdays: reader.weekdays,
      days: weeks(of: month) { day, isOutside in
        CalendarDay(
          number: day.civil.day, day: day.description, isOutside: isOutside,
          isToday: day == today, isFilled: false, isPale: marks[day] != nil,
          isChosen: day == chosen, isAhead: day > today,
          dayHref: isOutside || day > today ? nil : dayHref(day),
          dayLabel: marks[day].map {
            words.text("symptomDays", ["date": reader.day(day), "count": $0])
          } ?? reader.day(day))
      })
  }

  func dayBoxes(of month: CalendarMonth, done: Set<LocalDay>) -> DayBoxes {
    DayBoxes(
      monthName: reader.month(month), weekdays: reader.weekdays,
      days: weeks(of: month) { day, isOutside in
        CalendarDay(
          number: day.civil.day, day: day.description, isOutside: isOutside,
          isToday: day == today, isFilled: done.contains(day), isPale: false, isChosen: false,
          isAhead: day > today, dayHref: nil, dayLabel: reader.day(day))
      })
  }

  /// The days of a month in whole weeks, as the reader's begin.
  private func weeks(
    of month: CalendarMonth, _ make: (LocalDay, Bool) -> CalendarDay
  ) -> [CalendarDay] {
    let before = (month.firstDay.weekday - reader.firstWeekday + 7) % 7
    let count = (before + month.dayCount + 6) / 7 * 7
    return (0..<count).map { index in
      let day = month.firstDay.advanced(by: index - before)
      return make(day, !(month.firstDay...month.lastDay).contains(day))
    }
  }
}
