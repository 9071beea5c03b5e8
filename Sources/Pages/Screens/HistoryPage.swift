package import Leaflog

/// All changes, to be undone and redone.
package struct HistoryPage: Screen {
  package static let template = "history"

  let page: PageFrame
  let hasChanges: Bool
  let days: [HistoryDay]
  let olderHref: String?
  /// Whether changes older than the last one are no longer kept.
  let isCut: Bool

  struct HistoryDay {
    let date: String
    let changes: [ChangeRow]
  }

  struct ChangeRow {
    let change: String
    let title: String
    let detail: String
    let things: [ChangedRow]
    /// How many more things it touched, in words.
    let further: String?
    let isUndone: Bool
    let buttonLabel: String
    /// Why it cannot be undone or redone; then there is no button.
    let blocker: String?
  }

  /// - Parameter number: a change number above all those shown; nil means the newest.
  package init(_ context: PageContext, before number: Int64? = nil) throws {
    let history = try context.library.history.page(
      before: number, limit: 50, findsBlockers: true)
    page = try context.frame(context.words["history"], at: .me)
    hasChanges = !history.changes.isEmpty
    days = Self.days(of: history.changes, in: context)
    isCut = history.isCut && !history.hasMore
    olderHref = history.hasMore ? history.changes.last.map { "/me/history?before=\($0.id)" } : nil
  }
}

extension HistoryPage {
  private static func days(of changes: [Change], in context: PageContext) -> [HistoryDay] {
    let reader = context.reader
    var days: [(day: LocalDay, rows: [ChangeRow])] = []
    for change in changes {
      let time = EntryTime(.instant(change.madeAt), in: reader.zone)
      if days.last?.day != time.localDay { days.append((time.localDay, [])) }
      days[days.count - 1].rows.append(ChangeRow(change, at: time, in: context))
    }
    return days.map { HistoryDay(date: reader.longDay($0.day), changes: $0.rows) }
  }
}

extension HistoryPage.ChangeRow {
  fileprivate init(_ change: Change, at time: EntryTime, in context: PageContext) {
    let (reader, words) = (context.reader, context.words)
    let further = change.furtherCount
    let title = Self.title(of: change, reader)
    self.init(
      change: "\(change.id)", title: title,
      detail: .dotted(
        reader.clock(time), words.text("changeNumber", ["number": "\(change.id)"]),
        change.isUndone ? words["changeUndone"] : nil),
      things: change.things.map { ChangedRow($0, in: context) },
      further: further == 0
        ? nil
        : reader.count(change.kind == .settings ? "changedMoved" : "changedMore", further),
      isUndone: change.isUndone,
      buttonLabel: words.text(change.isUndone ? "redoLabel" : "undoLabel", ["what": title]),
      blocker: change.blocker.map(context.text))
  }

  static func title(of change: Change, _ reader: Reader) -> String {
    let words = reader.words
    let title = words["change.\(change.kind.rawValue)"]
    if let photos = change.counts.first(where: { $0.thing == .photo }) {
      if change.kind == .importPhotos, photos.added > 0 {
        return words.text("changeImport", ["photos": reader.count("countPhotos", photos.added)])
      }
      let touched = photos.added + photos.changed + photos.deleted
      // A change to a plant includes its photos.
      if touched > 0, change.kind.isOfPhotos {
        return "\(title): \(reader.count("countPhotos", touched))"
      }
    }
    let touched = change.counts.filter { ![.plant, .activity, .factor].contains($0.thing) }
      .reduce(0) { $0 + $1.added + $1.changed + $1.deleted }
    return touched > 1 ? "\(title) (\(reader.number(touched)))" : title
  }
}

extension ChangeKind {
  fileprivate var isOfPhotos: Bool {
    switch self {
    case .photoEdit, .photoMove, .photoRedate, .photoDelete, .photoRestore, .photoFavourite,
      .photoUnfavourite, .recompress, .repairThumbnails:
      true
    default: false
    }
  }
}

