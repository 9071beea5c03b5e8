internal import DiaryCatalog
package import Foundation

/// A client's request: the origin of its change, the condition for it, and a key that makes it happen only once.
package struct ClientRequest: Sendable {
  /// A key that makes a request happen once, however often it is sent.
  package struct Key: Sendable {
    /// The client's text, distinct from those of other clients.
    package let text: String
    /// The SHA-256 of the request, 32 bytes: a key stands for a single request.
    package let fingerprint: Data

    package init(_ text: String, fingerprint: Data) {
      (self.text, self.fingerprint) = (text, fingerprint)
    }
  }

  /// The answer to a request that was carried out before.
  package enum Answer: Sendable {
    case known(Data)
    /// The process ended before the answer was stored.
    case lost
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

    /// - Parameter check: receives the present activity, and throws to prevent the write.
    package static func activity(
      _ id: ActivityID, _ check: @escaping @Sendable (Activity) throws -> Void
    ) -> Condition {
      Condition { try check($0.activities.named(id.description)) }
    }
  }

  /// The origin that the history shows, such as `PATCH /api/v1/entries/…`.
  package let origin: String
  package let key: Key?
  package let condition: Condition?

  package init(origin: String, key: Key? = nil, condition: Condition? = nil) {
    (self.origin, self.key, self.condition) = (origin, key, condition)
  }
}

extension Library {
  /// The same library for one request: everything done through it is one change. Its first transaction checks
  /// that the request was not carried out before, and that its condition holds.
  package func serving(_ request: ClientRequest) throws(LeaflogError) -> Library {
    let clock = clock
    return try translating {
      try Library(
        self,
        CommitContext(origin: request.origin, isOneChange: true) { tables in
          if let key = request.key {
            try tables.answeredRequests.begin(key.text, key.fingerprint, now: clock.now)
          }
          try request.condition?.check(tables)
        })
    }
  }

  /// The same library with its present settings: another process may have changed its zone.
  package func refreshed() throws(LeaflogError) -> Library {
    try translating { try Library(self, catalog.context) }
  }
}

/// The answers to requests, for clients that send one again.
package struct LibraryRequests: LibraryFace {
  let library: Library
}

extension LibraryRequests {
  /// The answer to a request that was carried out before.
  ///
  /// - Returns: nil when no request had this key within the last day.
  /// - Throws: `LeaflogError` with code `conflict` when the key stood for another request.
  package func answer(to key: ClientRequest.Key) throws(LeaflogError) -> ClientRequest.Answer? {
    guard let known = try read({ try $0.answeredRequests.request(key.text) }) else { return nil }
    guard known.fingerprint == key.fingerprint else {
      throw LeaflogError(.conflict, "The key of this request was used for another one.")
    }
    return known.answer.map(ClientRequest.Answer.known) ?? .lost
  }

  /// Stores the answer to a request, in case it is sent again.
  package func keep(answer: Data, to key: ClientRequest.Key) throws(LeaflogError) {
    try write { try $0.answeredRequests.answer(key.text, answer) }
  }
}
