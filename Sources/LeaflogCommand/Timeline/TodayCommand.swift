import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog today`
struct TodayCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show the day at a glance, and what is still to do.")

  @Option(help: "Another day: 2026-03-01, yesterday.")
  var on: DayArgument?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let present = library.today
    let day = try on?.day(in: library) ?? present
    try day.refuseFuture(in: library)
    let today = try library.diary.today(day)
    if global.json {
      context.output.print(
        json: TodayDocument(today, present: present, favourites: try library.quotes.favouriteIDs()))
    } else {
      TodayText(terminal: context.output.terminal, zone: library.timeZone, present: present).lines(
        today
      ).forEach(context.output.print)
    }
  }

}

/// A day at a glance, as lines of text.
private struct TodayText {
  let terminal: Terminal
  /// The library's time zone.
  let zone: TimeZone
  /// The current day.
  let present: LocalDay

  func lines(_ today: Today) -> [String] {
    var lines = [terminal.styled(TimelineText.heading(today.day), .bold)]
    for episode in today.activeEpisodes {
      let day = today.day.dayNumber - episode.time.localDay.dayNumber + 1
      let isLast = episode.lastDay == today.day
      lines += row(
        "Episode",
        Self.text(of: episode).map { "\($0) · day \(day)" + (isLast ? ", the last" : "") })
    }
    let isToday = today.day == present
    lines += row(
      "Mood",
      Self.text(of: today.mood) ?? (isToday ? "none yet: leaflog mood set happy" : "none"))
    lines += row(
      "Log",
      Self.text(of: today.log)
        ?? (isToday ? "none yet: leaflog log set --sleep-hours 7.5" : "none"))
    if today.loggingStreak > 1 {
      lines += row("", "\(Quantities.count(today.loggingStreak, "day")) in a row")
    }
    for (index, symptom) in today.symptoms.enumerated() {
      let time = TimelineText.clock(symptom.time, in: zone)
      lines += row(index == 0 ? "Symptoms" : "", "\(time)  \(Self.text(of: symptom) ?? "")")
    }
    for (index, activity) in today.dueActivities.enumerated() {
      lines += row(index == 0 ? "Due" : "", Self.text(ofDue: activity, on: today.day))
    }
    let done = today.doneActivities.map { "\($0.details.emoji) \($0.name)" }
    lines += row("Done", done.listed)
    lines += photoLines(today.photos)
    lines += row("Quote", today.quote?.attributed ?? "leaflog quote today fetches it")
    for (index, memory) in today.memories.enumerated() {
      lines += row(index == 0 ? "On this day" : "", Self.text(of: memory))
    }
    return lines
  }

  private func row(_ name: String, _ text: String?) -> [String] {
    FieldList(terminal: terminal, nameWidth: 13, nameStyle: .green).lines(name, text)
  }

  private static func text(of entry: Entry?) -> String? {
    guard let entry else { return nil }
    return entry.text.isEmpty ? "done" : entry.text
  }

  private static func text(ofDue activity: Activity, on day: LocalDay) -> String {
    let days = activity.dueDay.map { day.dayNumber - $0.dayNumber } ?? 0
    let late = days > 0 ? " · \(Quantities.count(days, "day")) late" : ""
    return "\(activity.details.emoji) \(activity.name)\(late)"
  }

  private func photoLines(_ photos: Today.Photos) -> [String] {
    guard photos.count > 0 else { return [] }
    let shown = photos.latest.map { entry in
      [TimelineText.clock(entry.time, in: zone), entry.plant?.name, entry.notes].compactMap { $0 }
        .joined(separator: " ")
    }
    let more = photos.count > shown.count ? ", …" : ""
    return row("Photos", "\(photos.count): " + shown.joined(separator: ", ") + more)
  }

  private static func text(of memory: Today.Memory) -> String {
    var parts: [String] = []
    if memory.photos.count > 0 {
      let last = memory.photos.latest.first
      let plant = last?.plant.map { " of \($0.name)" } ?? ""
      let notes = last?.notes.map { ", “\($0)”" } ?? ""
      parts.append(
        memory.photos.count == 1
          ? "a photo\(plant)\(notes)" : "\(memory.photos.count) photos, the last\(plant)\(notes)")
    }
    parts += memory.entries.prefix(3).compactMap { text(of: $0) }
    if memory.entries.count > 3 { parts.append("and \(memory.entries.count - 3) more") }
    return "\(memory.day)  " + parts.joined(separator: "; ")
  }
}
