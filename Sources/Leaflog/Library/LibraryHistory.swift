package import DiaryCatalog
package import Foundation

/// The changes that were made in a library and their origins, with undo and redo.
public struct LibraryHistory: LibrarySection {
  let library: Library
}

extension LibraryHistory {
  /// A page of changes, the newest first, each with the first things that it touched.
  ///
  /// - Parameters:
  ///   - before: an id greater than all ids of the page; nil begins with the newest change.
  ///   - limit: the maximum number of changes, 1 to 1000.
  ///   - findsBlockers: whether to find why changes cannot be undone or redone. That takes the library's lock, needs a
  ///     library that is open for writing, and leaves very large changes out.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func page(
    before: Int64? = nil, limit: Int, findsBlockers: Bool = false
  ) throws(LeaflogError) -> History {
    try Timeline.check(limit)
    let page = try read { try $0.history.page(before: before, limit: limit) }
    return findsBlockers ? try translating { try catalog.findBlockers(in: page) } : page
  }

  /// Undoes a change as a whole. Later changes of other rows, and of other fields of the same rows,
  /// stay. Photos that an import had added leave the diary; their files stay in the store until it is
  /// pruned.
  ///
  /// - Parameter change: the id of the change; nil undoes the newest that is not undone.
  /// - Returns: the change, as it is now.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `conflict` when fields
  ///   that it touched were changed again since, or files that it would bring back were pruned.
  @discardableResult
  public func undo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { shown(try catalog.undo(change, confirm: blobs.confirm)) }
  }

  /// Redoes an undone change.
  ///
  /// - Parameter change: the id of the change; nil redoes the one that was undone last.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `conflict` when it is not undone, or fields
  ///   that it touched were changed again since.
  @discardableResult
  public func redo(_ change: Int64? = nil) throws(LeaflogError) -> Change {
    try translating { shown(try catalog.redo(change, confirm: blobs.confirm)) }
  }

  /// A change without the words of the command that made it, where they may be about more than is seen.
  private func shown(_ change: Change) -> Change {
    var change = change
    if catalog.isLimited { change.origin = nil }
    return change
  }

  /// The photos on the timeline that a change has added and that no later change has edited.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is no such change.
  public func uneditedPhotos(of change: Int64) throws(LeaflogError) -> [EntryID] {
    try read { tables in
      guard try tables.history.isKept(change) else {
        throw LeaflogError(.notFound, "There is no change \(change).")
      }
      return try tables.history.photosAdded(by: change).filter { !$0.isChanged }.map(\.id)
    }
  }

  /// The time of the newest change that a commit through this value of the library has dropped from the history, as that
  /// had grown too large; nil if none was.
  public var droppedUntil: Timestamp? { catalog.context.droppedUntil }

  /// The id of the last change that was made through this value of the library; nil when none was.
  package var lastChange: Int64? { catalog.context.change }

  /// A function that reads the mark of the last commit, by whichever process. It never waits, and returns nil when the
  /// mark cannot be read at once.
  package func commitWatch() throws(LeaflogError) -> @Sendable () -> CommitMark? {
    let watch = try translating { try library.shared.watch(catalog) }
    return { watch.mark }
  }
}

