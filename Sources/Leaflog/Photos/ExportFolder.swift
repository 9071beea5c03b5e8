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
/// sidecar. A line is added before files are written, with the digests from before and from after, so that the files are
/// known after a kill or a failure. A later line replaces an earlier one of the photo.
struct ExportFolder {
  /// A photo's files, and the digests with which exports have written them.
  struct Files {
    /// The image's path below the folder.
    let path: String
    var images: [BlobID]
    var sidecars: [BlobID]

    var sidecarPath: String { path + ".xmp" }
  }

  /// A photo of the list.
  struct Record {
    let photo: EntryID
    var files: Files
    /// Files under another name that these replace, until they are removed.
    var former: Files?
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
  /// Held as long as the folder is open, so that no two exports write into it at a time.
  private let lock: FolderLock
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
    lock = try FolderLock(root)
    list = GrowingList(root.appending(Self.listName))
    for (number, line) in try list.lines().enumerated() {
      guard let record = Record(line) else {
        throw LeaflogError(
          .damaged,
          "Line \(number + 1) of \(list.path), the list of exported files, is damaged. "
            + "Remove the list, or export into another folder.")
      }
      hasOldLines = hasOldLines || records[record.photo] != nil
      records[record.photo] = record
    }
    for files in records.values.flatMap(\.allFiles) {
      let (folder, name) = Self.parts(files.path)
      names[folder, default: []].formUnion([name, name + ".xmp"])
    }
  }

  func path(_ relative: String) -> FilePath { root.pushing(FilePath(relative)) }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Reads the names in a folder, once. Nothing can be written into one that cannot be read, which the writing says.
  private mutating func look(into folder: String) {
    guard unlisted[folder] == nil else { return }
    let listed = names[folder, default: []]
    let place = folder.isEmpty ? root : path(folder)
    let found = (try? FileManager.default.contentsOfDirectory(atPath: place.string)) ?? []
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
  ) -> Record {
    if let record = records[photo] { return record }
    let folder = name.folder ?? ""
    look(into: folder)
    guard let found = adopt(folder, name, fileExtension, image) else {
      return Record(photo: photo, files: newFiles(named: name, fileExtension))
    }
    let path = folder.isEmpty ? found : folder + "/" + found
    return Record(
      photo: photo,
      files: Files(
        path: path, images: [image.digest],
        sidecars: Self.digestOfOwnSidecar(self.path(path + ".xmp")).map { [$0] } ?? []))
  }

  /// Files under the first free name.
  mutating func newFiles(named name: ExportName, _ fileExtension: String) -> Files {
    let folder = name.folder ?? ""
    look(into: folder)
    let series = "\(folder)/\(name.stem).\(fileExtension)"
    while true {
      let number = numbers[series, default: 1]
      numbers[series] = number + 1
      let file = name.file(number, fileExtension)
      guard names[folder]?.isDisjoint(with: [file, file + ".xmp"]) == true else { continue }
      names[folder]?.formUnion([file, file + ".xmp"])
      return Files(path: folder.isEmpty ? file : folder + "/" + file, images: [], sidecars: [])
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

  /// Whether somebody else has put or changed one of some files.
  func isForeign(_ files: Files) throws -> Bool {
    try state(files.path, files.images) == .foreign
      || state(files.sidecarPath, files.sidecars) == .foreign
  }

  /// Adds a record to the list before its files are written.
  mutating func note(_ record: Record) throws {
    try list.append(record.line)
    hasOldLines = hasOldLines || records[record.photo] != nil
    records[record.photo] = record
  }

  /// Keeps what a record's files are now that they are written.
  mutating func settle(_ record: Record) {
    hasOldLines = true
    records[record.photo] = record
  }

  /// Removes files, which exports have written, and their folder once it is empty.
  func remove(_ files: Files) throws {
    for relative in [files.path, files.sidecarPath] {
      guard unlink(path(relative).string) == 0 || errno == ENOENT else {
        throw OutputFile.failure(path(relative), Errno(rawValue: errno))
      }
    }
    let folder = Self.parts(files.path).folder
    if !folder.isEmpty { rmdir(path(folder).string) }
  }

  mutating func forget(_ photo: EntryID) {
    records[photo] = nil
    hasOldLines = true
  }

  /// Ends the list: without lines that others replace, and synced.
  func end() throws {
    if hasOldLines {
      try list.replace(records.values.sorted { $0.files.path < $1.files.path }.map(\.line))
    } else {
      try list.sync()
    }
  }
}

extension ExportFolder.Record {
  var allFiles: [ExportFolder.Files] { [files] + (former.map { [$0] } ?? []) }

  /// Nil for lines that no export wrote.
  fileprivate init?(_ line: [UInt8]) {
    guard let node = try? JSONNode(parsing: line), case .text(let id)? = node["photo"]?.value,
      let digits = writtenID(id), let files = ExportFolder.Files(node)
    else { return nil }
    self.init(photo: EntryID(stored: digits), files: files)
    if let former = node["former"] {
      guard let former = ExportFolder.Files(former) else { return nil }
      self.former = former
    }
  }

  fileprivate var line: [UInt8] {
    var members = [JSONNode.Member("photo", JSONNode(.text(photo.description)))] + files.members
    if let former { members.append(.init("former", JSONNode(.object(former.members)))) }
    var json = JSONWriter()
    json.write(JSONNode(.object(members)))
    return json.bytes + [0x0A]
  }
}

extension ExportFolder.Files {
  /// Nil for paths that lead out of the folder.
  fileprivate init?(_ node: JSONNode) {
    func digests(_ node: JSONNode?) -> [BlobID] {
      guard case .list(let nodes)? = node?.value else { return [] }
      return nodes.compactMap {
        if case .text(let hex) = $0.value { BlobID(hex: hex) } else { nil }
      }
    }
    guard case .text(let path)? = node["path"]?.value else { return nil }
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard components.count <= 2,
      components.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") })
    else { return nil }
    self.init(path: path, images: digests(node["image"]), sidecars: digests(node["sidecar"]))
  }

  fileprivate var members: [JSONNode.Member] {
    func list(_ digests: [BlobID]) -> JSONNode {
      JSONNode(.list(digests.map { JSONNode(.text($0.hex)) }))
    }
    return [
      .init("path", JSONNode(.text(path))), .init("image", list(images)),
      .init("sidecar", list(sidecars)),
    ]
  }
}

/// A lock of a folder: flock(2), which the kernel releases when its holder dies. File systems without it are not locked.
private final class FolderLock: Sendable {
  private let descriptor: CInt

  init(_ path: FilePath) throws {
    descriptor = open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(descriptor)
      throw LeaflogError(
        .locked, "Another export is writing into \(path). Wait until it is done, and try again.")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
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
    guard end == bytes.count || truncate(path.string, end) == 0 else {
      throw OutputFile.failure(path, Errno(rawValue: errno))
    }
    return bytes[..<end].split(separator: 0x0A).map(Array.init)
  }

  func append(_ line: [UInt8]) throws {
    let file = try open(O_WRONLY | O_APPEND | O_CREAT)
    defer { close(file) }
    let end = lseek(file, 0, SEEK_END)
    var count: Int
    repeat {
      count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    } while count < 0 && errno == EINTR
    guard count == line.count else {
      let failure = count < 0 ? Errno(rawValue: errno) : .noSpace
      // A part of a line would spoil the next one.
      ftruncate(file, end)
      throw OutputFile.failure(path, failure)
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
