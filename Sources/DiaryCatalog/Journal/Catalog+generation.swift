internal import Foundation
internal import GRDB

/// Telling that a catalog is older than one which was here before: each commit counts, in the file's
/// header and in a small file beside it. A count that went back means that somebody put an older
/// catalog in place, and that the store may hold what it does not know.
extension Catalog {
  private var generationPath: String { path + ".generation" }

  /// How many commits the catalog has seen.
  package func generation() throws -> Int { try read { try Self.generation($0.database) } }

  private func setting(_ key: SettingKey) throws -> String? { try read { try $0.settings[key] } }

  static func generation(_ database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }

  static func setGeneration(_ generation: Int, _ database: Database) throws {
    try database.execute(sql: "PRAGMA user_version = \(generation)")
  }

  /// Never goes back, and is not synced: after a power cut it may say too little, which is no harm.
  /// Nor is it when it cannot be written, as on a full disk.
  func noteGeneration(_ generation: Int) {
    guard generation > (notedGeneration ?? 0) else { return }
    try? PrivateFile.write("\(generation)\n", to: generationPath)
  }

  private var notedGeneration: Int? { Self.noted(path) }

  /// Whether it is in the place of a newer one, of which nothing may go before a repair has looked at it.
  package func isOlderThanBefore() throws -> Bool {
    try setting(.isOlderThanBefore) != nil || hasGoneBack()
  }

  private func hasGoneBack() throws -> Bool {
    let generation = try generation()
    return (notedGeneration ?? 0) > generation
  }

  /// Remembers it in the catalog itself when the count went back: it would catch up otherwise.
  func rememberWhetherOlder() throws {
    if try hasGoneBack(), try setting(.isOlderThanBefore) == nil {
      try write { try $0.settings.set(.isOlderThanBefore, "true") }
    }
  }

  /// Takes the catalog as it is for the newest.
  package func acceptGeneration() throws {
    try write { try $0.settings.remove(.isOlderThanBefore) }
    try PrivateFile.write("\(generation())\n", to: generationPath)
  }

  /// Says that the store may hold what the catalog does not know, however many commits come, until
  /// `acceptGeneration`.
  package static func holdGeneration(ofCatalogAt path: String) throws {
    try PrivateFile.write("\(Int.max)\n", to: path + ".generation")
  }

  package static func isGenerationHeld(ofCatalogAt path: String) -> Bool {
    noted(path) == .max
  }

  /// The count of commits of the newest catalog that is known to have been at a path, as far as it is
  /// noted.
  package static func notedGeneration(ofCatalogAt path: String) -> Int? {
    noted(path).flatMap { $0 == .max ? nil : $0 }
  }

  private static func noted(_ path: String) -> Int? {
    FileManager.default.contents(atPath: path + ".generation")
      .flatMap { Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)) }
  }
}
