package import Leaflog

/// A day at a glance in JSON.
package struct TodayDocument: Encodable {
  struct Photos: Encodable {
    let count: Int
    let latest: [Entry]

    init(_ photos: Today.Photos) {
      count = photos.count
      latest = photos.latest
    }
  }

  struct Memory: Encodable {
    let day: String
    let photos: Photos
    let entries: [Entry]
  }

  let day: String
  let activeEpisodes: [Entry]
  let dailyLog: Entry?
  let loggingStreakDays: Int
  let symptoms: [Entry]
  let mood: Entry?
  let quote: QuoteDocument?
  let activitiesDue: [ActivityDocument]
  let activitiesDone: [ActivityDocument]
  let photos: Photos
  let onThisDay: [Memory]

  package init(_ today: Today, present: LocalDay, favourites: Set<QuoteID>) {
    day = today.day.description
    activeEpisodes = today.activeEpisodes
    dailyLog = today.log
    loggingStreakDays = today.loggingStreak
    symptoms = today.symptoms
    mood = today.mood
    quote = today.quote.map { QuoteDocument($0, isFavourite: favourites.contains($0.id)) }
    activitiesDue = today.dueActivities.map {
      ActivityDocument($0, doneToday: false, today: present)
    }
    activitiesDone = today.doneActivities.map {
      ActivityDocument($0, doneToday: today.day == present, today: present)
    }
    photos = Photos(today.photos)
    onThisDay = today.memories.map {
      Memory(
        day: $0.day.description, photos: Photos($0.photos),
        entries: $0.entries)
    }
  }
}
