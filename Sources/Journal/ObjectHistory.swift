package import BlobStorage
internal import DiaryModel
package import Foundation
internal import Synchronization
package import SystemPackage

/// The catalogs and frames of a library in its object store, and the markers of the machines that own them.
///
/// Each name has the number of the last commit and the lineage, so that two machines never write the same name, and
/// names sort in the order of commits. An owner puts a frame, looks for the marker of a newer owner, and only then
/// acknowledges; a new owner puts its marker and only then lists frames. One of the two therefore sees the other,
/// without a conditional PUT.
package struct ObjectHistory: Sendable {
  package let client: S3Client
  /// The key of this machine's marker; nil for a reader.
  package let owner: String?

  package static let marker = "leaflog.json"
  package static let owners = "owners/"
  package static let frames = "journal/"
  package static let catalogs = "catalog/"

  package init(_ client: S3Client, owner: String? = nil) {
    (self.client, self.owner) = (client, owner)
  }

  /// The key of a new owner's marker. Of two with the same number, the one that sorts last is the owner's.
  package static func ownerKey(_ number: Int) -> String {
    "\(owners)\(padded(number, 12))-\(UUID().uuidString.lowercased())"
  }

  /// The key for a marker that sorts after all existing ones.
  package static func nextOwner(_ client: S3Client) throws -> String {
    guard let newest = try client.keys(owners).last else { return ownerKey(1) }
    // With more than twelve digits, keys do not sort in the order of numbers.
    guard let number = Int(newest.dropFirst(owners.utf8.count).prefix { $0.isNumber }),
      number < 999_999_999_999
    else {
      throw JournalError(.damaged, "\(client.location.url)/\(newest) is no owner's marker.")
    }
    return ownerKey(number + 1)
  }

  /// Puts this machine's marker, before anything is listed: whoever writes after that finds it.
  package func takeOver() throws {
    guard let owner else { return try checkOwnership() }
    try client.put(owner, Data())
    guard try client.keys(Self.owners).last == owner else {
      throw JournalError(
        .locked, "Another machine is taking over the library at \(client.location.url).")
    }
  }

  /// The number, lineage and kind of a catalog or of frames.
  package struct Name: Hashable {
    /// The number of the last commit in it.
    package let commit: Int
    package let lineage: UUID
    package let isCatalog: Bool

    package init(commit: Int, lineage: UUID, isCatalog: Bool) {
      (self.commit, self.lineage, self.isCatalog) = (commit, lineage, isCatalog)
    }

    /// `journal/000000000012-6f1c….frames`, `catalog/000000000012-6f1c….sqlite`
    package init?(_ key: String) {
      guard
        let match = key.wholeMatch(
          of: /(?:journal|catalog)\/(\d{12,})-([0-9a-f\-]{36})\.(frames|sqlite)/),
        let commit = Int(match.1), let lineage = UUID(uuidString: String(match.2))
      else { return nil }
      self.init(commit: commit, lineage: lineage, isCatalog: match.3 == "sqlite")
    }

    package var key: String {
      let name = "\(padded(commit, 12))-\(lineage.uuidString.lowercased())"
      return isCatalog ? "\(catalogs)\(name).sqlite" : "\(frames)\(name).frames"
    }
  }

  /// Puts consecutive frames into one object.
  package func put(_ frames: [Frame]) throws {
    guard let last = frames.last else { return }
    let name = Name(commit: last.commit, lineage: last.lineage, isCatalog: false)
    try client.put(name.key, frames.reduce(into: Data()) { $0.append($1.encoded()) })
    try checkOwnership()
  }

  /// Puts a copy of the catalog.
  package func put(catalogAt path: FilePath, _ commit: Int, _ lineage: UUID) throws {
    let name = Name(commit: commit, lineage: lineage, isCatalog: true)
    try client.put(name.key, contentsOf: path)
    try checkOwnership()
  }

  /// - Throws: `LeaflogError` with code `readOnly` when another machine has become the owner.
  package func checkOwnership() throws {
    guard let newest = try client.keys(Self.owners).last else { return }
    if let owner, newest.hasPrefix(owner) || newest < owner { return }
    throw JournalError(
      .readOnly,
      "Another machine has taken over the library at \(client.location.url). Nothing that is changed here counts "
        + "any more.")
  }

  /// Declares which line of commits is the owner's from now on, by a marker that sorts after those of former lines. No
  /// object is ever replaced, so that a PUT that is carried out late changes nothing.
  package func own(_ lineage: UUID) throws {
    guard let owner else { return try checkOwnership() }
    let count = try client.keys(owner + ".").count
    try client.put(
      "\(owner).\(padded(count + 1, 6))-\(lineage.uuidString.lowercased())", Data())
  }

  /// The line of commits of the newest owner that has begun one, or nil.
  package func ownedLineage() throws -> UUID? {
    for key in try client.keys(Self.owners).reversed() {
      if let match = key.wholeMatch(of: /[^.]*\.\d{6,}-([0-9a-f\-]{36})/) {
        return UUID(uuidString: String(match.1))
      }
    }
    return nil
  }

  /// The names of the catalogs or frames in a folder, in order.
  ///
  /// - Parameter commit: lists only those after it.
  package func names(_ folder: String, after commit: Int = 0) throws -> [Name] {
    // A dot sorts after the hyphen in all names with that number.
    try client.keys(folder, after: commit > 0 ? "\(folder)\(padded(commit, 12))." : nil)
      .compactMap(Name.init)
  }

  /// Reads the frames of some objects, in the order of their names.
  ///
  /// - Parameter body: receives the frames of one object after another.
  package func read(_ names: [Name], _ body: ([Frame]) throws -> Void) throws {
    try readBytes(names) { bytes in
      var frames: [Frame] = []
      Frame.read(bytes) { if case .frame(let frame) = $0 { frames.append(frame) } }
      try body(frames)
    }
  }

  /// Reads the same objects as they are stored.
  package func readBytes(_ names: [Name], _ body: (Data) throws -> Void) throws {
    for first in stride(from: 0, to: names.count, by: Self.readAhead) {
      let batch = Array(names[first..<min(first + Self.readAhead, names.count)])
      let found = Mutex<[Name: Data]>([:])
      try inParallel(batch, width: Self.readWidth) { name throws(BlobStoreError) in
        let data = try get(name)
        found.withLock { $0[name] = data }
      }
      let all = found.withLock { $0 }
      for name in batch { try all[name].map(body) }
    }
  }

  /// Reads an object. Bytes damaged by the network are requested again; those damaged in the store are returned as
  /// they are.
  private func get(_ name: Name) throws(BlobStoreError) -> Data {
    do throws(BlobStoreError) {
      return try client.get(name.key) { Self.isWhole($0.data, name) }.data
    } catch {
      guard error.code == .damaged else { throw error }
      return try client.get(name.key).data
    }
  }

  private static func isWhole(_ data: Data, _ name: Name) -> Bool {
    var last: Frame?
    var isSound = true
    Frame.read(data) { finding in
      if case .frame(let frame) = finding { last = frame } else { isSound = false }
    }
    return isSound && last?.commit == name.commit && last?.lineage == name.lineage
  }

  private static let readWidth = 4

  /// The number of objects that are read before the first of them is used.
  private static let readAhead = 64

  /// Deletes catalogs and frames that are no longer of use: those before the older of the newest two catalogs of a
  /// lineage, including those of former lineages.
  ///
  /// - Parameter keepsOneCatalog: whether everything before the newest catalog is deleted.
  package func deleteCovered(_ lineage: UUID, keepsOneCatalog: Bool = false) throws {
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

extension ByteBuffer {
  fileprivate var data: Data { withUnsafeBytes { Data($0) } }
}
