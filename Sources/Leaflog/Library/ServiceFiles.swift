internal import BlobStorage
package import Foundation
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The file with the address of a library's running service, for the owner's other commands.
package struct ServiceAddressFile: Sendable {
  private struct Contents: Codable {
    var format = 1
    var address: String
  }

  private let path: FilePath
  private let store: LocalBlobStore

  package init(of library: Library) {
    (path, store) = (library.layout.serviceAddress, library.disk)
  }

  /// The address; nil when no service runs, or it could not write the file.
  package func read() -> String? {
    FileManager.default.contents(atPath: path.string)
      .flatMap { try? JSONDecoder().decode(Contents.self, from: $0) }?.address
  }

  package func write(_ address: String) throws(LeaflogError) {
    try translating {
      try store.createFolders()
      try store.write(JSONEncoder().encode(Contents(address: address)), to: path)
    }
  }

  /// Removes the file, unless another service has written its own address by now.
  ///
  /// - Parameter former: the address that the file had before, of a service that may still run.
  package func remove(_ address: String, former: String?) throws(LeaflogError) {
    guard read() == address else { return }
    if let former { return try write(former) }
    try translating { try store.remove(path) }
  }
}

/// The settings of a library that belong to the machine that serves it.
struct ServiceSettings {
  var folders = FolderList(stored: "")
}

/// The file `service.json` of a library. It is not in the catalog, so that nobody who may change the diary can gain
/// access to folders of the machine, by undoing a change or by restoring a backup.
struct ServiceFile {
  private struct Contents: Codable {
    var format = 1
    var folders: [String]
  }

  private let library: Library

  init(_ library: Library) { self.library = library }

  private var path: FilePath { library.layout.service }

  func read() throws(LeaflogError) -> ServiceSettings {
    guard let data = FileManager.default.contents(atPath: path.string) else {
      return ServiceSettings()
    }
    guard let contents = SealedJSON.decode(Contents.self, from: data) else {
      throw LeaflogError(
        .damaged,
        "\(path) is damaged, so no folder is allowed. Remove it, and allow the folders again.")
    }
    return ServiceSettings(
      folders: FolderList(stored: contents.folders.joined(separator: ":")))
  }

  func write(_ settings: ServiceSettings) throws(LeaflogError) {
    try library.checkWritable()
    try translating {
      let contents = Contents(folders: settings.folders.paths)
      try library.disk.write(SealedJSON.encode(contents), to: path)
    }
  }
}

/// Folders of a machine, by their absolute paths.
package struct FolderList: Sendable, Hashable {
  package let paths: [String]

  /// - Parameter text: paths separated by colons; empty for none.
  /// - Throws: `InvalidValue` for a path that is not absolute.
  init(_ text: String, field: String) throws(InvalidValue) {
    var paths: [String] = []
    for part in text.split(separator: ":") {
      guard let path = part.description.tidied else { continue }
      guard path.hasPrefix("/"), !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
        throw InvalidValue(
          field, takes: "absolute paths with colons between, such as /media/photos:/backup",
          given: text)
      }
      let plain = FilePath(path).lexicallyNormalized().string
      if !paths.contains(plain) { paths.append(plain) }
    }
    self.paths = paths
  }

  /// A list as it was stored.
  init(stored text: String) { paths = text.split(separator: ":").map(String.init) }

  package var text: String { paths.joined(separator: ":") }
}

/// The PEM files of a library with the service's own authority and the certificate that it signs, each with its
/// private key, so that the two are replaced together. The authority before the present one is kept.
package struct OwnCertificateFiles: Sendable {
  package enum File: Sendable, CaseIterable { case authority, formerAuthority, server }

  private let layout: LibraryLayout
  private let store: LocalBlobStore
  /// Whether they can be written: not on a read-only disk.
  package let isWritable: Bool

  package init(of library: Library) {
    (layout, store) = (library.layout, library.disk)
    isWritable = !library.isOnReadOnlyDisk
  }

  private func filePath(of file: File) -> FilePath {
    switch file {
    case .authority: layout.tlsAuthority
    case .formerAuthority: layout.tlsFormerAuthority
    case .server: layout.tlsServer
    }
  }

  package func path(of file: File) -> String { filePath(of: file).string }

  /// The contents of a file; nil when it does not exist.
  ///
  /// - Throws: `LeaflogError` with code `failed` when it exists but cannot be read, and `refused` when others can read it.
  package func text(of file: File) throws(LeaflogError) -> String? {
    let path = filePath(of: file)
    guard !layout.isOpenToOthers(path) else {
      throw LeaflogError(
        .refused,
        "Others on this machine can read the key in \(path), so it is not used.", remedy: .hideKey)
    }
    do {
      return String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: path.string)), as: UTF8.self)
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw LeaflogError(.failed, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Changes the files under the library's lock, so that two processes do not make two authorities.
  package func update<Value>(_ body: () throws -> Value) throws(LeaflogError) -> Value {
    guard isWritable else { return try translating(body) }
    return try translating { try FileLock(layout.lock, patience: .seconds(30)).withLock(body) }
  }

  /// Replaces a file durably. Only its owner can read it.
  ///
  /// - Throws: `LeaflogError` with code `refused` on a file system where others could read the key.
  package func write(_ text: String, to file: File) throws(LeaflogError) {
    try translating {
      try store.createFolders()
      guard try store.keepsFilesPrivate() else {
        throw LeaflogError(
          .refused,
          "No key is kept in \(layout.root): on its file system, others can read all files.",
          remedy: .hideKey)
      }
      try store.write(Data(text.utf8), to: filePath(of: file))
    }
  }
}

