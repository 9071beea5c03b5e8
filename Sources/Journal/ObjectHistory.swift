package import BlobStorage
internal import DiaryModel
package import Foundation
internal import Synchronization
internal import SystemPackage

/// The catalogs and frames of a library in its object store, and the markers of the machines that own them.
///
/// Each name has the number of the last commit, the lineage and the head, so that nobody overwrites what another machine
/// has put, and names sort in the order of commits. A machine puts a frame, lists what is there from the frame's first
/// commit on to the owners, and only then acknowledges: of two machines that put successors of the same commit, at least
/// one sees the other. A new owner puts its marker and only then lists frames, so that one of the two sees the other,
/// too. No conditional PUT is needed.
package struct ObjectHistory: Sendable {
  package let client: S3Client
  /// The key of this machine's marker; nil for a reader.
  package let owner: String?

  package static let marker = "leaflog.json"
  package static let owners = "owners/"
  package static let frames = "journal/"
  package static let catalogs = "catalog/"
  package static let forks = "forks/"

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

  /// The name of a catalog, of frames, or of the notice that a catalog is there.
  package struct Name: Sendable, Hashable {
    package enum Kind: String, Sendable {
      case frames, catalog = "sqlite", notice = "catalog"
    }

    /// The number of the last commit in it.
    package let commit: Int
    package let lineage: UUID
    /// The head after that commit.
    package let head: Head
    package let kind: Kind

    package init(_ kind: Kind, commit: Int, lineage: UUID, head: Head) {
      (self.kind, self.commit, self.lineage, self.head) = (kind, commit, lineage, head)
    }

    /// The name of some frames, by the last of them.
    package init(of frame: Frame) {
      self.init(.frames, commit: frame.commit, lineage: frame.lineage, head: frame.head)
    }

    /// `journal/000000000012-6f1c…-a04b….frames`, `catalog/000000000012-6f1c…-a04b….sqlite`,
    /// `journal/000000000012-6f1c…-a04b….catalog`
    package init?(_ key: String) {
      guard
        let match = key.wholeMatch(
          of: /(?:journal|catalog|forks)\/(\d{12,})-([0-9a-f\-]{36})-([0-9a-f]{64})\.([a-z]+)/),
        let commit = Int(match.1), let lineage = UUID(uuidString: String(match.2)),
        let head = Head(hex: match.3), let kind = Kind(rawValue: String(match.4))
      else { return nil }
      self.init(kind, commit: commit, lineage: lineage, head: head)
    }

    private var file: String {
      "\(padded(commit, 12))-\(lineage.uuidString.lowercased())-\(head.hex).\(kind.rawValue)"
    }

    package var key: String { (kind == .catalog ? catalogs : ObjectHistory.frames) + file }

    /// The catalog that a notice stands for.
    package var catalog: Name { Name(.catalog, commit: commit, lineage: lineage, head: head) }
    /// The notice that stands for a catalog.
    package var notice: Name { Name(.notice, commit: commit, lineage: lineage, head: head) }

    /// The key under which frames are kept that are not acknowledged, as somebody else put a successor first.
    package var forkKey: String { forks + file }
  }

  /// Puts consecutive frames into one object.
  package func put(_ frames: [Frame]) throws {
    guard let last = frames.last else { return }
    try client.put(Name(of: last).key, Self.bytes(of: frames))
  }

  private static func bytes(of frames: [Frame]) -> Data {
    frames.reduce(into: Data()) { $0 += $1.bytes }
  }

  /// Puts a copy of the catalog, and a notice of it among the frames, from which its place in their order is known.
  func put(catalogAt path: FilePath, _ commit: Int, _ lineage: UUID, _ head: Head) throws {
    try client.put(
      Name(.catalog, commit: commit, lineage: lineage, head: head).key, contentsOf: path)
    try client.put(Name(.notice, commit: commit, lineage: lineage, head: head).key, Data())
  }

  /// Keeps frames that are not acknowledged out of the way: a copy first, then nothing in the journal.
  ///
  /// - Parameter declaration: the marker by which the machine has just begun the frames' lineage, if it has.
  func withdraw(_ frames: [Frame], _ declaration: String?) throws {
    try quarantine(frames)
    if let declaration { try client.delete(declaration) }
    if let last = frames.last { try client.delete(Name(of: last).key) }
  }

  /// Keeps a copy of frames beside the journal.
  func quarantine(_ frames: [Frame]) throws {
    guard let last = frames.last, case let key = Name(of: last).forkKey,
      try client.byteCount(of: key) == nil
    else { return }
    try client.put(key, Self.bytes(of: frames))
  }

  /// Takes a catalog out of the journal. It stays where it is.
  func withdraw(_ notice: Name, _ declaration: String?) throws {
    try client.put(notice.forkKey, Data())
    if let declaration { try client.delete(declaration) }
    try client.delete(notice.key)
  }

  /// The names of frames that were kept out of the way.
  package func forked() throws -> [Name] { try client.keys(Self.forks).compactMap(Name.init) }

  /// Everything in the journal from a commit on, and the markers of the owners, in one listing.
  struct Listing {
    var names: [Name] = []
    var owners: [String] = []
  }

  func look(from commit: Int) throws -> Listing {
    struct Reached: Error {}
    var listing = Listing()
    let start = "\(Self.frames)\(padded(max(0, commit - 1), 12))."
    do {
      try client.list(prefix: "", after: start) { object in
        if object.key.hasPrefix(Self.owners) {
          listing.owners.append(object.key)
        } else if let name = Name(object.key) {
          listing.names.append(name)
        } else if object.key > Self.owners {
          throw Reached()
        }
      }
    } catch is Reached {}
    try checkOwnership(listing.owners.last)
    return listing
  }

  /// - Throws: `JournalError` with code `readOnly` when another machine has become the owner.
  package func checkOwnership() throws { try checkOwnership(client.keys(Self.owners).last) }

  private func checkOwnership(_ newest: String?) throws {
    guard let newest else { return }
    if let owner, newest.hasPrefix(owner) || newest < owner { return }
    throw JournalError(
      .readOnly,
      "Another machine has taken over the library at \(client.location.url). Nothing that is changed here counts "
        + "any more.")
  }

  /// Declares which line of commits is the owner's from now on, by a marker that sorts after those of former lines. No
  /// object is ever replaced, so that a PUT that is carried out late changes nothing.
  ///
  /// - Returns: the key of the marker; nil for a reader.
  func own(_ lineage: UUID) throws -> String? {
    guard let owner else {
      try checkOwnership()
      return nil
    }
    let count = try client.keys(owner + ".").count
    let key = "\(owner).\(padded(count + 1, 6))-\(lineage.uuidString.lowercased())"
    try client.put(key, Data())
    return key
  }

  /// The line of commits that an owner's marker declares, and the owner.
  static func declaration(_ key: String) -> (owner: Substring, lineage: UUID)? {
    guard let match = key.wholeMatch(of: /([^.]*)\.\d{6,}-([0-9a-f\-]{36})/),
      let lineage = UUID(uuidString: String(match.2))
    else { return nil }
    return (match.1, lineage)
  }

  /// The line of commits of the newest owner that has begun one, or nil.
  package func ownedLineage() throws -> UUID? {
    for key in try client.keys(Self.owners).reversed() {
      if let declared = Self.declaration(key) { return declared.lineage }
    }
    return nil
  }

  /// The names of the frames, and of the notices of catalogs among them, in the order of their commits.
  ///
  /// - Parameter commit: lists only those after it.
  package func names(after commit: Int = 0) throws -> [Name] {
    // A dot sorts after the hyphen in all names with that number.
    try client.keys(
      Self.frames, after: commit > 0 ? "\(Self.frames)\(padded(commit, 12))." : nil
    ).compactMap(Name.init)
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

  /// The names of those frames whose objects are not as they were put. Objects that were deleted since are not among them.
  package func damaged(among names: [Name]) throws -> [Name] {
    let found = Mutex<Set<Name>>([])
    try inParallel(names, width: Self.readWidth) { name throws(BlobStoreError) in
      do throws(BlobStoreError) {
        let data = try get(name)
        if !Self.isWhole(data, name) { _ = found.withLock { $0.insert(name) } }
      } catch { guard error.code == .notFound else { throw error } }
    }
    let damaged = found.withLock { $0 }
    return names.filter(damaged.contains)
  }

  private static func isWhole(_ data: Data, _ name: Name) -> Bool {
    var last: Frame?
    var isSound = true
    Frame.read(data) { finding in
      if case .frame(let frame) = finding { last = frame } else { isSound = false }
    }
    return isSound && last.map(Name.init(of:)) == name
  }

  private static let readWidth = 4

  /// The number of objects that are read before the first of them is used.
  private static let readAhead = 64

  /// Deletes catalogs and frames that are no longer of use: those before the older of the newest two catalogs of a
  /// lineage, including those of former lineages.
  ///
  /// - Parameter keepsOneCatalog: whether everything before the newest catalog is deleted.
  package func deleteCovered(_ lineage: UUID, keepsOneCatalog: Bool = false) throws {
    let catalogs = try client.keys(Self.catalogs).compactMap(Name.init)
    let own = catalogs.filter { $0.lineage == lineage }
    guard let oldest = own.suffix(keepsOneCatalog ? 1 : 2).first,
      keepsOneCatalog || own.count >= 2
    else { return }
    let superfluous = try (catalogs + names()).filter { name in
      name.commit < oldest.commit
        || name.kind == .frames && name.commit == oldest.commit
          && name.lineage == lineage
    }
    for name in superfluous { try client.delete(name.key) }
  }
}

extension SharedBytes {
  fileprivate var data: Data { withUnsafeBytes { Data($0) } }
}
