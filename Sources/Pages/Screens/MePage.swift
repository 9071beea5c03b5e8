internal import Language
internal import Leaflog

/// Links to everything that is neither a day nor a plant.
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
      MeGroup(title: words["group.diary"], items: try Self.diaryItems(in: context)),
      MeGroup(title: words["group.library"], items: try Self.libraryItems(size: size, in: context)),
      MeGroup(title: words["group.program"], items: try Self.programItems(in: context)),
    ].map { group in
      MeGroup(title: group.title, items: group.items.filter { context.allows($0.href) })
    }.filter { !$0.items.isEmpty }
  }
}

extension MePage {
  private static func diaryItems(in context: PageContext) throws -> [MeItem] {
    let (library, reader, words) = (context.library, context.reader, context.words)
    let day = try library.diary.today(context.today, isBrief: true)
    let done = Set(day.doneActivities.map(\.id))
    let left = day.dueActivities.count { !done.contains($0.id) }
    let streak = day.loggingStreak
    return [
      MeItem(
        "activities", "activities", "/activities", left > 0 ? reader.count("toDoCount", left) : nil,
        in: words),
      MeItem("symptom", "symptoms", "/symptoms", in: words),
      MeItem(
        "log", "dailyLog", "/log", streak > 1 ? reader.count("logStreak", streak) : nil, in: words),
      MeItem("episode", "episodes", "/episodes", in: words),
      MeItem("chart", "insights", "/insights", in: words),
      MeItem("mood", "moods", "/moods", in: words), MeItem("quote", "quotes", "/quotes", in: words),
    ]
  }

  private static func libraryItems(size: String, in context: PageContext) throws -> [MeItem] {
    let (library, reader, words) = (context.library, context.reader, context.words)
    let entries = try library.timeline.buckets(TimelineQuery(deleted: true), by: .year)
      .reduce(0) { $0 + $1.count }
    let plants = try library.plants.all(deleted: true).count
    let trash: [String?] = [
      plants > 0 ? reader.count("countPlants", plants) : nil,
      entries > 0 ? reader.count("countEntries", entries) : nil,
    ]
    let inTrash = trash.compactMap { $0 }.joined(separator: ", ")
    return [
      MeItem("store", "library", "/me/store", size, in: words),
      MeItem("history", "history", "/me/history", in: words),
      MeItem("trash", "trash", "/me/trash", inTrash.isEmpty ? nil : inTrash, in: words),
      MeItem("download", "export", "/me/export", in: words),
    ]
  }

  private static func programItems(in context: PageContext) throws -> [MeItem] {
    let (library, words) = (context.library, context.words)
    let isOn = try library.settings.value(of: .reminder) == "on"
    return [
      MeItem(
        "bell", "reminders", "/me/reminders",
        isOn ? try library.settings.value(of: .reminderTime) : nil, in: words),
      MeItem("settings", "settings", "/me/settings", in: words),
      MeItem("device", "devices", "/me/devices", in: words),
      MeItem("person", "accessibility", "/me/accessibility", in: words),
      MeItem("info", "about", "/me/about", in: words),
    ]
  }
}

extension MePage.MeItem {
  fileprivate init(
    _ icon: String, _ key: String, _ href: String, _ detail: String? = nil, in words: Words
  ) {
    self.init(icon: icon, label: words[key], href: href, detail: detail)
  }
}
