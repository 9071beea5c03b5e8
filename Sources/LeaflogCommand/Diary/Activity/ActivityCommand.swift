import ArgumentParser
internal import Leaflog

/// `leaflog activity`
struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: "Recurring activities such as watering, and when each was last done.",
    subcommands: [
      ActivityAdd.self, ActivityList.self, ActivityShow.self, ActivityDone.self,
      ActivityNotDone.self, ActivityEdit.self, ActivityDelete.self, ActivityReorder.self,
      EntryRestore<CompletionNoun>.self,
    ], defaultSubcommand: ActivityList.self)
}

/// The completions of activities, which are entries of their own.
enum CompletionNoun: DiaryNoun {
  static let kind = EntryKind.completion
  static let command = "activity"
  static let noun = "completion"

  static func rows(_ content: EntryContent) -> [(name: String, value: String?)] {
    guard case .completion(let completion) = content else { return [] }
    return [("Activity", content.summary), ("Source", completion.source)]
  }
}

/// An activity in JSON.
struct ActivityDocument: Encodable {
  let id: String
  let name: String
  let emoji: String
  let category: String
  let startFrom: String
  let plant: EntryDocument.PlantName?
  let notes: String?
  let everyDays: Int?
  let weeklyGoal: Int?
  let monthlyGoal: Int?
  let iconName: String?
  /// In the order of one's own, counted from 1.
  let place: Int
  let createdAt: String
  let lastDone: String?
  /// Since it was done last, or was started.
  let daysSince: Int
  let doneToday: Bool
  let dueOn: String?
  let isDue: Bool
  let completionCount: Int

  init(_ activity: Activity, doneToday: Bool, today: LocalDay) {
    let details = activity.details
    id = activity.id.description
    name = details.name
    emoji = details.emoji
    category = details.category
    startFrom = details.startFrom.description
    plant = activity.plant.map { .init(id: $0.id.description, name: $0.name) }
    notes = details.notes
    everyDays = details.everyDays
    weeklyGoal = details.weeklyGoal
    monthlyGoal = details.monthlyGoal
    iconName = details.iconName
    place = activity.rank + 1
    createdAt = RecordedTime.instant(activity.createdAt).iso8601
    lastDone = activity.lastDone?.description
    daysSince = activity.daysSince(on: today)
    self.doneToday = doneToday
    dueOn = activity.dueDay?.description
    isDue = activity.isDue(on: today)
    completionCount = activity.completionCount
  }

  /// With a look whether it was done today.
  init(_ activity: Activity, in library: Library) throws {
    let today = library.today
    let done = try library.activities.done(on: today)
    self.init(activity, doneToday: done.contains(activity.id), today: today)
  }
}
