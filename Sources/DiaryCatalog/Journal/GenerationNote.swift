internal import Foundation

/// The small file beside a catalog with the number of commits of the newest catalog that was at its path.
package struct GenerationNote: Sendable {
  private let path: String

  package init(ofCatalogAt path: String) { self.path = path + ".generation" }

  private var number: Int? {
    FileManager.default.contents(atPath: path)
      .flatMap { Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)) }
  }

  /// That number, as far as it is noted.
  package var generation: Int? { number.flatMap { $0 == .max ? nil : $0 } }

  /// Whether the store may hold what the catalog does not know, however many commits come.
  package var isHeld: Bool { number == .max }

  /// Says that it may, until the catalog is accepted as the newest.
  package func hold() throws { try write(.max) }

  func write(_ generation: Int) throws { try PrivateFile.write("\(generation)\n", to: path) }

  /// Never goes back, and is not synced: after a power cut it may say too little, which is no harm.
  /// Nor is it when it cannot be written, as on a full disk.
  func advance(to generation: Int) {
    guard generation > (number ?? 0) else { return }
    try? write(generation)
  }

  /// Whether a newer catalog than one with so many commits was there.
  func isAhead(of generation: Int) -> Bool { (number ?? 0) > generation }
}
