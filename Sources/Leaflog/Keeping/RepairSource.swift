internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// A place to look for what a library has lost.
public enum RepairPlace: Sendable {
  /// A backup, in a folder or an object store.
  case backup(OpenBackup)
  /// A backup, another library, or any folder of photos.
  case folder(String)

  /// The folder that may have catalogs and frames.
  var folder: String {
    switch self {
    case .backup(let backup): backup.library.path
    case .folder(let path): path
    }
  }
}

/// Files that damaged blobs can be repaired from: those of a library or backup are found by name, those of
/// any other folder by their bytes.
struct RepairSource {
  private let store: (any BlobStore)?
  private var files: [BlobID: FilePath] = [:]

  /// - Parameter wanted: the sizes of the files to look for, by digest. Only files of one of these sizes are read.
  init(_ place: RepairPlace, wanted: [BlobID: Int]) throws {
    let folder: String
    switch place {
    case .backup(let backup):
      store = backup.blobs
      return
    case .folder(let path): folder = path
    }
    let root = FilePath(folder)
    if LibraryLayout(root).exists {
      store = LocalBlobStore(root: root)
      return
    }
    store = nil
    guard FileManager.default.fileExists(atPath: folder) else {
      throw LeaflogError.invalid("There is no folder \(folder).")
    }
    let sizes = Set(wanted.values)
    // A repair that is cancelled looks for nothing more.
    for item in FolderScan(paths: [folder]) where !Task.isCancelled {
      guard case .file(let file) = item, sizes.contains(file.fingerprint.byteCount),
        let digest = try? FileReader(file.path).hash(), wanted[digest] != nil
      else { continue }
      files[digest] = file.path
    }
  }

  /// The bytes with this digest, and where they were found; nil when there are none, or only damaged ones.
  func file(_ digest: BlobID) throws -> (bytes: SharedBytes, path: String)? {
    if let path = files[digest], let (bytes, found) = try? FileReader(path).readAndHash(),
      found == digest
    {
      return (bytes, path.string)
    }
    guard let store else { return nil }
    do { return (try store.verifiedBytes(digest), store.place(of: digest)) } catch let error
      as BlobStoreError where error.code == .unreachable || error.code == .refused
    {
      throw error
    } catch { return nil }
  }
}

extension LibraryStore {
  /// Moves the remains of a blob out of the store, so that they can be replaced but are not lost.
  ///
  /// - Returns: their new path; nil when nothing is left, or the blob is an object.
  func quarantine(_ blob: BlobID) throws -> String? {
    // An object that is replaced is gone, and has no file to move.
    let path = disk.path(of: blob).string
    guard library.objects == nil, FileManager.default.fileExists(atPath: path) else { return nil }
    try disk.makeFolder(layout.quarantine)
    var target = layout.quarantine.appending(blob.hex).string
    while FileManager.default.fileExists(atPath: target) { target += "~" }
    try FileManager.default.moveItem(atPath: path, toPath: target)
    return target
  }
}

extension LibraryStore {
  /// The bytes of a blob in the quarantine that can be read and have its digest.
  func quarantined(_ blob: BlobID) -> (bytes: SharedBytes, path: String)? {
    let names = (try? disk.directoryNames(layout.quarantine)) ?? nil
    for name in names ?? [] where name.hasPrefix(blob.hex) {
      let path = layout.quarantine.appending(name)
      if let (bytes, found) = try? FileReader(path).readAndHash(), found == blob {
        return (bytes, path.string)
      }
    }
    return nil
  }
}

extension BlobStore {
  /// The bytes of a blob, checked against its digest.
  func verifiedBytes(_ id: BlobID) throws -> SharedBytes {
    let bytes = try get(id, range: nil)
    guard bytes.withUnsafeBytes({ BlobID(hashing: $0) }) == id else {
      throw LeaflogError(.damaged, "The blob \(id) is damaged.")
    }
    return bytes
  }
}