/// A client's request: the origin of its change, the condition for it, and a key that makes it happen only once.
package struct ClientRequest: Sendable {
  package typealias Key = RequestKey

  /// The answer to a request that was carried out before.
  package enum Answer: Sendable {
    case known(Data)
    /// The words of the answer are no longer kept, or were lost in a crash.
    case carriedOut(CarriedOut)
  }

  /// A request that was carried out before.
  package struct Known: Sendable {
    /// Whether it was the same one; otherwise its key has now come with another.
    package let isSame: Bool
    package let answer: Answer
  }

  /// The effect of a request that was carried out before, and what has become of it since.
  package struct CarriedOut: Sendable {
    /// The commit that carried it out.
    package let commit: Int
    /// The change that it was; nil if it was none, or is no longer kept.
    package let change: Change?
    /// The entries that it added or edited and that are still kept, and whether a later change has edited them.
    package let entries: [(entry: Entry, isChanged: Bool)]
  }

  /// A condition of a write, checked in its transaction.
  package struct Condition: Sendable {
    fileprivate let check: @Sendable (CatalogTables) throws -> Void

    /// - Parameter check: receives the present entry, and throws to prevent the write.
    package static func entry(
      _ id: EntryID, _ check: @escaping @Sendable (Entry) throws -> Void
    ) -> Condition {
      Condition { try check($0.entries.find(id.description)) }
    }

    /// - Parameter check: receives the present plant, and throws to prevent the write.
    package static func plant(
      _ id: PlantID, _ check: @escaping @Sendable (Plant) throws -> Void
    ) -> Condition {
      Condition { try check($0.plants.named(id.description)) }
    }

    /// The token that a photo comes with has not been revoked: what it has sent may have been put into the trash by now.
    package static func isValid(_ token: SenderToken, in tokens: LibraryTokens) -> Condition {
      Condition { _ in
        guard try tokens.file.read().record.tokens.contains(where: { $0.id == token.id }) else {
          throw LeaflogError(.refused, "The token was revoked while the photo was sent.")
        }
      }
    }

    /// - Parameter check: receives the present activity, and throws to prevent the write.
    package static func activity(
      _ id: ActivityID, _ check: @escaping @Sendable (Activity) throws -> Void
    ) -> Condition {
      Condition { try check($0.activities.named(id.description)) }
    }

    /// - Parameter check: receives the present factor, and throws to prevent the write.
    package static func factor(
      _ id: FactorID, _ check: @escaping @Sendable (Factor) throws -> Void
    ) -> Condition {
      Condition { try check($0.factors.named(id.description)) }
    }
  }

  /// The origin that the history shows, such as `PATCH /api/v1/entries/…`.
  package let origin: String
  /// The token that it came with, if any.
  package let sender: SenderToken?
  package let key: Key?
  package let condition: Condition?

  package init(
    origin: String, sender: SenderToken? = nil, key: Key? = nil, condition: Condition? = nil
  ) {
    (self.origin, self.sender, self.key, self.condition) = (origin, sender, key, condition)
  }
}

extension ClientRequest.Key {
  /// Whether a request with this key repeats one whose key is in the record of the thing that it made.
  ///
  /// - Parameters:
  ///   - former: the key in the record; nil if that request had none.
  ///   - time: the time of that request.
  /// - Throws: `LeaflogError.usedKey` when that was another request.
  package func isRepetition(
    of former: ClientRequest.Key?, from time: Timestamp, now: Timestamp
  ) throws(LeaflogError) -> Bool {
    guard let former, former.hash == hash, isRemembered(since: time, now: now) else { return false }
    guard former.fingerprint == fingerprint else { throw .usedKey }
    return true
  }
}

extension LeaflogError {
  /// The error for a request whose key has come with another request.
  package static let usedKey = LeaflogError(
    .conflict, "The key of this request was used for another one.")
}

extension Library {
  /// The same library for one request: everything done through it is one change. Its first transaction checks
  /// that the request was not carried out before, and that its condition holds.
  package func serving(_ request: ClientRequest) throws(LeaflogError) -> Library {
    try checkAlone()
    return try translating {
      try Library(
        self,
        CommitContext(
          origin: request.origin, sender: request.sender, isOneChange: true, request: request.key
        ) { try request.condition?.check($0) })
    }
  }

  /// The same library as far as a scope goes that does not include all of it: nothing beyond is seen, and no transaction
  /// changes anything beyond.
  package func limited(to scope: AccessScope) throws(LeaflogError) -> Library {
    try checkAlone()
    let view = scope.plant.map { CatalogView.plant($0) } ?? .plants
    return try translating { try Library(self, Catalog(catalog, limitedTo: view)) }
  }

  /// The same library with its present settings: another process may have changed its zone.
  package func refreshed() throws(LeaflogError) -> Library {
    try translating { try Library(self, catalog.context) }
  }
}

/// The answers to requests, for clients that send one again.
package struct LibraryRequests: LibrarySection {
  let library: Library
}

extension LibraryRequests {
  /// The request that was carried out with a key; nil when there was none.
  package func known(
    by key: ClientRequest.Key
  ) throws(LeaflogError) -> ClientRequest.Known? {
    guard let known = try read({ try $0.answeredRequests.request(key) }) else { return nil }
    let answer: ClientRequest.Answer =
      if let answer = known.answer { .known(answer) } else {
        .carriedOut(try carriedOut(of: known.commit))
      }
    return ClientRequest.Known(isSame: known.fingerprint == key.fingerprint, answer: answer)
  }

  private func carriedOut(of commit: Int) throws(LeaflogError) -> ClientRequest.CarriedOut {
    try read { tables in
      let change = try tables.history.change(ofCommit: commit)
      let entries = try change.map { try tables.history.entries(of: $0.id) } ?? []
      return ClientRequest.CarriedOut(
        commit: commit, change: change,
        entries: try entries.map { (try tables.entries.find($0.id), $0.isChanged) })
    }
  }

  /// Stores the answer to a request, in case it is sent again.
  package func keep(answer: Data, to key: ClientRequest.Key) throws(LeaflogError) {
    try write { try $0.answeredRequests.answer(key, answer) }
  }
}
