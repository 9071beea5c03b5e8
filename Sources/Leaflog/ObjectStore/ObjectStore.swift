package import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import Glibc
internal import Journal
internal import SystemPackage

/// The object store of a library, with the files on this machine that belong to it.
struct ObjectStore: Sendable {
  /// The contents of `store.json`.
  struct Note: Codable {
    var settings: ObjectStoreSettings
    /// The key of the marker by which this machine owns the library; nil for a replica.
    var owner: String?
  }

  let note: Note
  let keys: ObjectStoreKeys
  let client: S3Client
  let cache: BlobCache
  private let layout: LibraryLayout
  private let disk: LocalBlobStore

  init(
    _ note: Note, _ keys: ObjectStoreKeys, _ layout: LibraryLayout, _ disk: LocalBlobStore
  ) throws(BlobStoreError) {
    (self.note, self.keys, self.layout, self.disk) = (note, keys, layout, disk)
    let location = try S3Location(note.settings)
    client = keys.client(location)
    cache = BlobCache(layout.blobCache, files: disk.files)
  }

  /// The object store of a library; nil when its blobs are files.
  init?(
    of layout: LibraryLayout, _ disk: LocalBlobStore, _ keys: ObjectStoreKeys
  ) throws {
    guard FileManager.default.fileExists(atPath: layout.objectStore.string) else { return nil }
    let data = try Data(contentsOf: URL(fileURLWithPath: layout.objectStore.string))
    guard let note = SealedJSON.decode(Note.self, from: data) else {
      throw LeaflogError(
        .damaged, "\(layout.objectStore) does not say where the library's photos are.")
    }
    try self.init(note, keys, layout, disk)
  }

  /// The library's blobs, through a cache on this machine.
  func blobs(_ catalog: Catalog) -> CachedBlobStore {
    CachedBlobStore(objects(catalog), cache)
  }

  /// The library's blobs as objects.
  ///
  /// - Parameter catalogs: the catalogs with retired keys; no key that one of them has retired is used.
  func objects(_ catalogs: Catalog...) -> S3BlobStore {
    S3BlobStore(
      client,
      generations: KeyGenerations(
        of: { id in
          try catalogs.map { try $0.read { try $0.retiredKeys.generation(of: id) } }.max() ?? 0
        },
        all: {
          try catalogs.reduce(into: [:]) { all, catalog in
            all.merge(try catalog.read { try $0.retiredKeys.generations() }, uniquingKeysWith: max)
          }
        }))
  }

  /// The library's journal, whose frames are sent to the store as well.
  ///
  /// - Throws: `LeaflogError` with code `readOnly` for a replica.
  func journal() throws -> ObjectJournal {
    guard note.owner != nil else {
      throw LeaflogError(
        .readOnly,
        "\(layout.root) is a replica of the library at \(client.location.url), and can only be read.",
        remedy: .promoteReplica)
    }
    return ObjectJournal(
      FrameFolder(layout, disk), FrameFiles(layout.journal, disk),
      ObjectHistory(client, owner: note.owner), note.settings.journal, note: layout.pushed)
  }

  /// - Throws: `LeaflogError` with code `readOnly` for a replica, and when another machine has become the owner.
  func checkOwnership() throws {
    _ = try journal()
    try ObjectHistory(client, owner: note.owner).checkOwnership()
  }

  func writeNote() throws { try disk.write(SealedJSON.encode(note), to: layout.objectStore) }
}

extension ObjectStore {
  /// Checks that the store supports what a library needs, and claims a place in it that has no library yet.
  ///
  /// - Throws: `LeaflogError` with code `refused` when the store is not suitable, and `libraryExists` when there is a
  ///   library already.
  static func claim(
    _ settings: ObjectStoreSettings, _ keys: ObjectStoreKeys, _ layout: LibraryLayout,
    _ disk: LocalBlobStore
  ) throws -> ObjectStore {
    let client = try keys.client(S3Location(settings))
    guard try client.byteCount(of: ObjectHistory.marker) == nil else { throw taken(client) }
    try refuseBackup(client)
    try S3Probe(client).run()
    // Somebody may have begun to create a library there.
    let owner = try ObjectHistory.nextOwner(client)
    return try ObjectStore(Note(settings: settings, owner: owner), keys, layout, disk)
  }

