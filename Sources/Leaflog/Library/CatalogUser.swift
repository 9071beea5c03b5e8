internal import DiaryCatalog

/// The library and its faces, which read and write the catalog.
protocol CatalogUser: Sendable {
  var catalog: Catalog { get }
  /// The source of the present time.
  var clock: WallClock { get }
}

extension CatalogUser {
  /// Queries that see the same state of the catalog.
  func read<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.read(body) }
  }

  /// One transaction that is no change of anybody's, such as those of maintenance.
  func write<Value>(
    _ body: (CatalogTables) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.write(body) }
  }

  /// One transaction that can be undone.
  ///
  /// - Parameter body: gets the moment of the change, which no other change has.
  func change<Value>(
    _ kind: ChangeKind, _ body: (CatalogTables, Timestamp) throws -> Value
  ) throws(LeaflogError) -> Value {
    try translating { try catalog.change(kind, now: clock.now, body) }
  }
}
