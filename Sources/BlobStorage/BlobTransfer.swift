package import DiaryModel
internal import Foundation
internal import Glibc
internal import Hashing
internal import Synchronization
internal import SystemPackage

/// A way to transfer blobs from one store to another. Any number of threads may use it.
package protocol BlobTransfer: Sendable {
  /// How many blobs to transfer at a time.
  var width: Int { get }

  /// Whether the target has a blob, judged by its size, or by all its bytes if `isFull`.
  func isPresent(_ id: BlobID, byteCount: Int, isFull: Bool) throws(BlobStoreError) -> Bool

  /// Transfers a blob to the target, replacing an existing one. It is durable after `finish`.
  ///
  /// - Throws: when the target cannot be written or the source cannot be reached. A faulty blob is an outcome.
  func bring(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobTransferOutcome

  /// The fault that a blob's presence and size in the source show; nil when they are as expected.
  func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault?

  /// Makes all transferred blobs durable.
  func finish() throws(BlobStoreError)
}

/// The outcome of transferring a blob.
package enum BlobTransferOutcome: Sendable, Hashable {
  /// The target already had it.
  case present
  /// Transferred as a hard link to the same bytes.
  case linked
  case copied
  /// The source lacks it or has a damaged copy.
  case faulty(BlobFault)
}

/// Transfers blobs between two stores, at least one of them remote: each blob is read as a whole, checked and put. The
/// stores are listed once instead of being queried for each blob.
package struct CopyingTransfer: BlobTransfer {
  private let source: any BlobStore
  private let target: any BlobStore
  private let present: [BlobID: Int]
  private let inSource: [BlobID: Int]
  package let width = 4

  /// - Parameter looksAtSource: whether `faultInSource` is going to be called, so that the source is listed as well.
  package init(
    from source: any BlobStore, to target: any BlobStore, looksAtSource: Bool
  ) throws {
    (self.source, self.target) = (source, target)
    present = try Self.sizes(target)
    inSource = looksAtSource ? try Self.sizes(source) : [:]
  }

  private static func sizes(_ store: any BlobStore) throws -> [BlobID: Int] {
    var sizes: [BlobID: Int] = [:]
    try store.list { sizes[$0.id] = $0.byteCount }
    return sizes
  }

  package func isPresent(
    _ id: BlobID, byteCount: Int, isFull: Bool
  ) throws(BlobStoreError) -> Bool {
    guard present[id] == byteCount else { return false }
    guard isFull else { return true }
    return try target.faultInBytes(of: id, byteCount: byteCount) == nil
  }

  package func bring(
    _ id: BlobID, byteCount: Int
  ) throws(BlobStoreError) -> BlobTransferOutcome {
    let bytes: SharedBytes
    do throws(BlobStoreError) { bytes = try source.get(id, range: nil) } catch {
      switch error.code {
      case .notFound: return .faulty(.missing)
      case .damaged: return .faulty(.damaged)
      default: throw error
      }
    }
    guard bytes.count == byteCount else {
      return .faulty(.wrongSize(bytes.count, expected: byteCount))
    }
    let blob = PendingBlob(hashing: bytes)
    guard blob.id == id else { return .faulty(.damaged) }
    // Replaces a faulty one. A DELETE before it could be repeated late, and remove the new object.
    try target.put([blob])
    return .copied
  }

  package func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault? {
    guard let found = inSource[id] else {
      // It may have been added after the listing.
      return try source.fault(of: id, byteCount: byteCount)
    }
    return found == byteCount ? nil : .wrongSize(found, expected: byteCount)
  }

  /// Does nothing: each blob was durable once it was put.
  package func finish() {}
}

/// Transfers blobs from one folder to another: as a hard link if both are on the same file system, otherwise as a copy
/// that is read back. Every blob is hashed.
package final class LinkingTransfer: BlobTransfer {
  private let source: LocalBlobStore
  private let target: LocalBlobStore
  private let mayLink: Bool
  package let width = ProcessInfo.processInfo.activeProcessorCount
  private let canLink = Mutex(true)

  /// - Parameter mayLink: false copies bytes, and replaces existing links with copies.
  package init(from source: LocalBlobStore, to target: LocalBlobStore, mayLink: Bool) {
    (self.source, self.target, self.mayLink) = (source, target, mayLink)
  }

  package func isPresent(
    _ id: BlobID, byteCount: Int, isFull: Bool
  ) throws(BlobStoreError) -> Bool {
    guard try target.byteCount(of: id) == byteCount else { return false }
    if !mayLink, isSameFile(source.path(of: id), target.path(of: id)) { return false }
    guard isFull else { return true }
    // A file that cannot be read counts as missing: the blob is transferred again.
    return (try? FileReader(target.path(of: id)).hash()) == id
  }

  package func bring(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobTransferOutcome {
    var fault = BlobFault.missing
    // The first path is tried again at the end: the blob may have been on its way out of the trash.
    for path in [source.path(of: id), source.trashPath(of: id), source.path(of: id)] {
      switch try bring(id, byteCount, from: path) {
      case .faulty(.missing): continue
      case .faulty(let found): fault = found
      case let outcome: return outcome
      }
    }
    return .faulty(fault)
  }

  /// The fault that a blob's presence and size show. A blob in the trash is not missing: prune may have moved it since.
  package func faultInSource(_ id: BlobID, byteCount: Int) throws(BlobStoreError) -> BlobFault? {
    guard let fault = try source.fault(of: id, byteCount: byteCount),
      fault != .missing || !source.isInTrash(id)
    else { return nil }
    return fault
  }

  /// Syncs all folders of the target, including those of blobs that an interrupted run transferred.
  package func finish() throws(BlobStoreError) {
    for name in try target.directoryNames(target.blobs) ?? [] where name.utf8.count == 2 {
      let folder = target.blobs.appending(name)
      try attempt("write the folder to the disk", folder) { () throws(Errno) in
        try target.files.syncDirectory(folder)
      }
    }
    try attempt("write the folder to the disk", target.blobs) { () throws(Errno) in
      try target.files.syncDirectory(target.blobs)
    }
  }
}

extension LinkingTransfer {
  private func bring(
    _ id: BlobID, _ byteCount: Int, from path: FilePath
  ) throws(BlobStoreError) -> BlobTransferOutcome {
    let file: BlobFile
    do throws(BlobFault) {
      file = try BlobFile(path, byteCount)
      if mayLink, canLink.withLock({ $0 }) { try file.check(id) }
    } catch {
      return .faulty(error)
    }
    if mayLink, canLink.withLock({ $0 }), isReadableThere(path), try link(path, id) {
      return .linked
    }
    return try copy(file.reader, id)
  }

  /// Whether the owner of the target may read a file that keeps its own owner when it is linked there.
  private func isReadableThere(_ path: FilePath) -> Bool {
    var (file, folder) = (stat(), stat())
    guard path.withPlatformString({ stat($0, &file) }) == 0,
      target.blobs.withPlatformString({ stat($0, &folder) }) == 0
    else { return true }
    return folder.st_uid == 0 || folder.st_uid == file.st_uid
  }

  /// False when a hard link cannot be made: across file systems, on one without hard links, or with too
  /// many links.
  private func link(_ path: FilePath, _ id: BlobID) throws(BlobStoreError) -> Bool {
    let temporary = target.temporaryPath("link")
    return try attempt("link", target.path(of: id)) { () throws(Errno) in
      do throws(Errno) {
        try target.files.link(path, to: temporary)
      } catch .improperLink, .notPermitted, .notSupportedOnSocket, .noFunction {
        canLink.withLock { $0 = false }
        return false
      } catch .tooManyLinks, .noSuchFileOrDirectory {
        return false
      }
      defer { unlink(temporary.string) }
      try place(temporary, id)
      return true
    }
  }

  private func copy(_ reader: FileReader, _ id: BlobID) throws(BlobStoreError)
    -> BlobTransferOutcome
  {
    let temporary = target.temporaryPath("copy")
    return try attempt("write", target.path(of: id)) { () throws(Errno) in
      let file = try target.files.createFile(temporary)
      defer { unlink(temporary.string) }
      defer { Glibc.close(file.rawValue) }
      flock(file.rawValue, LOCK_EX | LOCK_NB)  // tells the sweep that it is in use
      var hash = SHA256()
      for start in stride(from: 0, to: reader.byteCount, by: 1 << 20) {
        let piece: SharedBytes
        do throws(Errno) {
          piece = try reader.read(start..<min(start + 1 << 20, reader.byteCount))
        } catch {
          return .faulty(BlobFault(error))
        }
        try piece.withUnsafeBytes { bytes throws(Errno) in
          hash.update(bytes)
          try target.writeAll(bytes, to: file)
        }
      }
      guard BlobID(finishing: hash) == id else {
        return .faulty(.damaged)
      }
      try target.files.sync(file)
      // The file is to be read back from the disk and not from memory.
      posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
      guard try FileReader(temporary).hash() == id else { throw .ioError }
      try place(temporary, id)
      return .copied
    }
  }

  private func place(_ temporary: FilePath, _ id: BlobID) throws(Errno) {
    let path = target.path(of: id)
    try target.makeDirectoryIfMissing(path.removingLastComponent())
    try target.files.rename(temporary, to: path)
  }

  private func isSameFile(_ left: FilePath, _ right: FilePath) -> Bool {
    var (first, second) = (stat(), stat())
    return left.withPlatformString { stat($0, &first) } == 0
      && right.withPlatformString { stat($0, &second) } == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
