internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// The newest catalog in an object store, and the frames after it.
struct ObjectLine {
  /// The lineage of the newest owner; nil before the first commit.
  let lineage: UUID?
  let catalog: ObjectHistory.Name?
  let frames: [ObjectHistory.Name]
  /// The number of the newest commit, and its head.
  let lastCommit: Int
  let head: Head

  /// - Parameter chosen: the head of the line to follow, if two copies of the library have gone different ways.
  /// - Throws: `LeaflogError` with code `forked` if they have and none is chosen, and `suspicious` when a lineage was
  ///   begun, but nothing leads to its commits.
  init(_ history: ObjectHistory, to chosen: Head? = nil) throws {
    lineage = try history.ownedLineage()
    guard let lineage else {
      (catalog, frames, lastCommit, head) = (nil, [], 0, .none)
      return
    }
    let all = try history.names().filter { $0.lineage == lineage }
    let line = try Self.line(all, to: chosen, history)
    (catalog, frames) = (line.catalog, line.frames)
    guard let last = line.frames.last ?? line.catalog else {
      throw LeaflogError(
        .suspicious,
        "The store at \(history.client.location.url) has an owner, but no part of the library's journal, and no catalog.",
        remedy: .repairStore)
    }
    (lastCommit, head) = (last.commit, last.head)
  }

  /// The newest catalog of a line of commits, and the frames after it.
  private static func line(
    _ all: [ObjectHistory.Name], to chosen: Head?, _ history: ObjectHistory
  ) throws -> (catalog: ObjectHistory.Name?, frames: [ObjectHistory.Name]) {
    let notices = all.filter { $0.kind == .notice }
    let newest = notices.last?.commit ?? 0
    let forked = Dictionary(
      grouping: all.filter { $0.commit >= newest && $0.commit > 0 }, by: \.commit
    ).filter { Set($0.value.map(\.head)).count > 1 }
    guard !forked.isEmpty || chosen != nil else {
      return (notices.last?.catalog, all.filter { $0.kind == .frames && $0.commit > newest })
    }
    guard let chosen else {
      let ends = Set(
        forked.values.joined().map { "\($0.head.hex) (commit \($0.commit))" })
      throw LeaflogError(
        .forked,
        "Two copies of the library have gone different ways in the store at \(history.client.location.url): "
          + ends.sorted().joined(separator: ", ") + ".", remedy: .chooseHead)
    }
    return try path(to: chosen, all, history)
  }

  /// The way back from a head to the newest catalog that leads to it.
  private static func path(
    to chosen: Head, _ all: [ObjectHistory.Name], _ history: ObjectHistory
  ) throws -> (catalog: ObjectHistory.Name?, frames: [ObjectHistory.Name]) {
    let objects = all.filter { $0.kind == .frames }
    var names = objects.makeIterator()
    var before: [Head: (parent: Head, name: ObjectHistory.Name)] = [:]
    try history.read(objects) { frames in
      guard let name = names.next(), let first = frames.first, let last = frames.last else {
        return
      }
      before[last.head] = (first.parent, name)
    }
    let catalogs = all.filter { $0.kind == .notice }
      .reduce(into: [:]) { $0[$1.head] = $1.catalog }
    var (head, frames) = (chosen, [ObjectHistory.Name]())
    while catalogs[head] == nil, let step = before[head], frames.count < objects.count {
      frames.append(step.name)
      head = step.parent
    }
    guard catalogs[head] != nil || head == .none else {
      throw LeaflogError(.notFound, "Nothing in the store leads to the head \(chosen.hex).")
    }
    return (catalogs[head], frames.reversed())
  }
}

extension ObjectHistory {
  /// Downloads a catalog into a file. One that was damaged by the network is requested again.
  ///
  /// - Returns: whether it is sound; false when it is damaged in the store.
  func fetch(_ catalog: Name, to path: FilePath, _ disk: LocalBlobStore) throws -> Bool {
    for _ in 0..<S3Client.fetchCount {
      try CatalogFile(path, disk).removeAll()
      _ = try client.fetch(catalog.key, to: path, disk)
      if try Self.isProved(path) { return true }
    }
    return false
  }

  /// - Throws: `CatalogError` with code `tooNew` for the catalog of a newer program, which is not damaged.
  private static func isProved(_ path: FilePath) throws -> Bool {
    do {
      let catalog = try Catalog(path: path.string, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      return try catalog.read { try $0.isProved && $0.place.lineage != nil }
    } catch let error as CatalogError where error.code != .tooNew {
      return false
    }
  }
}

extension LibraryMarker {
  /// The marker of the library in an object store.
  ///
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none.
  init(in client: S3Client) throws {
    guard let marker = try LibraryMarker(inStore: client) else {
      throw LeaflogError(.noLibrary, "There is no Leaflog library at \(client.location.url).")
    }
    self = marker
  }

  /// The marker in an object store; nil when there is no library.
  init?(inStore client: S3Client) throws {
    guard let data = try client.present(ObjectHistory.marker) else { return nil }
    try self.init(Data(data), of: "\(client.location.url)/\(ObjectHistory.marker)")
  }
}
