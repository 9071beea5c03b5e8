internal import Leaflog

/// All activities in user-defined order, to tick or to move.
package struct ActivitiesPage: Screen {
  package static let template = "activities"

  struct OrderRow {
    let id: String
    let emoji: String
    let name: String
    let upLabel: String
    let downLabel: String
  }

  let page: PageFrame
  /// `2 to do`; nil where nothing is due.
  let summary: String?
  let hasActivities: Bool
  /// Nil while reordering, and where there is nothing to reorder.
  let orderHref: String?
  let isOrdering: Bool
  let activities: [CareRow]
  let orderRows: [OrderRow]
  let noActivities: String

  package init(_ context: PageContext, isOrdering: Bool = false) throws {
    let words = context.words
    let all = try context.library.activities.all(isCounting: false)
    let rows = try context.rows(of: all)
    page = try context.frame(words["activities"], at: .today)
    let left = zip(all, rows).count { $0.isDue(on: context.today) && !$1.isDone }
    summary = left == 0 ? nil : context.reader.count("toDoCount", left)
    hasActivities = !all.isEmpty
    self.isOrdering = isOrdering
    orderHref = isOrdering || all.count < 2 ? nil : "/activities?order=true"
    activities = isOrdering ? [] : rows
    orderRows =
      isOrdering
      ? all.map { activity in
        OrderRow(
          id: activity.id.description, emoji: activity.details.emoji, name: activity.name,
          upLabel: words.text("moveUp", ["name": activity.name]),
          downLabel: words.text("moveDown", ["name": activity.name]))
      } : []
    noActivities = words["noActivities"]
  }
}

/// The first activities, one tap each, for a pinned page.
package struct CompactPage: Screen {
  package static let template = "compact"

  let page: PageFrame
  let hasActivities: Bool
  let activities: [CareRow]
  let noActivities: String

  package init(_ context: PageContext) throws {
    page = try context.frame(context.words["activities"], hasBar: false)
    activities = try context.rows(
      of: Array(context.library.activities.all(isCounting: false).prefix(6)),
      source: Completion.Source.widget)
    hasActivities = !activities.isEmpty
    noActivities = context.words["noActivities"]
  }
}

extension PageContext {
  /// Activities with their ticks for today, and the photos of their plants.
  func rows(
    of activities: [Activity], source: String = Completion.Source.app
  ) throws -> [CareRow] {
    let done = try library.activities.done(on: today)
    let covers = try covers(of: activities.compactMap { $0.plant?.id })
    return activities.map { activity in
      CareRow(
        activity, on: today, isDone: done.contains(activity.id),
        photo: activity.plant.flatMap { covers[$0.id] }, source: source, in: self)
    }
  }
}