/// The files of a library's jobs: the list of jobs, and their result files. Only one service of a library has them
/// at a time.
package final class JobFiles: Sendable {
  private let layout: LibraryLayout
  private let disk: LocalBlobStore
  private let lock: Mutex<HeldLock?>
  private let hasWritten = Mutex(false)

  /// Acquires the files, until `release`.
  ///
  /// - Throws: `LeaflogError` with code `locked` when another service has them.
  package init(of library: Library) throws(LeaflogError) {
    (layout, disk) = (library.layout, library.disk)
    // On a read-only disk no job can run, and no lock be made.
    guard !library.isOnReadOnlyDisk else {
      lock = Mutex(nil)
      return
    }
    // A file of its own, because the list of jobs is replaced.
    let held = try translating { try HeldLock(library.layout.serviceLock, creates: true) }
    guard let held else {
      throw LeaflogError(.locked, "Another server of this library has its jobs.")
    }
    lock = Mutex(held)
  }

  package func release() { lock.withLock { $0 = nil } }

  /// The list as it was last written; nil when there is none.
  package func list() -> Data? { FileManager.default.contents(atPath: layout.jobs.string) }

  /// Writes the list durably.
  package func write(list: Data) throws(LeaflogError) {
    try translating {
      try disk.createFolders()
      try disk.write(list, to: layout.jobs)
    }
    hasWritten.withLock { $0 = true }
  }

  /// Whether the list was removed since it was written, because it may have contained data that was forgotten for good.
  package var isForgotten: Bool {
    hasWritten.withLock { $0 } && !FileManager.default.fileExists(atPath: layout.jobs.string)
  }

  /// The path of a result file.
  package func path(of name: String) -> String { layout.jobResults.appending(name).string }

  /// The path for a new result file; creates its folder if necessary.
  package func newPath(of name: String) throws(LeaflogError) -> String {
    try translating {
      try disk.makeFolder(layout.jobResults.removingLastComponent())
      try disk.makeFolder(layout.jobResults)
    }
    return path(of: name)
  }

  /// The size of a result file in bytes; nil when it is gone, as the folder may be emptied at any time.
  package func byteCount(of name: String) -> Int? {
    (try? FileStatus(FilePath(path(of: name))))?.byteCount
  }

  /// Makes a result file readable by its owner only.
  package func protect(_ name: String) { chmod(path(of: name), 0o600) }

  package func remove(_ name: String) { unlink(path(of: name)) }

  /// Removes all result files but these, including those that interrupted jobs have left.
  package func removeAll(but names: Set<String>) {
    for name in (try? disk.directoryNames(layout.jobResults)) ?? [] where !names.contains(name) {
      remove(name)
    }
  }
}

/// Why a library cannot be used, as whoever watches its service is told.
package enum LibraryFault: String, Sendable, CaseIterable {
  /// The file with the tokens cannot be read, so that nobody is let in.
  case tokens
  /// The library cannot be read.
  case library
  /// The disk has no room for photos.
  case space
  /// The library is on a read-only disk, or belongs to somebody else.
  case readOnly
}

extension Library {
  /// Why the library cannot be read, or nothing be written to it; nil where all is well. Writes nothing.
  ///
  /// - Parameters:
  ///   - isWritten: whether it also has to be possible to write, unless it is a replica, which nobody writes to.
  ///   - hasTokens: whether people need a token.
  package func fault(forWriting isWritten: Bool, hasTokens: Bool) -> LibraryFault? {
    // A disk that is away leaves an empty folder, while open files can still be read.
    guard layout.exists, (try? settings.value(of: .policy)) != nil else { return .library }
    if hasTokens, (try? tokens.isAnyOfService()) == nil { return .tokens }
    guard isWritten, !store.isReplica else { return nil }
    let isWritable = [layout.root, layout.lock].allSatisfy { Glibc.access($0.string, W_OK) == 0 }
    if isOnReadOnlyDisk || !isWritable || !access.allowsWriting { return .readOnly }
    let hasRoom = (try? UploadSpace.check(0, at: layout.root)) != nil
    return hasRoom && DiskSpace(at: layout.root)?.hasFiles != false ? nil : .space
  }

  /// The free space on the library's disk, in bytes; nil where the file system does not say it.
  package var freeByteCount: Int? { DiskSpace(at: layout.root)?.free }
}
