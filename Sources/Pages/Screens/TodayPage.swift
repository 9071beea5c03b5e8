package import Leaflog

/// A day at a glance: first what there is to do, then how it went.
package struct TodayPage: Screen {
  package static let template = "today"

  let page: PageFrame
  let day: String
  let date: String
  let heading: String
  /// Whether the day is today: the page rolls over at its end.
  let isLive: Bool
  let previousHref: String
  let nextHref: String?
  let problem: PageProblem?
  let lateNote: String?
  /// Whether the library is empty.
  let welcome: Bool
  let hasCare: Bool
  let care: [CareRow]
  let careLeft: String
  let leftOne: String
  let leftOther: String
  let episodes: [ActiveEpisode]
  let moodQuestion: String
  let moods: [MoodButton]
  let moreMoods: [MoodButton]
  /// The way to the note of the mood, if there is one.
  let moodNote: Link?
  /// Nil if the form is shown.
  let log: DayLog?
  let logForm: LogForm
  let logStreak: String?
  let hasSymptoms: Bool
  let symptoms: [SymptomRow]
  let quote: QuoteCard?
  let hasActivities: Bool
  let activities: [CareRow]
  let noActivities: String
  let photosTitle: String
  let photosMore: Link?
  /// The only photo, shown wide.
  let onePhoto: HTML?
  let noPhotos: String?
  let hasPhotos: Bool
  let photos: [Tile]
  let earlier: [Earlier]

  struct ActiveEpisode {
    let id: String
    let emoji: String
    let title: String
    let detail: String
    /// Whether its end is still unknown.
    let isOpen: Bool
  }

  struct DayLog {
    let summary: String
    let detail: String
  }

  /// This day in an earlier year.
  struct Earlier {
    let title: String
    let href: String
    let cover: HTML?
    let text: String?
  }

  /// - Parameter day: nil means today.
  package init(
    _ context: PageContext, on day: LocalDay? = nil, refusal: Refusal? = nil
  ) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let shown = day ?? context.today
    let today = try library.diary.today(shown, isBrief: true)
    let isToday = shown == context.today
    page = try context.frame(reader.heading(shown), at: .today)
    self.day = shown.description
    let isRecent = shown >= context.today.advanced(by: -1)
    date = isRecent ? reader.longDay(shown) : reader.day(shown)
    heading = isRecent ? reader.heading(shown) : reader.weekday(shown)
    isLive = isToday
    previousHref = "/?on=\(shown.advanced(by: -1))"
    nextHref = try shown == context.lastDay ? nil : "/?on=\(shown.advanced(by: 1))"
    problem = refusal?.problem(words)
    lateNote =
      isToday && shown < library.calendarDay
      ? words.text("lateNote", ["day": reader.longDay(shown)]) : nil
    welcome = try library.timeline.page(limit: 1).elements.isEmpty
    let rows = try Self.careRows(today, in: context)
    (care, activities) = (rows.care, rows.others)
    (hasCare, hasActivities) = (!care.isEmpty, !activities.isEmpty)
    let left = care.count { !$0.isDone }
    careLeft = left == 0 ? words["allDone"] : reader.count("left", left)
    (leftOne, leftOther) = (words["left.one"], words["left.other"])
    noActivities = words["noActivities"]
    episodes = today.activeEpisodes.compactMap { ActiveEpisode($0, on: shown, in: context) }
    moodQuestion =
      isToday ? words["moodToday"] : words.text("moodOn", ["date": reader.longDay(shown)])
    let buttons = MoodButton.all(chosen: today.mood?.mood, on: shown, in: context)
    (moods, moreMoods) = (buttons.first, buttons.more)
    moodNote = today.mood?.notesLink(in: context)
    let streak =
      today.loggingStreak > 1 ? reader.count("logStreak", today.loggingStreak) : nil
    logStreak = streak
    let stored: DailyLog? = if case .dailyLog(let log)? = today.log?.content { log } else { nil }
    let summary = stored.map(context.summary)
    log = summary.map {
      DayLog(
        summary: $0.isEmpty ? words["dailyLog"] : $0.capitalizedFirst,
        detail: streak ?? words["dailyLog"])
    }
    logForm = try LogForm(stored, notes: today.log?.notes, refusal, context)
    symptoms = today.symptoms.compactMap { SymptomRow($0, in: context) }
    hasSymptoms = !symptoms.isEmpty
    let favourites = try library.quotes.favouriteIDs()
    // Nil while a service has to be asked first.
    let ofDay = try today.quote.map { _ in
      try library.quotes.ofDay(shown, in: QuoteLanguage(words.language))
    }
    quote = ofDay.map { QuoteCard($0, isFavourite: favourites.contains($0.id)) }
    photosTitle =
      isToday ? words["photosToday"] : words.text("photosOn", ["date": reader.day(shown)])
    let tiles = try Self.tiles(of: today, in: context)
    onePhoto = tiles.count == 1 ? tiles[0].wide : nil
    photos = tiles.count > 1 ? tiles : []
    hasPhotos = !photos.isEmpty
    noPhotos = tiles.isEmpty ? words[isToday ? "noPhotosToday" : "noPhotosThen"] : nil
    photosMore =
      today.photos.count > tiles.count
      ? Link(
        href: "/timeline?day=\(shown)",
        label: words.text("allCount", ["number": reader.number(today.photos.count)])) : nil
    earlier = try today.memories.prefix(5).map { try Earlier($0, on: shown, in: context) }
  }
}

