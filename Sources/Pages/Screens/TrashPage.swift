package import Leaflog

/// Deleted entries and plants that can be restored.
package struct TrashPage: Screen {
  package static let template = "trash"

  let page: PageFrame
  let problem: PageProblem?
  let hasItems: Bool
  let items: [TrashItem]
  let olderHref: String?

  struct TrashItem {
    let id: String
    /// The name of the check box: `id` for an entry, `plant` for a plant.
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
    items =
      plants.map { TrashItem($0, context.reader) }
      + deleted.elements.map { TrashItem($0, in: context) }
    hasItems = !items.isEmpty
    olderHref = deleted.next.map { "/me/trash?before=\($0)" }
  }
}

extension TrashPage.TrashItem {
  fileprivate init(_ plant: Plant, _ reader: Reader) {
    self.init(
      plant.id.description, field: "plant", title: plant.name, about: plant.location,
      emoji: "🪴", photo: nil, plant.deletedAt, reader)
  }

  fileprivate init(_ entry: Entry, in context: PageContext) {
    let line = EntryLine(entry, in: context)
    self.init(
      entry.id.description, field: "id", title: line?.title ?? context.alt(of: entry),
      about: line?.detail ?? entry.notes, emoji: line?.emoji ?? "📷", photo: Cover(entry),
      entry.deletedAt, context.reader)
  }

  private init(
    _ id: String, field: String, title: String, about: String?, emoji: String, photo: Cover?,
    _ deletedAt: Timestamp?, _ reader: Reader
  ) {
    let words = reader.words
    let day = deletedAt.map { EntryTime(.instant($0), in: reader.zone).localDay }
    self.init(
      id: id, fieldName: field, title: title,
      detail: .dotted(about, day.map { words.text("deletedOn", ["when": reader.ago($0)]) }),
      emoji: emoji, photo: photo, selectLabel: words.text("selectLabel", ["what": title]),
      restoreLabel: words.text("restoreLabel", ["what": title]))
  }
}