/// Deleted entries and plants that can be restored.
package struct TrashPage: Screen {
  package static let template = "trash"

  let page: PageFrame
  let problem: PageProblem?
  let hasItems: Bool
  let items: [TrashItem]
  let olderHref: String?
  /// The question before something is deleted for good.
  let asks: Asks?

  struct Asks {
    let what: String
    let chosen: [JobRow.HiddenField]
  }

  struct TrashItem {
    let id: String
    /// The name of the check box: `id` for an entry, `plant` for a plant.
    let fieldName: String
    /// As in `ChangedRow`.
    let kind: String?
    let title: String
    let detail: String
    let emoji: String
    let photo: Cover?
    let selectLabel: String
    let restoreLabel: String
    let deleteLabel: String
  }

  package init(
    _ context: PageContext, before cursor: Cursor? = nil, refusal: Refusal? = nil
  ) throws {
    let library = context.library
    let deleted = try library.timeline.page(
      TimelineQuery(deleted: true), at: cursor.map { .cursor($0) } ?? .start, limit: 60)
    let plants = cursor == nil ? try library.plants.all(deleted: true) : []
    page = try context.frame(context.words["trash"], at: .me)
    let items =
      plants.map { TrashItem($0, context.reader) }
      + deleted.elements.map { TrashItem($0, in: context) }
    self.items = items
    hasItems = !items.isEmpty
    asks = refusal.flatMap { Asks($0.typed, items, context) }
    problem = asks == nil ? refusal?.problem(context.words) : nil
    olderHref = deleted.next.map { "/me/trash?before=\($0)" }
  }
}

extension TrashPage.Asks {
  /// Nil where nothing on the page is chosen, or it is confirmed already.
  fileprivate init?(
    _ typed: TypedForm, _ items: [TrashPage.TrashItem], _ context: PageContext
  ) {
    let ids =
      typed["only"].map { [$0] } ?? (typed.values["plant"] ?? []) + (typed.values["id"] ?? [])
    let chosen = items.filter { ids.contains($0.id) }
    guard !chosen.isEmpty, typed["confirm"] == nil else { return nil }
    what =
      chosen.count == 1
      ? context.words.text("deleteForGoodAsk", ["what": chosen[0].title])
      : context.reader.count("deleteForGoodAsk", chosen.count)
    self.chosen = chosen.map { .init(fieldName: $0.fieldName, fieldValue: $0.id) }
  }
}

extension TrashPage.TrashItem {
  fileprivate init(_ plant: Plant, _ reader: Reader) {
    self.init(
      plant.id.description, field: "plant", kind: reader.words["singular.plant"], title: plant.name,
      about: plant.details.location,
      emoji: "🪴", photo: nil, plant.deletedAt, reader)
  }

  fileprivate init(_ entry: Entry, in context: PageContext) {
    let line = EntryLine(entry, in: context)
    self.init(
      entry.id.description, field: "id",
      kind: line.map(\.kind) ?? context.words["singular.photo"],
      title: line?.title ?? context.alt(of: entry),
      about: line?.detail ?? entry.notes, emoji: line?.emoji ?? "📷", photo: Cover(entry),
      entry.deletedAt, context.reader)
  }

  private init(
    _ id: String, field: String, kind: String?, title: String, about: String?, emoji: String,
    photo: Cover?,
    _ deletedAt: Timestamp?, _ reader: Reader
  ) {
    let words = reader.words
    let day = deletedAt.map { EntryTime(.instant($0), in: reader.zone).localDay }
    self.init(
      id: id, fieldName: field, kind: kind, title: title,
      detail: .dotted(about, day.map { words.text("deletedOn", ["when": reader.ago($0)]) }),
      emoji: emoji, photo: photo, selectLabel: words.text("selectLabel", ["what": title]),
      restoreLabel: words.text("restoreLabel", ["what": title]),
      deleteLabel: words.text("deleteForGoodLabel", ["what": title]))
  }
}
