package import Leaflog

/// The result of editing entries in JSON: a listing of those that were changed.
package struct EditDocument: Encodable {
  struct Failure: Encodable {
    let id: String
    let message: String
  }

  let items: [Entry]
  let unchanged: Int?
  let failed: [Failure]?
  /// Why nothing was changed; nil unless it is a dry run.
  let dryRunReason: String?

  /// - Parameter words: returns a failure's message, with its remedy worded for the interface.
  package init(_ result: EditResult, words: (EditResult.Failure) -> String) {
    items = result.changed
    unchanged = result.unchangedCount
    failed = result.failures.map { Failure(id: $0.entry.id.description, message: words($0)) }
    dryRunReason = nil
  }

  /// Entries that would be edited.
  package init(wouldEdit entries: [Entry], reason: String) {
    items = entries
    (unchanged, failed) = (nil, nil)
    dryRunReason = reason
  }

  private enum Key: CodingKey { case items, next, unchanged, failed, dryRun, reason }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(items, forKey: .items)
    try object.encodeNil(forKey: .next)
    try object.encodeIfPresent(unchanged, forKey: .unchanged)
    try object.encodeIfPresent(failed, forKey: .failed)
    guard let dryRunReason else { return }
    try object.encode(true, forKey: .dryRun)
    try object.encode(dryRunReason, forKey: .reason)
  }
}
