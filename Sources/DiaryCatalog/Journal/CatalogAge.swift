internal import Foundation

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

/// The small file next to a catalog with the number of commits of the newest catalog ever at its path.
package struct GenerationNote: Sendable {
  private let path: String

  package init(ofCatalogAt path: String) { self.path = path + ".generation" }

  private var number: Int? {
    FileManager.default.contents(atPath: path)
      .flatMap { Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)) }
  }

  /// That number; nil when it is not noted.
  package var generation: Int? { number.flatMap { $0 == .max ? nil : $0 } }

  /// Whether the store may hold blobs that the catalog does not know, whatever the number of its commits.
  package var isHeld: Bool { number == .max }

  /// Sets `isHeld` until the catalog is accepted as the newest.
  package func hold() throws { try write(.max) }

  func write(_ generation: Int) throws { try PrivateFile.write("\(generation)\n", to: path) }

  /// Raises the number, and never lowers it. The file is not synced: after a power cut the number may be
  /// too low, which does no harm. Neither does a failure to write it, as on a full disk.
  func advance(to generation: Int) {
    guard generation > (number ?? 0) else { return }
    try? write(generation)
  }

  /// Whether the catalog at the path was once newer than one with this number of commits.
  func isAhead(of generation: Int) -> Bool { (number ?? 0) > generation }
}
