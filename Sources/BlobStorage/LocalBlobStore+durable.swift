internal import DiaryModel
package import Foundation
internal import Glibc
package import SystemPackage

/// Files of a library besides its blobs, written atomically.
extension LocalBlobStore {
  /// Puts a finished file in place, replacing an existing one: it is synced, renamed, and the folder
  /// is synced.
  package func replace(_ target: FilePath, with finished: FilePath) throws(BlobStoreError) {
    try attempt("put in place", target) { () throws(Errno) in
      let descriptor = FileDescriptor(
        rawValue: try check(finished.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }))
      defer { Glibc.close(descriptor.rawValue) }
      try files.sync(descriptor)
      try files.rename(finished, to: target)
      try files.syncDirectory(target.removingLastComponent())
    }
  }

  /// Writes a small file, replacing an existing one.
  package func write(_ bytes: some Collection<UInt8>, to target: FilePath) throws(BlobStoreError) {
    let path = temporaryPath("file")
    let buffer = SharedBytes(copying: bytes)
    let file = try attempt("write", path) { () throws(Errno) in try files.createFile(path) }
    defer {
      unlink(path.string)  // already gone after the rename
      // A child process being started may have the file open for a moment, and with it hold the lock.
      flock(file.rawValue, LOCK_UN)
      Glibc.close(file.rawValue)
    }
    flock(file.rawValue, LOCK_EX | LOCK_NB)  // tells the sweep that it is in use
    try attempt("write", path) { () throws(Errno) in
      try buffer.withUnsafeBytes { bytes throws(Errno) in try writeAll(bytes, to: file) }
    }
    try replace(target, with: path)
  }

  /// Appends to an existing file, durably.
  package func append(_ bytes: some Collection<UInt8>, to path: FilePath) throws(BlobStoreError) {
    let buffer = SharedBytes(copying: bytes)
    try attempt("write", path) { () throws(Errno) in
      let file = try files.openToAppend(path)
      defer { Glibc.close(file.rawValue) }
      try buffer.withUnsafeBytes { bytes throws(Errno) in try writeAll(bytes, to: file) }
      try files.sync(file)
    }
  }

  /// Makes what was done to the names in a file's folder durable.
  package func syncFolder(of path: FilePath) throws(BlobStoreError) {
    let folder = path.removingLastComponent()
    try attempt("write", folder) { () throws(Errno) in try files.syncDirectory(folder) }
  }

  package func makeFolder(_ path: FilePath) throws(BlobStoreError) {
    try attempt("make the folder", path) { () throws(Errno) in
      if try makeDirectoryIfMissing(path) {
        try files.syncDirectory(path.removingLastComponent())
      }
    }
  }

  package func remove(_ path: FilePath) throws(BlobStoreError) {
    try attempt("remove", path) { () throws(Errno) in try unlinkIfThere(path) }
  }

  /// Whether new files are readable to their owner alone. FAT and NTFS have no modes: how they were mounted says who may
  /// read.
  package func keepsFilesPrivate() throws(BlobStoreError) -> Bool {
    let path = temporaryPath("mode")
    return try attempt("write", path) { () throws(Errno) in
      let file = try files.createFile(path)
      defer {
        unlink(path.string)
        Glibc.close(file.rawValue)
      }
      var status = stat()
      try check(fstat(file.rawValue, &status))
      return status.st_mode & 0o077 == 0
    }
  }

  /// A unique path under `tmp/`.
  package func temporaryPath(_ prefix: String) -> FilePath {
    temporary.appending("\(prefix)-\(UInt64.random(in: .min ... .max))")
  }

  func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try files.write(UnsafeRawBufferPointer(rebasing: rest), to: file))
    }
  }
}

/// A flock(2) on a file, held while this instance lives; the kernel releases it when the process dies.
///
/// The file is opened for writing, where that is allowed: NFS grants exclusive locks on such files alone (flock(2), "NFS
/// details"), so a folder cannot be locked there.
package final class HeldLock {
  private let descriptor: CInt

  /// Nil when the lock is already held.
  ///
  /// - Parameters:
  ///   - creates: whether to create the file if it is missing.
  ///   - waits: whether to wait until the lock is free.
  /// - Throws: `BlobStoreError` when the file cannot be opened, or its file system does not lock it.
  package init?(
    _ path: FilePath, creates: Bool = false, waits: Bool = false
  ) throws(BlobStoreError) {
    let file = try attempt("open the lock", path) { () throws(Errno) in
      try openForLocking(path, creates: creates)
    }
    // An instance without a descriptor has nothing to close.
    do throws(Errno) {
      guard try lock(file, waits: waits) else {
        close(file)
        return nil
      }
    } catch {
      close(file)
      throw BlobStoreError(error, "lock", path)
    }
    descriptor = file
  }

  deinit {
    // Closing is not enough: a child process just forked to run a program has the file open as well.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// Opens a file for writing, or for reading where it may not be written and that is enough.
func openForLocking(
  _ path: FilePath, creates: Bool = false, needsWriting: Bool = false
) throws(Errno) -> CInt {
  func open(_ flags: CInt) throws(Errno) -> CInt {
    try check(path.withPlatformString { Glibc.open($0, flags | O_CLOEXEC) })
  }
  func openExisting() throws(Errno) -> CInt {
    do throws(Errno) { return try open(O_RDWR) } catch {
      let denials: [Errno] = [.permissionDenied, .notPermitted, .readOnlyFileSystem]
      guard !needsWriting, denials.contains(error) else { throw error }
      return try open(O_RDONLY)
    }
  }
  do throws(Errno) { return try openExisting() } catch {
    guard creates, error == .noSuchFileOrDirectory else { throw error }
  }
  do throws(Errno) { return try FolderPlace(of: path).createFile(O_RDWR) } catch {
    // Another process has made it meanwhile. A link that leads nowhere is not followed.
    guard error == .fileExists else { throw error }
  }
  return try openExisting()
}

/// Locks an open file for this process alone.
///
/// - Returns: false when somebody else has it. Any other failure is an error: a file system that locks nothing says nothing
///   about others.
func lock(_ file: CInt, waits: Bool = false) throws(Errno) -> Bool {
  while flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
    switch Errno(rawValue: errno) {
    case .interrupted: continue
    case .wouldBlock: return false
    case let error: throw error
    }
  }
  return true
}

/// Small JSON files that show when a byte in them has changed by itself.
///
/// Each is an object whose last member, `sha256`, is the SHA-256 of the text up to the comma before it, in hexadecimal.
/// Whoever writes one by hand leaves the member out; it is then not checked.
package enum SealedJSON {
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(value)
    precondition(data.last == UInt8(ascii: "}") && data.count > 2, "an object with members")
    data.removeLast()
    return data + tail(of: data)
  }

  /// The value in a file; nil when it is not what was written.
  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    isSound(data) ? try? JSONDecoder().decode(type, from: data) : nil
  }

  /// Whether a file is what was written.
  package static func isSound(_ data: Data) -> Bool {
    guard data.range(of: Data("\"sha256\"".utf8)) != nil else {
      return (try? JSONSerialization.jsonObject(with: data)) != nil
    }
    guard data.count > tailCount else { return false }
    let text = data.dropLast(tailCount)
    return data.suffix(tailCount).elementsEqual(tail(of: text))
  }

  private static let tailCount = tail(of: Data()).count

  private static func tail(of text: Data) -> Data {
    let digest = text.withUnsafeBytes { BlobID(hashing: $0) }
    return Data(",\"sha256\":\"\(digest.hex)\"}\n".utf8)
  }
}
