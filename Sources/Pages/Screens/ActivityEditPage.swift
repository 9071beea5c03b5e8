internal import Documents
internal import Leaflog

/// The form of an activity, new or existing.
package struct ActivityEditPage: Screen {
  package static let template = "activity-edit"

  struct Form {
    let name: Field
    let emoji: Field
    let newCategory: Field
    let everyDays: Field
    let weeklyGoal: Field
    let monthlyGoal: Field
    let startFrom: Field
    let notes: Field
  }

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let heading: String
  let problem: PageProblem?
  let conflict: Conflict?
  let action: String
  /// Nil for a new one.
  let version: String?
  let form: Form
  let latestDay: String
  /// The emoji to pick from.
  let emojis: [String]
  let categories: [Option]
  let plantOptions: [Option]
  let isNew: Bool
  let daysOpen: Bool
  /// For a new one: the last three months.
  let dayBoxes: [DayBoxes]
  let deleteAction: String?

  private static let emojis = [
    "💧", "🌱", "🪴", "✂️", "🍅", "🌻", "🧹", "🧺", "🛏️", "🗑️", "🐈", "🐕", "🧘", "🏃", "🚴", "🎸", "📖",
    "💊", "🦷", "☎️",
  ]

  /// - Parameters:
  ///   - name: the activity's name or id; nil for a new one.
  ///   - plant: the id of a new activity's plant.
  package init(
    _ context: PageContext, _ name: String? = nil, for plant: String? = nil,
    refusal: Refusal? = nil
  ) throws {
    let (words, library) = (context.words, context.library)
    let activity = try name.map { try library.activities.named($0) }
    let details = activity?.details
    let address = activity.map { "/activities/\($0.id)" }
    let reader = FieldReader(refusal, words)
    isNew = activity == nil
    heading = words[activity == nil ? "newActivity" : "editActivity"]
    page = try context.frame(heading, at: .today)
    backHref = address ?? "/activities"
    backLabel = details?.name ?? words["activities"]
    problem = context.problem(refusal)
    let stored = Self.fields(of: activity, in: context)
    action = address ?? "/activities"
    version = activity?.versionDigest
    func field(_ name: String) -> Field {
      reader.field(name, stored.first { $0.name == name }?.stored)
    }
    form = Form(
      name: field("name"), emoji: field("emoji"), newCategory: field("newCategory"),
      everyDays: field("everyDays"), weeklyGoal: field("weeklyGoal"),
      monthlyGoal: field("monthlyGoal"), startFrom: field("startFrom"), notes: field("notes"))
    emojis = Self.emojis
    latestDay = context.latestDay(details?.startFrom)
    categories = reader.options(
      "category", details?.category ?? ActivityCategory.others.rawValue,
      try library.activities.categories().map { ($0, words.category($0)) })
    plantOptions = try context.plantOptions(
      chosen: reader.text("plant", activity == nil ? plant : activity?.plant?.id.description))
    conflict = refusal?.conflict(
      at: "\(backHref)/edit", stored,
      names: Dictionary((plantOptions + categories).map { ($0.value, $0.label) }) { $1 })
    let done = Set(reader.all("doneOn", []).compactMap { LocalDay($0) })
    daysOpen = !done.isEmpty
    let month = CalendarMonth(of: context.today)
    dayBoxes =
      activity == nil
      ? [month, month.previous, month.previous.previous].map {
        DayBoxes(of: $0, done: done, in: context)
      } : []
    deleteAction = address.map { "\($0)/delete" }
  }
}

extension ActivityEditPage {
  private static func fields(
    of activity: Activity?, in context: PageContext
  ) -> [(label: String, stored: String?, name: String)] {
    let words = context.words
    let details = activity?.details
    func number(_ value: Int?) -> String? { value.map { "\($0)" } }
    return [
      (words["name"], details?.name, "name"), (words["emoji"], details?.emoji, "emoji"),
      (words["category"], details?.category, "category"),
      (words["orNewCategory"], nil, "newCategory"),
      (words["everyDays"], number(details?.everyDays), "everyDays"),
      (words["plant"], activity?.plant?.id.description, "plant"),
      (words["weeklyGoal"], number(details?.weeklyGoal), "weeklyGoal"),
      (words["monthlyGoal"], number(details?.monthlyGoal), "monthlyGoal"),
      (words["startFrom"], (details?.startFrom ?? context.today).description, "startFrom"),
      (words["notes"], details?.notes, "notes"),
    ]
  }
}
