internal import DiaryCatalog

/// The library and its faces, which read and write the catalog.
protocol CatalogUser: Sendable {
  var catalog: Catalog { get }
  /// The source of the present time.
  var clock: WallClock { get }
}

extension CatalogUser {
  /// Runs queries that all see the same state of the catalog.
  func read<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.read(body) }
  }

  /// Runs one transaction that is not a user's change, such as maintenance.
  func write<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.write(body) }
  }

  /// Runs one transaction that can be undone.
  ///
  /// - Parameter body: receives the moment of the change, which is unique to it.
  func change<Value>(
    _ kind: ChangeKind, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.change(kind, now: clock.now, body) }
  }
}
