internal import BlobStorage
internal import DiaryModel
internal import Fields
internal import Foundation
internal import Glibc
internal import Imaging
internal import SystemPackage

/// A folder that photos are exported into, with the hidden list of what exports have written there.
///
/// The list has a line of JSON for each photo: its id, the path of its image, and the digests of the image and its
/// sidecar. A line is added before files are written, so that they are known after a kill. A later line replaces an
/// earlier one of the photo; with the same path, the digests of both belong to exports.
struct ExportFolder {
  /// A photo's files, and the digests with which exports have written them.
  struct Record {
    let photo: EntryID
    /// The image's path below the folder.
    let path: String
    var images: [BlobID]
    var sidecars: [BlobID]

    var sidecarPath: String { path + ".xmp" }
  }

  /// A file of a record, compared with what is to be there.
  enum FileState { case missing, same, outdated, foreign }

  /// The image files of a folder that are on no list, by size, and by digest once one of their size was needed.
  private struct Unlisted {
    var bySize: [Int: [String]]
    var byDigest: [BlobID: [String]] = [:]
  }

  static let listName = ".leaflog-export.jsonl"

  private let root: FilePath
  private let list: GrowingList
  private(set) var records: [EntryID: Record] = [:]
  /// The names in a folder below the root, on the disk and on the list.
  private var names: [String: Set<String>] = [:]
  private var unlisted: [String: Unlisted] = [:]
  /// The number for the next file of a folder, stem and extension.
  private var numbers: [String: Int] = [:]
  /// Whether lines of the list are no longer needed.
  private var hasOldLines = false

  /// Opens a folder, which is made if it is missing, and reads its list.
  init(_ path: String) throws {
    root = FilePath(path)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw LeaflogError(
        .failed, "The folder \(path) cannot be made: \(error.localizedDescription)")
    }
    list = GrowingList(root.appending(Self.listName))
    for (number, line) in try list.lines().enumerated() {
      guard let record = Record(line) else {
        throw LeaflogError(
          .damaged,
          "Line \(number + 1) of \(list.path), the list of exported files, is damaged. "
            + "Remove the list, or export into another folder.")
      }
      if var known = records[record.photo], known.path == record.path {
        known.images += record.images
        known.sidecars += record.sidecars
        records[record.photo] = known
        hasOldLines = true
      } else {
        hasOldLines = hasOldLines || records[record.photo] != nil
        records[record.photo] = record
      }
    }
    for record in records.values {
      let (folder, name) = Self.parts(record.path)
      names[folder, default: []].formUnion([name, name + ".xmp"])
    }
    for folder in names.keys { try look(into: folder) }
  }

  func path(_ relative: String) -> FilePath { root.pushing(FilePath(relative)) }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Reads the names in a folder, once.
  private mutating func look(into folder: String) throws {
    guard unlisted[folder] == nil else { return }
    let listed = names[folder, default: []]
    let place = folder.isEmpty ? root : path(folder)
    var found: [String] = []
    do {
      found = try FileManager.default.contentsOfDirectory(atPath: place.string)
    } catch CocoaError.fileReadNoSuchFile {}
    names[folder] = listed.union(found)
    var bySize: [Int: [String]] = [:]
    for name in found
    where !listed.contains(name) && !name.hasPrefix(".") && !name.hasSuffix(".xmp") {
      guard let status = try? FileStatus(place.appending(name)), status.kind == .file else {
        continue
      }
      bySize[status.byteCount, default: []].append(name)
    }
    unlisted[folder] = Unlisted(bySize: bySize)
  }

  /// The record of a photo that is on the list; or of an image with the same bytes and a name of the same stem that an
  /// earlier export wrote without a list; or of a new file with the first free number.
  mutating func record(
    of photo: EntryID, named name: ExportName, _ fileExtension: String,
    image: (digest: BlobID, byteCount: Int)
  ) throws -> Record {
    if let record = records[photo] { return record }
    let folder = name.folder ?? ""
    try look(into: folder)
    guard let found = adopt(folder, name, fileExtension, image) else {
      return try newRecord(of: photo, named: name, fileExtension)
    }
    let path = folder.isEmpty ? found : folder + "/" + found
    return Record(
      photo: photo, path: path, images: [image.digest],
      sidecars: Self.digestOfOwnSidecar(self.path(path + ".xmp")).map { [$0] } ?? [])
  }

  /// The record of a photo under the first free name.
  mutating func newRecord(
    of photo: EntryID, named name: ExportName, _ fileExtension: String
  ) throws -> Record {
    let folder = name.folder ?? ""
    try look(into: folder)
    let series = "\(folder)/\(name.stem).\(fileExtension)"
    while true {
      let number = numbers[series, default: 1]
      numbers[series] = number + 1
      let file = name.file(number, fileExtension)
      guard names[folder]?.isDisjoint(with: [file, file + ".xmp"]) == true else { continue }
      names[folder]?.formUnion([file, file + ".xmp"])
      return Record(
        photo: photo, path: folder.isEmpty ? file : folder + "/" + file, images: [], sidecars: [])
    }
  }

  private mutating func adopt(
    _ folder: String, _ name: ExportName, _ fileExtension: String,
    _ image: (digest: BlobID, byteCount: Int)
  ) -> String? {
    // Each file is read once, whatever the number of photos of its size.
    for file in unlisted[folder]?.bySize.removeValue(forKey: image.byteCount) ?? [] {
      let place = folder.isEmpty ? path(file) : path(folder + "/" + file)
      guard let digest = try? FileReader(place).hash() else { continue }
      unlisted[folder]?.byDigest[digest, default: []].append(file)
    }
    let candidates = unlisted[folder]?.byDigest[image.digest] ?? []
    let numbered = candidates.compactMap { file in
      name.number(of: file, fileExtension).map { (number: $0, file: file) }
    }
    guard let first = numbered.min(by: { $0.number < $1.number })?.file else { return nil }
    unlisted[folder]?.byDigest[image.digest]?.removeAll { $0 == first }
    return first
  }

  /// The digest of a sidecar that Leaflog has written, which are the ones with its namespace.
  private static func digestOfOwnSidecar(_ path: FilePath) -> BlobID? {
    guard let reader = try? FileReader(path), reader.byteCount < 1 << 20,
      let (bytes, digest) = try? reader.readAndHash(),
      bytes.withUnsafeBytes({ Data($0).range(of: Data(XMPPacket.namespace.utf8)) }) != nil
    else { return nil }
    return digest
  }

  /// Compares the file at a path with the bytes that are to be there and with those that exports have written.
  func state(
    _ relative: String, _ own: [BlobID], wanted: BlobID? = nil
  ) throws -> FileState {
    do throws(Errno) {
      let digest = try FileReader(path(relative)).hash()
      return digest == wanted ? .same : own.contains(digest) ? .outdated : .foreign
    } catch {
      if error == .noSuchFileOrDirectory { return .missing }
      if error == .isDirectory || error == .noSuchAddressOrDevice { return .foreign }
      throw error
    }
  }

  /// Adds a record to the list before its files are written.
  mutating func note(_ record: Record) throws {
    hasOldLines = hasOldLines || records[record.photo] != nil
    records[record.photo] = record
    try list.append(record.line)
  }

  /// Removes the files of a record, which exports have written, and its folder once it is empty.
  func remove(_ record: Record) throws {
    for relative in [record.path, record.sidecarPath] {
      guard unlink(path(relative).string) == 0 || errno == ENOENT else {
        throw OutputFile.failure(path(relative), Errno(rawValue: errno))
      }
    }
    let folder = Self.parts(record.path).folder
    if !folder.isEmpty { rmdir(path(folder).string) }
  }

  mutating func forget(_ photo: EntryID) {
    records[photo] = nil
    hasOldLines = true
  }

  /// Ends the list: without lines that others replace, and synced.
  func end() throws {
    if hasOldLines {
      try list.replace(records.values.sorted { $0.path < $1.path }.map(\.line))
    } else {
      try list.sync()
    }
  }
}

