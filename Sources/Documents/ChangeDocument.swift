package import Leaflog

/// A change in JSON.
package struct ChangeDocument: Encodable {
  private struct Count: Encodable {
    let thing: String
    let added: Int
    let changed: Int
    let deleted: Int
  }

  private let id: Int64
  private let kind: String
  /// The command as it was typed; nil when another program made the change.
  private let command: String?
  private let at: String
  private let undone: Bool
  private let counts: [Count]

  package init(_ change: Change) {
    id = change.id
    kind = change.kind.rawValue
    command = change.origin
    at = RecordedTime.instant(change.madeAt).iso8601
    undone = change.isUndone
    counts = change.counts.map {
      Count(
        thing: $0.thing.rawValue, added: $0.added, changed: $0.changed, deleted: $0.deleted)
    }
  }
}

/// A page of the history in JSON.
package struct HistoryDocument: Encodable {
  let items: [ChangeDocument]
  let next: Int64?

  package init(_ history: History) {
    items = history.changes.map(ChangeDocument.init)
    next = history.hasMore ? history.changes.last?.id : nil
  }

  private enum Key: CodingKey { case items, next }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(items, forKey: .items)
    try object.encode(next, forKey: .next)  // null at the end
  }
}