  /// The error for a place in a store that already has a library.
  static func taken(_ client: S3Client) -> LeaflogError {
    LeaflogError(
      .libraryExists, "There is a library at \(client.location.url) already.",
      remedy: .attachLibrary)
  }

  /// - Throws: `LeaflogError` with code `invalidRequest` when a place in a store has a backup: a library there would
  ///   delete objects that the backup needs.
  static func refuseBackup(_ client: S3Client) throws {
    guard try client.byteCount(of: RemoteBackup.manifest) == nil else {
      throw LeaflogError.invalid("There is a backup at \(client.location.url). Name another place.")
    }
  }

  /// Writes the marker of the library's owner.
  func putOwner() throws {
    if let owner = note.owner { try client.put(owner, Data()) }
  }

  /// Writes the marker of a library, without which there is none.
  func putMarker(_ marker: LibraryMarker) throws {
    try client.put(ObjectHistory.marker, SealedJSON.encode(marker))
  }
}

extension S3Client {
  /// Downloads an object into a file, replacing an existing one.
  ///
  /// - Returns: the SHA-256 of the bytes received.
  func fetch(_ key: String, to path: FilePath, _ disk: LocalBlobStore) throws -> BlobID {
    try disk.remove(path)
    let file = try GrowingFile(creating: path, disk.files)
    try fetch(key, to: file)
    return try file.finish()
  }

  /// The number of downloads after which a file counts as damaged in the store, and not by the network.
  static let fetchCount = 3
}

/// Finds the access key of an object store. The key is never written into a library.
///
/// The sources are, in this order: the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; the file that
/// `AWS_SHARED_CREDENTIALS_FILE` names; `leaflog/credentials` in the configuration folder of the XDG specification.
/// The file has the format of AWS's: a section `[default]`, or the one that `AWS_PROFILE` names, with
/// `aws_access_key_id` and `aws_secret_access_key`.
public struct ObjectStoreKeys: Sendable {
  private let environment: [String: String]
  /// The retry policy of clients that get their key here.
  package var policy = RetryPolicy()

  /// - Parameter environment: the variables of the process.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  private var file: String {
    if let path = value("AWS_SHARED_CREDENTIALS_FILE") { return path }
    let configuration = value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (configuration ?? (value("HOME") ?? NSHomeDirectory()) + "/.config")
      + "/leaflog/credentials"
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  package func client(_ location: S3Location) -> S3Client {
    S3Client(location, find(for: location.url), policy: policy)
  }

  private func find(for url: String) -> Result<S3Credentials, BlobStoreError> {
    if let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return .success(S3Credentials(key: key, secret: secret))
    }
    let file = file
    guard let data = FileManager.default.contents(atPath: file) else {
      return missing(
        "There is no access key for \(url). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them "
          + "into \(file).", file)
    }
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & 0o077 == 0 else {
      return missing(
        "Others can read the secret in \(file). Let nobody but its owner read it.", file)
    }
    let section = value("AWS_PROFILE") ?? "default"
    let values = Self.values(in: String(decoding: data, as: UTF8.self), section: section)
    guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
      return missing(
        "\(file) has no aws_access_key_id and aws_secret_access_key in a section [\(section)].",
        file)
    }
    return .success(S3Credentials(key: key, secret: secret))
  }

  private func missing(_ message: String, _ path: String) -> Result<S3Credentials, BlobStoreError> {
    .failure(BlobStoreError(code: .refused, message: message, path: path))
  }

  private static func values(in text: String, section: String) -> [String: String] {
    var values: [String: String] = [:]
    var current = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("["), line.hasSuffix("]") {
        current = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
      } else if current == section, !line.hasPrefix("#"), !line.hasPrefix(";") {
        let parts = line.split(separator: "=", maxSplits: 1)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2 { values[parts[0].lowercased()] = parts[1] }
      }
    }
    return values
  }
}

/// Runs work on listed objects, and starts over when one of them was deleted after it was listed.
func retryingAfterDeletions<Value>(_ body: () throws -> Value) throws -> Value {
  for _ in 1..<maxTryCount {
    do { return try body() } catch let error as BlobStoreError where error.code == .notFound {}
  }
  return try body()
}

private let maxTryCount = 5
