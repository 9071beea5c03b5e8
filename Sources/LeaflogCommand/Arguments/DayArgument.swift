import ArgumentParser
internal import Leaflog

/// A day as typed: `2026-03-01`, `today`, `yesterday`, `3 days ago`; also a month such as `2026-03` where it bounds a
/// span.
struct DayArgument: ExpressibleByArgument {
  private let text: String
  private let typed: TypedTime?

  init(argument: String) {
    text = argument
    typed = TypedTime(argument)
  }

  /// Whether the text can be a day at all.
  var isDay: Bool {
    switch typed {
    case .day, .secondsAgo: true
    case .month, .year, .clock, nil: false
    }
  }

  /// The day, by the library's clock and in its time zone.
  ///
  /// - Throws: with code `invalidRequest` and an example, for anything that is not a day.
  func day(in library: Library) throws(LeaflogError) -> LocalDay {
    if let day = day(on: library) { return day }
    throw refusal("\(text.quoted) is not a day.", examples: "2026-03-01, yesterday")
  }

  /// The first day of a span that begins here: for a month, its first day.
  func firstDay(in library: Library) throws(LeaflogError) -> LocalDay {
    try bound(in: library) { $0.firstDay }
  }

  /// The last day of a span that ends here: for a month, its last day.
  func lastDay(in library: Library) throws(LeaflogError) -> LocalDay {
    try bound(in: library) { $0.lastDay }
  }

  private func bound(
    in library: Library, _ end: (CalendarMonth) -> LocalDay
  ) throws(LeaflogError) -> LocalDay {
    if case .month(let month) = typed { return end(month) }
    if let day = day(on: library) { return day }
    throw refusal(
      "\(text.quoted) is neither a day nor a month.", examples: "2026-03-01, 2026-03, yesterday"
    )
  }

  private func day(on library: Library) -> LocalDay? {
    switch typed {
    case .day(let day): day.resolved(on: library.today)
    case .secondsAgo(let count): EntryTime(secondsAgo: count, in: library).localDay
    case .month, .year, .clock, nil: nil
    }
  }

  private func refusal(_ message: String, examples: String) -> LeaflogError {
    LeaflogError(.invalidRequest, "\(message) Write it as \(examples) or '3 days ago'.")
  }
}

extension LocalDay {
  /// - Throws: with code `invalidRequest`, for a day in the future.
  func refuseFuture(in library: Library) throws(LeaflogError) {
    guard self <= library.today else {
      throw LeaflogError(.invalidRequest, "\(self) is in the future.")
    }
  }
}

/// A day, or an empty text for no day.
struct OptionalDayArgument: ExpressibleByArgument {
  private let argument: DayArgument?

  init(argument: String) {
    self.argument = argument.isEmpty ? nil : DayArgument(argument: argument)
  }

  func day(in library: Library) throws(LeaflogError) -> LocalDay? {
    try argument?.day(in: library)
  }
}
