/// Detects that a catalog is older than one that was here before. Commits are counted both in the file's
/// header and in a small file next to it. A count that went back means that somebody put an older catalog
/// in place, and that the store may hold blobs that it does not know.
package struct CatalogAge {
  private let catalog: Catalog

  package init(of catalog: Catalog) { self.catalog = catalog }

  private var note: GenerationNote { GenerationNote(ofCatalogAt: catalog.path) }

  private func isNoted() throws -> Bool {
    try catalog.read { try $0.place[.isOlderThanBefore] } != nil
  }

  private func hasGoneBack() throws -> Bool { try note.isAhead(of: catalog.generation()) }

  /// Whether it replaced a newer one. Nothing may be pruned then until a repair has checked it.
  package func isOlderThanBefore() throws -> Bool { try isNoted() || hasGoneBack() }

  /// Brings a catalog whose count went back up to date by the journal. If that does not lead on from it, the catalog itself
  /// records that it is older, as its count would catch up otherwise.
  func settle() throws {
    guard try hasGoneBack() else { return }
    try CatalogJournal(of: catalog).catchUp()
    guard try hasGoneBack(), try !isNoted() else { return }
    try catalog.note { try $0.place.set(.isOlderThanBefore, "true") }
  }

  /// Accepts the catalog as the newest one.
  package func accept() throws {
    try catalog.note { try $0.place.remove(.isOlderThanBefore) }
    try note.write(catalog.generation())
  }
}
