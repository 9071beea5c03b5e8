internal import Foundation

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
