package import Leaflog

/// Today's mood, the count of each mood, and the moods of all days.
package struct MoodsPage: Screen {
  package static let template = "moods"

  struct MoodCount {
    let emoji: String
    let label: String
    let value: String
    let amount: Int
    let most: Int
  }

  struct MoodDay {
    let id: String
    let emoji: String
    let name: String
    let date: String
    let notes: String?
    let href: String
    let historyDay: String
    let removeLabel: String
  }

  private static let (countedDays, pageLength) = (90, 60)

  let page: PageFrame
  let day: String
  let moodQuestion: String
  let moods: [MoodButton]
  let moreMoods: [MoodButton]
  /// The way to the note of today's mood, if there is one.
  let moodNote: Link?
  let hasMoods: Bool
  let range: String
  let counts: [MoodCount]
  let history: [MoodDay]
  let olderHref: String?

  /// - Parameter last: the latest day of the history; nil means today.
  package init(_ context: PageContext, before last: LocalDay? = nil) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let today = context.today
    page = try context.frame(words["moods"], at: .today)
    day = today.description
    moodQuestion = words["moodToday"]
    let mood = try library.diary.mood(on: today)
    let buttons = MoodButton.all(chosen: mood?.mood, on: today, in: context)
    (moods, moreMoods) = (buttons.first, buttons.more)
    moodNote = mood?.notesLink(in: context)
    range = reader.count("daysCount", Self.countedDays)
    let counted = try library.diary.moodCounts(
      from: today.advanced(by: 1 - Self.countedDays), to: today)
    counts = counted.map {
      MoodCount(
        emoji: $0.mood.emoji, label: context.name($0.mood), value: reader.number($0.count),
        amount: $0.count, most: counted[0].count)
    }
    let days = try library.timeline.page(
      TimelineQuery(kinds: [.mood], lastDay: last), limit: Self.pageLength)
    history = days.elements.compactMap { MoodDay($0, in: context) }
    hasMoods = !history.isEmpty
    olderHref =
      days.next == nil
      ? nil
      : days.elements.last.map { "/moods?before=\($0.time.localDay.advanced(by: -1))" }
  }
}

extension MoodsPage.MoodDay {
  /// Nil for an entry of another kind.
  fileprivate init?(_ entry: Entry, in context: PageContext) {
    guard let mood = entry.mood else { return nil }
    let reader = context.reader
    let day = entry.time.localDay
    self.init(
      id: entry.id.description, emoji: mood.emoji, name: context.name(mood),
      date: reader.longDay(day),
      notes: entry.notes, href: entry.notesHref(returningTo: "\(context.path)#e-\(entry.id)"),
      historyDay: day.description,
      removeLabel: context.words.text("removeMood", ["date": reader.day(day)]))
  }
}

extension Entry {
  var mood: Mood? {
    if case .mood(let mood) = content { mood } else { nil }
  }
}
