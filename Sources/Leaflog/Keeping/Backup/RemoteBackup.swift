internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// A backup in an object store: the blobs under the same keys as a library's, the files of a backup's folder as
/// `files/<sha256>`, and `backup.json`, which lists these files.
///
/// `backup.json` is written last, so the backup changes as a whole: the files that it lists are there before, and those
/// that it no longer lists are deleted afterwards.
struct RemoteBackup {
  private let client: S3Client
  /// A folder on this machine with the backup's files, but without its blobs.
  let layout: LibraryLayout
  private let disk: LocalBlobStore

  init(_ client: S3Client, in folder: FilePath) {
    self.client = client
    layout = LibraryLayout(folder)
    disk = LocalBlobStore(root: folder)
  }

  /// The backup's blobs.
  var blobs: S3BlobStore { S3BlobStore(client) }
  var url: String { client.location.url }

  /// The key of the list of its files.
  static let manifest = "backup.json"
  private static let files = "files/"

  /// The contents of `backup.json`.
  struct Manifest: Codable {
    var format = 1
    /// The id of the library that it is a backup of.
    var library: String
    var files: [File]
  }

  /// A file of the backup's folder.
  struct File: Codable, Hashable {
    /// The path below the folder.
    var path: String
    /// Its SHA-256, in hexadecimal.
    var digest: String
    /// Its size in bytes.
    var byteCount: Int

    var key: String { RemoteBackup.files + digest }
  }

  /// The list of the backup's files in the store; nil when there is no backup.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` when there is something else.
  func manifest() throws -> Manifest? {
    guard try client.byteCount(of: ObjectHistory.marker) == nil else { throw isNoBackup }
    guard let data = try client.present(Self.manifest) else {
      let keys = try client.keys(near: "")
      guard keys.allSatisfy({ $0.hasPrefix(Self.files) || $0.hasPrefix("blobs/") }) else {
        throw isNoBackup
      }
      return nil
    }
    guard let manifest = SealedJSON.decode(Manifest.self, from: Data(data)) else {
      throw LeaflogError(.damaged, "\(url)/\(Self.manifest) is not a backup's list of files.")
    }
    guard manifest.format <= 1 else {
      throw LeaflogError(
        .tooNew, "A newer version of Leaflog made the backup at \(url). Update Leaflog to use it.")
    }
    return manifest
  }

  private var isNoBackup: LeaflogError {
    .invalid("\(url) has other things in it and is not a backup. Name another place.")
  }

  /// Locks the folder, which is created if necessary.
  ///
  /// - Throws: `LeaflogError` with code `locked` while another process has it.
  func hold() throws -> HeldLock {
    try disk.files.makeFolder(layout.root)
    let file = FilePath(layout.root.string + ".lock")
    guard let lock = try HeldLock(file, creates: true) else {
      throw LeaflogError(.locked, "Another backup to \(url) is under way.")
    }
    return lock
  }

  /// Brings the folder up to date with the store.
  ///
  /// - Parameter library: the id of the library that it has to be a backup of; nil accepts any.
  /// - Returns: the list of files; nil when there is no backup.
  func fetchNewest(of library: String? = nil) throws -> Manifest? {
    // A newer backup deletes files that were in the list before.
    try retryingAfterDeletions {
      let manifest = try manifest()
      if let library, let manifest, manifest.library != library {
        throw LeaflogError.invalid("\(url) is the backup of another library. Name another place.")
      }
      try fetch(manifest)
      return manifest
    }
  }

  /// Brings the folder up to date with a list of files; nil means a backup that is yet to be made.
  private func fetch(_ manifest: Manifest?) throws {
    try disk.files.makeFolder(layout.root)
    try disk.createFolders()
    let files = manifest?.files ?? []
    let present = Set(try presentFiles())
    for file in present.subtracting(files) {
      try disk.remove(layout.root.appending(file.path))
    }
    for file in files where !present.contains(file) {
      guard let path = Self.path(file, in: layout), let id = BlobID(hex: file.digest) else {
        throw LeaflogError(.damaged, "\(url)/\(Self.manifest) names a file that is none.")
      }
      try disk.files.makeFolder(path.removingLastComponent())
      try fetch(file, id, to: path)
    }
  }

  private func fetch(_ file: File, _ id: BlobID, to path: FilePath) throws {
    let copy = disk.temporaryPath("file")
    defer { try? disk.remove(copy) }  // already gone if it was put in place
    for _ in 0..<S3Client.fetchCount where try client.fetch(file.key, to: copy, disk) == id {
      return try disk.replace(path, with: copy)
    }
    throw LeaflogError(.damaged, "\(url)/\(file.key) is damaged.")
  }

  /// Uploads the folder's files that the store lacks, and then the list of files.
  func publish(_ library: String, after former: Manifest?) throws {
    let files = try presentFiles().sorted { $0.path < $1.path }
    let known = Set(former?.files.map(\.digest) ?? [])
    for file in files where !known.contains(file.digest) {
      try client.put(file.key, contentsOf: layout.root.appending(file.path))
    }
    let manifest = Manifest(library: library, files: files)
    try client.put(Self.manifest, SealedJSON.encode(manifest))
    let needed = Set(files.map(\.digest))
    for key in try client.keys(Self.files) where !needed.contains(String(key.dropFirst(6))) {
      try client.delete(key)
    }
  }

  /// Checks that the store supports everything that backups need.
  func probe() throws { try S3Probe(client).run() }

  /// The path of a file in the folder; nil for a name that leads out of it, or that no backup has.
  private static func path(_ file: File, in layout: LibraryLayout) -> FilePath? {
    let relative = FilePath(file.path)
    guard relative.isRelative, relative.isLexicallyNormal,
      let first = relative.components.first?.string,
      single.contains(first) || folders.contains(first)
    else { return nil }
    return layout.root.lexicallyResolving(relative)
  }

  private static let single = ["leaflog.json", "backup.json", "catalog.sqlite"]
  private static let folders = ["snapshots", "journal"]

  private func presentFiles() throws -> [File] {
    var paths = Self.single
    for folder in Self.folders {
      let found = FileManager.default.enumerator(atPath: layout.root.appending(folder).string)
      for case let name as String in found ?? .init() {
        paths.append("\(folder)/\(name)")
      }
    }
    return try paths.compactMap { path in
      let full = layout.root.appending(path)
      guard let status = try? FileStatus(full), status.kind == .file else { return nil }
      let digest = try FileReader(full).hash().hex
      return File(path: path, digest: digest, byteCount: status.byteCount)
    }
  }
}

extension S3Client {
  private struct Enough: Error {}

  /// The first keys with a prefix, a hundred at most, in one request.
  fileprivate func keys(near prefix: String) throws -> [String] {
    var keys: [String] = []
    do {
      try list(prefix: prefix, pageLimit: 100) { object in
        guard keys.count < 100 else { throw Enough() }
        keys.append(object.key)
      }
    } catch is Enough {}
    return keys
  }
}
