package import Leaflog

/// A change in JSON.
package struct ChangeDocument: Encodable {
  /// How many things of one kind were added, changed and deleted.
  package struct Count: Encodable {
    private let thing: String
    private let added: Int
    private let changed: Int
    private let deleted: Int

    package init(_ count: ChangeCount) {
      thing = count.thing.rawValue
      (added, changed, deleted) = (count.added, count.changed, count.deleted)
    }
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
    counts = change.counts.map(Count.init)
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
