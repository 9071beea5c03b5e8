package import Leaflog

/// Deleted entries and plants, to be restored.
package struct TrashPage: Screen {
  package static let template = "trash"

  let page: PageFrame
  let problem: PageProblem?
  let hasItems: Bool
  let items: [TrashItem]
  let olderHref: String?

  struct TrashItem {
    let id: String
    /// Of its check box: `id` of an entry, `plant` of a plant.
    let fieldName: String
    let title: String
    let detail: String
    let emoji: String
    let photo: Cover?
    let selectLabel: String
    let restoreLabel: String
  }

  package init(
    _ context: PageContext, before cursor: Cursor? = nil, refusal: Refusal? = nil
  ) throws {
    let library = context.library
    let deleted = try library.timeline.page(
      TimelineQuery(deleted: true), at: cursor.map { .cursor($0) } ?? .start, limit: 60)
    let plants = cursor == nil ? try library.plants.all(deleted: true) : []
    page = try context.frame(context.words["trash"], at: .me)
    problem = refusal?.problem(context.words)
    items = plants.map(context.item) + deleted.elements.map(context.item)
    hasItems = !items.isEmpty
    olderHref = deleted.next.map { "/me/trash?before=\($0)" }
  }
}

extension PageContext {
  fileprivate func item(_ plant: Plant) -> TrashPage.TrashItem {
    item(
      plant.id.description, field: "plant", title: plant.name, about: plant.location,
      emoji: "🪴", photo: nil, plant.deletedAt)
  }

  fileprivate func item(_ entry: Entry) -> TrashPage.TrashItem {
    let line = line(entry)
    return item(
      entry.id.description, field: "id", title: line?.title ?? alt(of: entry),
      about: line?.detail ?? entry.notes, emoji: line?.emoji ?? "📷", photo: Cover(entry),
      entry.deletedAt)
  }

  private func item(
    _ id: String, field: String, title: String, about: String?, emoji: String, photo: Cover?,
    _ deletedAt: Timestamp?
  ) -> TrashPage.TrashItem {
    let day = deletedAt.map { EntryTime(.instant($0), in: reader.zone).localDay }
    return TrashPage.TrashItem(
      id: id, fieldName: field, title: title,
      detail: .dotted(about, day.map { words.text("deletedOn", ["when": reader.ago($0)]) }),
      emoji: emoji, photo: photo, selectLabel: words.text("selectLabel", ["what": title]),
      restoreLabel: words.text("restoreLabel", ["what": title]))
  }
}
