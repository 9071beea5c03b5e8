internal import Leaflog

/// The ways to everything that is neither a day nor a plant.
package struct MePage: Screen {
  package static let template = "me"

  let page: PageFrame
  let heading: String
  let summary: String
  let canSignOut: Bool
  let groups: [MeGroup]

  struct MeGroup {
    let title: String
    let items: [MeItem]
  }

  struct MeItem {
    let icon: String
    let label: String
    let href: String
    let detail: String?
  }

  package init(_ context: PageContext) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let name = try library.settings.value(of: .reportName)
    let extent = try library.store.extent()
    let size = reader.bytes(extent.byteCount)
    let photos = reader.count("countPhotos", extent.photoCount)
    page = try context.frame(words["me"], at: .me)
    heading = name.isEmpty ? words["me"] : words.text("libraryOf", ["name": name])
    summary = words.text("librarySummary", ["photos": photos, "size": size])
    canSignOut = context.isSignedIn
    groups = [
      MeGroup(title: words["group.diary"], items: try context.diaryItems()),
      MeGroup(title: words["group.library"], items: try context.libraryItems(size: size)),
      MeGroup(title: words["group.program"], items: try context.programItems()),
    ]
  }
}

extension PageContext {
  private func item(
    _ icon: String, _ key: String, _ href: String, _ detail: String? = nil
  ) -> MePage.MeItem {
    MePage.MeItem(icon: icon, label: words[key], href: href, detail: detail)
  }

  fileprivate func diaryItems() throws -> [MePage.MeItem] {
    let day = try library.diary.today(today)
    let done = Set(day.doneActivities.map(\.id))
    let left = day.dueActivities.count { !done.contains($0.id) }
    let streak = day.loggingStreak
    return [
      item("activities", "activities", "/activities", left > 0 ? reader.count("left", left) : nil),
      item("symptom", "symptoms", "/symptoms"),
      item("log", "dailyLog", "/log", streak > 1 ? reader.count("logStreak", streak) : nil),
      item("episode", "episodes", "/episodes"), item("chart", "insights", "/insights"),
      item("mood", "moods", "/moods"), item("quote", "quotes", "/quotes"),
    ]
  }

  fileprivate func libraryItems(size: String) throws -> [MePage.MeItem] {
    let entries = try library.timeline.buckets(TimelineQuery(deleted: true), by: .year)
      .reduce(0) { $0 + $1.count }
    let plants = try library.plants.all(deleted: true).count
    let trash: [String?] = [
      plants > 0 ? reader.count("countPlants", plants) : nil,
      entries > 0 ? reader.count("countEntries", entries) : nil,
    ]
    let inTrash = trash.compactMap { $0 }.joined(separator: ", ")
    return [
      item("store", "library", "/me/store", size), item("history", "history", "/me/history"),
      item("trash", "trash", "/me/trash", inTrash.isEmpty ? nil : inTrash),
      item("download", "export", "/me/export"),
    ]
  }

  fileprivate func programItems() throws -> [MePage.MeItem] {
    let isOn = try library.settings.value(of: .reminder) == "on"
    return [
      item(
        "bell", "reminders", "/me/reminders",
        isOn ? try library.settings.value(of: .reminderTime) : nil),
      item("settings", "settings", "/me/settings"), item("device", "devices", "/me/devices"),
      item("info", "privacy", "/me/about", words.text("version", ["version": About.version])),
    ]
  }
}
