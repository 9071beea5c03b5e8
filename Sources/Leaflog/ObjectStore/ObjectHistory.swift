internal import BlobStorage
internal import DiaryCatalog
internal import Foundation

/// The catalogs and frames of a library in its object store, and who may add to them.
///
/// Each name has the number of its last commit and its lineage, so that what two machines write never has the same
/// name, and names are in the order of commits. An owner puts a frame, looks for the marker of a newer owner, and only
/// then acknowledges; a new owner puts its marker and only then lists frames. One of the two therefore sees the other,
/// without a conditional PUT.
struct ObjectHistory: Sendable {
  let client: S3Client
  /// The key of our marker.
  let owner: String

  static let marker = "leaflog.json"
  static let owners = "owners/"
  static let frames = "journal/"
  static let catalogs = "catalog/"

  init(_ client: S3Client, owner: String) { (self.client, self.owner) = (client, owner) }

  /// The key of a new owner's marker. Of two with the same number the one that comes last in the order of keys owns.
  static func ownerKey(_ number: Int) -> String {
    "\(owners)\(padded(number, 12))-\(UUID().uuidString.lowercased())"
  }

  /// The number, lineage and kind of a catalog or of frames.
  struct Name: Hashable {
    /// Of the last commit in it.
    let commit: Int
    let lineage: UUID
    let isCatalog: Bool

    init(commit: Int, lineage: UUID, isCatalog: Bool) {
      (self.commit, self.lineage, self.isCatalog) = (commit, lineage, isCatalog)
    }

    /// `journal/000000000012-6f1c….frames`, `catalog/000000000012-6f1c….sqlite`
    init?(_ key: String) {
      guard
        let match = key.wholeMatch(
          of: /(?:journal|catalog)\/(\d{12,})-([0-9a-f\-]{36})\.(frames|sqlite)/),
        let commit = Int(match.1), let lineage = UUID(uuidString: String(match.2))
      else { return nil }
      self.init(commit: commit, lineage: lineage, isCatalog: match.3 == "sqlite")
    }

    var key: String {
      let name = "\(padded(commit, 12))-\(lineage.uuidString.lowercased())"
      return isCatalog ? "\(catalogs)\(name).sqlite" : "\(frames)\(name).frames"
    }
  }

  /// Puts frames that follow one another.
  func put(_ frames: [Frame]) throws {
    guard let last = frames.last else { return }
    let name = Name(commit: last.commit, lineage: last.lineage, isCatalog: false)
    try client.put(name.key, frames.reduce(into: Data()) { try $0.append($1.encoded()) })
    try checkOwnership()
  }

  /// Puts a copy of the catalog.
  func put(_ snapshot: CatalogSnapshot, lineage: UUID) throws {
    let name = Name(commit: snapshot.generation, lineage: lineage, isCatalog: true)
    let file = URL(fileURLWithPath: snapshot.path)
    try client.put(name.key, Data(contentsOf: file, options: .mappedIfSafe))
    try checkOwnership()
  }

  /// - Throws: `LeaflogError` with code `readOnly` when another machine has become the owner.
  func checkOwnership() throws {
    guard let newest = try client.keys(Self.owners).last, newest > owner else { return }
    throw LeaflogError(
      .readOnly,
      "Another machine has taken over the library at \(client.location.url). Nothing that is changed here counts "
        + "any more.")
  }

  /// Says which line of commits our marker stands for.
  func own(_ lineage: UUID) throws {
    try client.put(owner, JSONEncoder().encode(OwnedLineage(lineage: lineage)))
  }

  /// The line of commits of the newest owner that has begun one, or nil.
  func ownedLineage() throws -> UUID? {
    for key in try client.keys(Self.owners).reversed() {
      let bytes = try Data(client.get(key))
      if let owned = try? JSONDecoder().decode(OwnedLineage.self, from: bytes) {
        return owned.lineage
      }
    }
    return nil
  }

  /// The contents of an owner's marker; none before its first commit.
  private struct OwnedLineage: Codable {
    let lineage: UUID
  }

  func names(_ folder: String) throws -> [Name] { try client.keys(folder).compactMap(Name.init) }

  /// Deletes catalogs and frames that are of no use any more: those before the older of the newest two catalogs of a
  /// lineage, and catalogs and frames of others that were replaced before.
  func deleteCovered(_ lineage: UUID, keepsOneCatalog: Bool = false) throws {
    let catalogs = try names(Self.catalogs)
    let own = catalogs.filter { $0.lineage == lineage }
    guard let oldest = own.suffix(keepsOneCatalog ? 1 : 2).first,
      keepsOneCatalog || own.count >= 2
    else { return }
    let superfluous = try (catalogs + names(Self.frames)).filter { name in
      name.commit < oldest.commit
        || !name.isCatalog && name.commit == oldest.commit
          && name.lineage == lineage
    }
    for name in superfluous { try client.delete(name.key) }
  }
}
