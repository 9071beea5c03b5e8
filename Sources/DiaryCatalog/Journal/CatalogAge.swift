/// Telling that a catalog is older than one which was here before: each commit counts, in the file's
/// header and in a small file beside it. A count that went back means that somebody put an older
/// catalog in place, and that the store may hold what it does not know.
package struct CatalogAge {
  private let catalog: Catalog

  package init(of catalog: Catalog) { self.catalog = catalog }

  private var note: GenerationNote { GenerationNote(ofCatalogAt: catalog.path) }

  private func isNoted() throws -> Bool {
    try catalog.read { try $0.settings[.isOlderThanBefore] } != nil
  }

  private func hasGoneBack() throws -> Bool { try note.isAhead(of: catalog.generation()) }

  /// Whether it is in the place of a newer one, of which nothing may go before a repair has looked at it.
  package func isOlderThanBefore() throws -> Bool { try isNoted() || hasGoneBack() }

  /// Remembers it in the catalog itself when the count went back: it would catch up otherwise.
  func remember() throws {
    if try hasGoneBack(), try !isNoted() {
      try catalog.write { try $0.settings.set(.isOlderThanBefore, "true") }
    }
  }

  /// Takes the catalog as it is for the newest.
  package func accept() throws {
    try catalog.write { try $0.settings.remove(.isOlderThanBefore) }
    try note.write(catalog.generation())
  }
}
