import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport

/// The parts of a library that have to be the same, whatever went wrong on the way to it.
struct LibraryState: Equatable {
  var photos: [String: [String]] = [:]
  /// Entries of the other kinds, without what differs from run to run.
  var others: [String] = []
  var plants: [String] = []
  var knownBlobs: Set<String> = []
  var condemned: Set<String> = []
  var trashed: Set<String> = []
  /// Files in `blobs/` and `trash/`.
  var files: Set<String> = []

  init(_ library: Library) throws {
    let far = Timestamp(milliseconds: .max / 2)
    for entry in try library.timeline.page(limit: 1000).elements {
      guard entry.kind == .photo else {
        others.append("\(entry.time.localDay) \(entry.kind)")
        continue
      }
      let renditions = try library.photos.find(entry.id).renditions
      photos[entry.id.description] =
        [entry.plant?.name ?? ""] + renditions.map { "\($0.role) \($0.blob)" }.sorted()
    }
    others.sort()
    plants = try library.plants.all().map(\.name)
    let catalog = try Catalog(path: library.path + "/catalog.sqlite", access: .readOnly)
    knownBlobs = Set(
      try catalog.read { tables in
        try (UInt8.min...UInt8.max).flatMap { try tables.knownBlobs(beginningWith: $0) }
      }.map(\.hex))
    condemned = Set(try catalog.read { try $0.blobs.due(before: far) }.map(\.id.hex))
    trashed = Set(try catalog.read { try $0.trashedBlobs.all(before: far) }.map(\.id.hex))
    try catalog.close()
    for folder in ["blobs", "trash"] {
      let names =
        FileManager.default.enumerator(atPath: library.path + "/" + folder)?
        .compactMap { $0 as? String } ?? []
      files.formUnion(names.filter { $0.hasSuffix(where: 64) }.map { folder + "/" + $0 })
    }
  }

  /// The part that people see.
  var contents: [[String]] {
    photos.sorted { $0.key < $1.key }.map { [$0.key] + $0.value } + [others, plants]
  }

  /// The differences, in a line.
  func difference(from other: LibraryState) -> String {
    var found: [String] = []
    if photos != other.photos { found.append("photos \(photos) instead of \(other.photos)") }
    if others != other.others { found.append("entries \(others) instead of \(other.others)") }
    if plants != other.plants { found.append("plants \(plants)") }
    for (name, mine, theirs) in [
      ("known", knownBlobs, other.knownBlobs), ("condemned", condemned, other.condemned),
      ("trashed", trashed, other.trashed), ("files", files, other.files),
    ] where mine != theirs {
      found.append(
        "\(name): more \(mine.subtracting(theirs)), fewer \(theirs.subtracting(mine))")
    }
    return found.joined(separator: "; ")
  }
}

extension String {
  /// Whether the last part of a path has as many characters as a blob's name.
  fileprivate func hasSuffix(where count: Int) -> Bool {
    (split(separator: "/").last?.count ?? 0) == count
  }
}
