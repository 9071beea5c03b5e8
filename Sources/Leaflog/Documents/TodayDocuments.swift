package import Fields

/// A day at a glance.
package struct TodayDocument: Shown {
  private let today: Today
  private let present: LocalDay
  private let favourites: Set<QuoteID>

  /// - Parameters:
  ///   - present: the present day, which may be another.
  ///   - favourites: the ids of the favourite quotes.
  package init(_ today: Today, present: LocalDay, favourites: Set<QuoteID>) {
    (self.today, self.present, self.favourites) = (today, present, favourites)
  }

  private var quote: QuoteDocument? {
    today.quote.map { QuoteDocument($0, isFavourite: favourites.contains($0.id)) }
  }

  private func activities(_ activities: [Activity], doneToday: Bool) -> [ActivityDocument] {
    activities.map { ActivityDocument($0, doneToday: doneToday, today: present) }
  }

  package static let shown = Fields<TodayDocument>([
    Field(adding: "day", .day) { $0.today.day },
    Field(adding: "activeEpisodes", each: Entry.shown) { $0.today.activeEpisodes },
    Field(adding: "dailyLog", Entry.shown) { $0.today.log },
    Field(adding: "loggingStreakDays", .count) { $0.today.loggingStreak },
    Field(adding: "symptoms", each: Entry.shown) { $0.today.symptoms },
    Field(adding: "mood", Entry.shown) { $0.today.mood },
    Field(adding: "quote", QuoteDocument.shown) { $0.quote },
    Field(adding: "activitiesDue", each: ActivityDocument.shown) {
      $0.activities($0.today.dueActivities, doneToday: false)
    },
    Field(adding: "activitiesDone", each: ActivityDocument.shown) {
      $0.activities($0.today.doneActivities, doneToday: $0.today.day == $0.present)
    },
    Field(adding: "photos", Today.Photos.shown) { $0.today.photos },
    Field(adding: "onThisDay", each: Today.Memory.shown) { $0.today.memories },
  ]).named("Today")
}

extension Today.Photos {
  fileprivate static let shown = Fields<Today.Photos>([
    Field(adding: "count", .count) { $0.count },
    Field(adding: "latest", each: Entry.shown) { $0.latest },
  ]).named("DayPhotos")
}

extension Today.Memory {
  fileprivate static let shown = Fields<Today.Memory>([
    Field(adding: "day", .day) { $0.day },
    Field(adding: "photos", Today.Photos.shown) { $0.photos },
    Field(adding: "entries", each: Entry.shown) { $0.entries },
  ]).named("Memory")
}

/// A quote.
package struct QuoteDocument: Shown {
  private let quote: Quote
  private let isFavourite: Bool
  /// The day it is the quote of, if a day's quote was asked for.
  package var day: LocalDay?
  /// Its entry, if that is listed or was created.
  private var entry: Entry?
  /// Whether an edit changed anything; nil unless it is the result of one.
  package var changed: Bool?

  package init(_ quote: Quote, isFavourite: Bool) {
    (self.quote, self.isFavourite) = (quote, isFavourite)
  }

  package init(_ entry: Entry, _ quote: Quote) {
    self.init(quote, isFavourite: entry.deletedAt == nil)
    self.entry = entry
  }

  package static let shown = Fields<QuoteDocument>(
    Quote.fields.all.map { $0.shown { $0.quote } } + [
      Field(adding: "favourite", .flag) { $0.isFavourite },
      Field(adding: "day", .day) { $0.day },
      Field(adding: "entry", .id) { $0.entry?.id },
      // When it was made a favourite.
      Field(adding: "occurredAt", .captureTime) { $0.entry?.time.recorded },
      Field(adding: "changed", .flag) { $0.changed },
    ]
  ).named("Quote")
}