extension TodayPage {
  /// The number of photos of a plant and day that are shown one by one; of more, one stands for them.
  private static let maxLoosePhotoCount = 6
  /// The number of tiles.
  private static let maxTileCount = 6

  /// The last few photos of a day.
  private static func tiles(of today: Today, in context: PageContext) throws -> [Tile] {
    let timeline = context.library.timeline
    let query = TimelineQuery(kinds: [.photo], firstDay: today.day, lastDay: today.day)
    let tallies =
      today.photos.count > maxLoosePhotoCount
      ? try timeline.tally(query).filter { $0.plant != nil && $0.count > maxLoosePhotoCount } : []
    let stacks = tallies.map { PhotoStack(days: $0.day...$0.day, plant: $0.plant) }
    if stacks.isEmpty {
      return today.photos.latest.compactMap { Tile($0, in: context) }.named(context.reader)
    }
    let found = try timeline.entries(
      query, stacking: stacks, limit: today.photos.latest.count)
    let loose = found.entries.map { ($0, Tile($0, in: context)) }
    let stacked = zip(stacks, tallies).compactMap { stack, tally in
      found.covers[stack].map { photo in
        let address = PageAddress("/timeline").with("plant", tally.plant?.description)
          .with("day", "\(today.day)").with("kind", "photo")
        return (photo, Tile(photo, stack: (address.text, tally.count), in: context))
      }
    }
    return (loose + stacked).sorted { $0.0.time.place > $1.0.time.place }
      .prefix(maxTileCount).compactMap(\.1).named(context.reader)
  }

  /// The activities of a day: those that were due, done or not, and the others.
  private static func careRows(
    _ today: Today, in context: PageContext
  ) throws -> (care: [CareRow], others: [CareRow]) {
    let done = Set(today.doneActivities.map(\.id))
    let due = today.dueActivities
    let dueIDs = Set(due.map(\.id))
    // A completed activity has a new due day; care is whatever recurs at an interval.
    let doneCare = today.doneActivities.filter {
      !dueIDs.contains($0.id) && $0.details.everyDays != nil
    }
    let care = due + doneCare
    let careIDs = Set(care.map(\.id))
    let others = today.activities.filter { !careIDs.contains($0.id) }
    let covers = try context.covers(of: care.compactMap { $0.plant?.id })
    return (
      care.map { activity in
        CareRow(
          activity, on: today.day, isDone: done.contains(activity.id),
          photo: activity.plant.flatMap { covers[$0.id] }, in: context)
      },
      others.map { CareRow($0, on: today.day, isDone: done.contains($0.id), in: context) }
    )
  }
}

extension TodayPage.ActiveEpisode {
  /// Nil for an entry of another kind.
  fileprivate init?(_ entry: Entry, on day: LocalDay, in context: PageContext) {
    guard case .episode(let episode) = entry.content else { return nil }
    let (reader, words) = (context.reader, context.words)
    let number = entry.time.localDay.daysAgo(on: day) + 1
    let end = episode.endDay.map {
      $0 == context.today && day == context.today
        ? words["wellSinceToday"] : words.text("episodeUntil", ["date": reader.day($0)])
    }
    self.init(
      id: entry.id.description, emoji: episode.type.emoji,
      title: words.text(
        "episodeDay", ["type": context.name(episode.type), "day": reader.number(number)]),
      detail: .dotted(
        end, episode.symptoms.map { words["sign.\($0.rawValue)"] }.joined(separator: ", ")),
      isOpen: episode.isActive)
  }
}

extension TodayPage.Earlier {
  fileprivate init(_ memory: Today.Memory, on day: LocalDay, in context: PageContext) throws {
    let reader = context.reader
    let years = day.civil.year - memory.day.civil.year
    let photos = memory.photos.count
    let others = memory.entryCount
    let cover = try memory.photos.latest.first.map {
      try context.library.timeline.light($0, in: TimelineQuery())
    }
    self.init(
      title: day == context.today
        ? reader.count("yearsAgo", years) : reader.count("yearsEarlier", years),
      href: "/timeline?day=\(memory.day)",
      cover: cover.flatMap { Tile($0, in: context)?.wide },
      text: .dotted(
        photos > 0 ? reader.count("countPhotos", photos) : nil,
        others > 0 ? reader.count("countEntries", others) : nil))
  }
}
