internal import Leaflog

/// The form of an activity, new or existing.
package struct ActivityEditPage: Screen {
  package static let template = "activity-edit"

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let heading: String
  let problem: PageProblem?
  let conflict: Conflict?
  let action: String
  /// Nil for a new one.
  let version: String?
  let rows: [FormRow]
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
    let activity = try name.map { try library.activities.find(matching: $0) }
    let details = activity?.details
    let address = activity.map { "/activities/\($0.id)" }
    let form = FormBuilder(refusal, context)
    isNew = activity == nil
    heading = words[activity == nil ? "newActivity" : "editActivity"]
    page = try context.frame(heading, at: .today)
    backHref = context.back ?? address ?? "/activities"
    backLabel = context.back == nil ? details?.name ?? words["activities"] : words["back"]
    problem = context.problem(refusal)
    action = address ?? "/activities"
    version = activity?.versionDigest
    rows = try Self.rows(of: details, for: activity?.plant?.id.description ?? plant, form, context)
    conflict = refusal?.conflict(at: "\(address ?? "/activities")/edit", rows.fields, words)
    let done = Set(form.reader.all("doneOn", []).compactMap { LocalDay($0) })
    daysOpen = !done.isEmpty
    let month = CalendarMonth(of: context.today)
    dayBoxes =
      activity == nil
      ? try [month, month.previous, month.previous.previous].map {
        try DayBoxes(of: $0, done: done, in: context)
      } : []
    deleteAction = address.map { "\($0)/delete" }
  }
}

extension ActivityEditPage {
  /// Each field of the table, with the category and the plant, which are picked from what there is.
  private static func rows(
    of details: ActivityDetails?, for plant: String?, _ form: FormBuilder, _ context: PageContext
  ) throws -> [FormRow] {
    let (words, library) = (context.words, context.library)
    var emoji = form.field("emoji", of: details)
    emoji.chips = FormField.Chips(style: "round outlined", fills: emojis)
    let categories = try library.activities.categories().map { ($0, words.category($0)) }
    let start = form.field(
      "startFrom", stored: (details?.startFrom ?? context.today).description,
      .day(upTo: try context.latestDay(details?.startFrom)))
    let others = ActivityDetails.fields.names.filter {
      !["name", "emoji", "category", "startFrom", "notes", "iconName"].contains($0)
    }.map { form.field($0, of: details) }
    let plants = try context.plantNames()
    return [
      FormRow(form.field("name", of: details, placeholder: words["activityNameHint"])),
      FormRow(emoji),
      FormRow(
        form.answers(
          "category", stored: details?.category ?? ActivityCategory.others.rawValue,
          isRequired: false, categories)),
      FormRow(
        form.field("newCategory", label: "orNewCategory", stored: nil, .init(maxLength: 200))),
      FormRow(
        pair: [form.menu("plant", stored: plant, none: words["noPlant"], plants)] + others
          + [start]), FormRow(form.field("notes", of: details)),
    ]
  }
}
