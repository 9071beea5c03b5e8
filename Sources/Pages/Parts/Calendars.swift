internal import Leaflog

/// A month whose days are links.
struct MonthCalendar {
  let monthName: String
  /// The addresses of the neighbouring months.
  let previousMonth: String?
  let nextMonth: String?
  let weekdays: [String]
  /// The days in whole weeks.
  let days: [CalendarDay]
}

/// A month whose days are check boxes.
struct DayBoxes {
  let monthName: String
  let weekdays: [String]
  /// The days in whole weeks.
  let days: [CalendarDay]
}

struct CalendarDay {
  let number: Int
  let day: String
  /// Whether it belongs to another month.
  let isOutside: Bool
  let isToday: Bool
  /// Whether the activity was done.
  let isFilled: Bool
  /// Whether something is recorded.
  let isPale: Bool
  let isChosen: Bool
  let isAhead: Bool
  let dayHref: String?
  /// The day and its entries, in words.
  let dayLabel: String
}

extension CalendarDay: NamedValues {
  var values: [String: Any] {
    [
      "number": number, "day": day, "isOutside": isOutside, "isToday": isToday,
      "isFilled": isFilled, "isAhead": isAhead, "dayLabel": dayLabel, "cell": cell,
    ]
  }

  /// The day in a calendar.
  private var cell: HTML {
    guard let dayHref else {
      return
        #"<span class="day\#(" outside", if: isOutside)\#(marks)">\#(number)</span>"#
    }
    return
      #"<a class="day\#(marks)" href="\#(dayHref)" aria-label="\#(dayLabel)"\#(#" aria-current="date""#, if: isChosen)>\#(number)</a>"#
  }

  private var marks: HTML {
    "\(" filled", if: isFilled)\(" pale", if: isPale && dayHref != nil)\(" today", if: isToday)"
  }
}

extension CalendarMonth {
  var previous: CalendarMonth { CalendarMonth(of: firstDay.advanced(by: -1)) }
  var next: CalendarMonth { CalendarMonth(of: lastDay.advanced(by: 1)) }

  /// The same month of another year.
  func advanced(byYears count: Int) -> CalendarMonth {
    CalendarMonth(year: year + count, month: month) ?? self
  }
}

extension MonthCalendar {
  /// - Parameters:
  ///   - marks: descriptions of the days' entries.
  ///   - chosen: the day that the page shows.
  ///   - dayHref: returns the address of a day.
  ///   - monthHref: returns the address of this page with another month.
  init(
    of month: CalendarMonth, marks: [LocalDay: String], chosen: LocalDay,
    dayHref: (LocalDay) -> String, monthHref: (CalendarMonth) -> String, in context: PageContext
  ) throws {
    let (reader, words, today) = (context.reader, context.words, context.today)
    let last = try context.lastDay
    self.init(
      monthName: reader.month(month), previousMonth: monthHref(month.previous),
      nextMonth: month.lastDay < last ? monthHref(month.next) : nil,
      weekdays: reader.weekdays,
      days: month.weeks(of: reader) { day, isOutside in
        CalendarDay(
          number: day.civil.day, day: day.description, isOutside: isOutside,
          isToday: day == today, isFilled: false, isPale: marks[day] != nil,
          isChosen: day == chosen, isAhead: day > last,
          dayHref: isOutside || day > last ? nil : dayHref(day),
          dayLabel: marks[day].map {
            words.text("symptomDays", ["date": reader.day(day), "count": $0])
          } ?? reader.day(day))
      })
  }
}

extension DayBoxes {
  init(of month: CalendarMonth, done: Set<LocalDay>, in context: PageContext) throws {
    let (reader, today, last) = try (context.reader, context.today, context.lastDay)
    self.init(
      monthName: reader.month(month), weekdays: reader.weekdays,
      days: month.weeks(of: reader) { day, isOutside in
        CalendarDay(
          number: day.civil.day, day: day.description, isOutside: isOutside,
          isToday: day == today, isFilled: done.contains(day), isPale: false, isChosen: false,
          // What was done further east can be undone.
          isAhead: day > last && !done.contains(day), dayHref: nil, dayLabel: reader.day(day))
      })
  }
}

extension CalendarMonth {
  /// The days in whole weeks, starting with the reader's first day of the week.
  fileprivate func weeks(
    of reader: Reader, _ make: (LocalDay, Bool) -> CalendarDay
  ) -> [CalendarDay] {
    let before = (firstDay.weekday - reader.firstWeekday + 7) % 7
    let count = (before + dayCount + 6) / 7 * 7
    return (0..<count).map { index in
      let day = firstDay.advanced(by: index - before)
      return make(day, !(firstDay...lastDay).contains(day))
    }
  }
}
