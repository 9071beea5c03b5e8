internal import DiaryCatalog

/// Fields that the user adds to the daily log. `DailyLog.factors` has their values.
public struct LibraryFactors: LibrarySection {
  let library: Library
}

extension LibraryFactors {
  /// All factors in user-defined order, those that are hidden included.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func all() throws(LeaflogError) -> [Factor] { try read { try $0.factors.all() } }

  /// The factor with this id.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func find(_ id: FactorID) throws(LeaflogError) -> Factor {
    try read { try $0.factors.factor(id) }
  }

  /// The factor with this name, regardless of case, or this id or an unambiguous prefix of it.
  ///
  /// - Throws: `LeaflogError` with code `notFound`, and `ambiguous` for a prefix of several ids.
  public func find(matching nameOrID: String) throws(LeaflogError) -> Factor {
    try read { try $0.factors.named(nameOrID) }
  }

  /// Adds a factor at the end of the order. It can be undone until a day has a value.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken` when another factor has the name, regardless of case, and
  ///   `invalidRequest` for invalid details: a number without its highest value, or a choice with fewer than 2 or more
  ///   than 12 names.
  public func add(_ details: FactorDetails) throws(LeaflogError) -> Factor {
    try change(.factorAdd) { try $0.factors.add(details, now: $1) }
  }

  /// Renames, hides or shows a factor, or changes its values. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `nameTaken`, and `invalidRequest` for another kind, for invalid details, and where a
  ///   day has a value that the factor would no longer take, even in the trash.
  @discardableResult
  public func edit(
    _ id: FactorID, _ body: (inout FactorDetails) throws -> Void
  ) throws(LeaflogError) -> Factor {
    try change(.factorEdit) { tables, _ in try tables.factors.edit(id, body) }
  }

  /// Deletes a factor with all of its values. It can be undone. Hiding it keeps them.
  ///
  /// - Returns: the number of daily logs that had a value, those in the trash included.
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  @discardableResult
  public func delete(_ id: FactorID) throws(LeaflogError) -> Int {
    try change(.factorDelete) { tables, _ in try tables.factors.delete(id) }
  }

  /// Puts the factors into this order. It can be undone.
  ///
  /// - Returns: all factors, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` unless every factor occurs exactly once.
  @discardableResult
  public func reorder(_ ids: [FactorID]) throws(LeaflogError) -> [Factor] {
    try ids.checkOrder(of: all().map { ($0.id, $0.name) }, "factor")
    return try rearrange { $0 = ids }
  }

  /// Moves a factor to another place; those between move up or down by one. It can be undone.
  ///
  /// - Returns: all factors, in their new order.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a number out of range, and `notFound` when one of the
  ///   two is not there.
  @discardableResult
  public func reorder(
    _ id: FactorID, to place: OrderPlace<FactorID>
  ) throws(LeaflogError) -> [Factor] {
    try rearrange { try $0.move(id, to: place, "factor") }
  }

  private func rearrange(
    _ body: (inout [FactorID]) throws -> Void
  ) throws(LeaflogError) -> [Factor] {
    try change(.factorReorder) { tables, _ in try tables.factors.reorder(body) }
  }
}