extension ExportFolder.Record {
  /// Nil for lines that no export wrote, and for paths that lead out of the folder.
  fileprivate init?(_ line: [UInt8]) {
    func digests(_ node: JSONNode?) -> [BlobID] {
      guard case .list(let nodes)? = node?.value else { return [] }
      return nodes.compactMap {
        if case .text(let hex) = $0.value { BlobID(hex: hex) } else { nil }
      }
    }
    guard let node = try? JSONNode(parsing: line), case .text(let id)? = node["photo"]?.value,
      let digits = writtenID(id), case .text(let path)? = node["path"]?.value
    else { return nil }
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard components.count <= 2,
      components.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") })
    else { return nil }
    self.init(
      photo: EntryID(stored: digits), path: path, images: digests(node["image"]),
      sidecars: digests(node["sidecar"]))
  }

  fileprivate var line: [UInt8] {
    var json = JSONWriter()
    json.write(
      JSONNode([
        "photo": JSONNode(.text(photo.description)), "path": JSONNode(.text(path)),
        "image": JSONNode(.list(images.map { JSONNode(.text($0.hex)) })),
        "sidecar": JSONNode(.list(sidecars.map { JSONNode(.text($0.hex)) })),
      ]))
    return json.bytes + [0x0A]
  }
}

/// A file of lines that grows at its end.
private final class GrowingList: Sendable {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// The whole lines; a last one without its end was being written when the process was killed, and is cut off.
  func lines() throws -> [[UInt8]] {
    guard access(path.string, F_OK) == 0 else { return [] }
    let bytes = try GivenFile.bytes(of: path.string)
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if end < bytes.count { truncate(path.string, end) }
    return bytes[..<end].split(separator: 0x0A).map(Array.init)
  }

  func append(_ line: [UInt8]) throws {
    let file = try open(O_WRONLY | O_APPEND | O_CREAT)
    defer { close(file) }
    let count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count == line.count else {
      throw OutputFile.failure(path, count < 0 ? Errno(rawValue: errno) : .noSpace)
    }
  }

  func sync() throws {
    guard access(path.string, F_OK) == 0 else { return }
    let file = try open(O_RDONLY)
    defer { close(file) }
    guard fsync(file) == 0 else { throw OutputFile.failure(path, Errno(rawValue: errno)) }
  }

  func replace(_ lines: [[UInt8]]) throws {
    try lines.flatMap { $0 }.withUnsafeBytes { bytes in
      let file = try OutputFile(path)
      try file.write(bytes)
      _ = try file.replace()
    }
  }

  private func open(_ flags: CInt) throws -> CInt {
    let file = Glibc.open(path.string, flags | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw OutputFile.failure(path, Errno(rawValue: errno)) }
    return file
  }
}
