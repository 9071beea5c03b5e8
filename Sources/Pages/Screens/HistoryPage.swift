internal import Leaflog

/// All changes, to be undone and redone.
package struct HistoryPage: Screen {
  package static let template = "history"

  let page: PageFrame
  let hasChanges: Bool
  let days: [HistoryDay]
  let olderHref: String?

  struct HistoryDay {
    let date: String
    let changes: [ChangeRow]
  }

  struct ChangeRow {
    let change: String
    let title: String
    let detail: String
    let isUndone: Bool
    let buttonLabel: String
  }

  /// - Parameter number: a change number above all those shown; nil means the newest.
  package init(_ context: PageContext, before number: Int64? = nil) throws {
    let history = try context.library.history.page(before: number, limit: 50)
    page = try context.frame(context.words["history"], at: .me)
    hasChanges = !history.changes.isEmpty
    days = Self.days(of: history.changes, context.reader)
    olderHref = history.hasMore ? history.changes.last.map { "/me/history?before=\($0.id)" } : nil
  }
}

extension HistoryPage {
  private static func days(of changes: [Change], _ reader: Reader) -> [HistoryDay] {
    var days: [(day: LocalDay, rows: [ChangeRow])] = []
    for change in changes {
      let time = EntryTime(.instant(change.madeAt), in: reader.zone)
      if days.last?.day != time.localDay { days.append((time.localDay, [])) }
      days[days.count - 1].rows.append(ChangeRow(change, at: time, reader))
    }
    return days.map { HistoryDay(date: reader.longDay($0.day), changes: $0.rows) }
  }
}

extension HistoryPage.ChangeRow {
  fileprivate init(_ change: Change, at time: EntryTime, _ reader: Reader) {
    let words = reader.words
    let title = Self.title(of: change, reader)
    self.init(
      change: "\(change.id)", title: title,
      detail: .dotted(reader.clock(time), change.isUndone ? words["changeUndone"] : nil),
      isUndone: change.isUndone,
      buttonLabel: words.text(change.isUndone ? "redoLabel" : "undoLabel", ["what": title]))
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
    let touched = change.counts.filter { $0.thing != .plant && $0.thing != .activity }
      .reduce(0) { $0 + $1.added + $1.changed + $1.deleted }
    return touched > 1 ? "\(title) (\(reader.number(touched)))" : title
  }
}

extension ChangeKind {
  fileprivate var isOfPhotos: Bool {
    switch self {
    case .photoEdit, .photoMove, .photoRedate, .photoDelete, .photoRestore, .photoFavourite,
      .photoUnfavourite, .recompress:
      true
    default: false
    }
  }
}
