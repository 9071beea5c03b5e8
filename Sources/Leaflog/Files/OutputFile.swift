internal import BlobStorage
internal import Foundation
internal import Glibc
internal import SystemPackage

/// A document that somebody gives, such as a diary or a list of files, read as a whole.
package enum GivenFile {
  /// The size of the largest document that is read, in bytes.
  private static let maxByteCount = 1 << 30

  /// The bytes of a file.
  ///
  /// - Throws: `LeaflogError` with code `notFound` or `failed` when it cannot be read, and `invalidRequest` when it is
  ///   too large.
  package static func bytes(of path: String) throws(LeaflogError) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(FilePath(path), .readOnly)
      return try file.closeAfter { try bytes(of: file, named: path) }
    } catch { throw failure(error, path) }
  }

  /// The bytes that an open file, a pipe or a terminal still has.
  package static func bytes(
    ofDescriptor descriptor: CInt, named name: String
  ) throws(LeaflogError) -> [UInt8] {
    do { return try bytes(of: FileDescriptor(rawValue: descriptor), named: name) } catch {
      throw failure(error, name)
    }
  }

  private static func bytes(of file: FileDescriptor, named name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = try file.read(into: chunk)
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      // A device may have no end.
      guard bytes.count <= maxByteCount else {
        throw LeaflogError(.invalidRequest, "\(name) is too large: over 1 GiB.")
      }
    }
  }

  private static func failure(_ error: any Error, _ name: String) -> LeaflogError {
    guard let error = error as? Errno else { return LeaflogError(error) }
    return LeaflogError(
      error == .noSuchFileOrDirectory ? .notFound : .failed, "\(name) cannot be read: \(error).")
  }
}

/// An atomically written file outside the library: it is written under a hidden name in the same
/// folder, synced, and put in place by a single operation.
struct OutputFile: ~Copyable {
  let path: FilePath
  /// The hidden file to write to.
  let temporary: FilePath
  private var isDone: Bool

  /// - Throws: `LeaflogError` when nothing can be written there, so that this is known before the work.
  init(_ path: FilePath) throws(LeaflogError) {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent, path.lastComponent?.kind == .regular else {
      throw .invalid("\(path) is not the name of a file.")
    }
    if let status = try? FileStatus(path), status.kind != .file {
      throw .invalid("\(path) exists and is not a file. Name another.")
    }
    let unique = "\(getpid())-\(UInt32.random(in: .min ... .max))"
    let hidden = (folder.isEmpty ? FilePath(".") : folder)
      .appending(".leaflog-\(unique).\(name.extension ?? "tmp")")
    do throws(Errno) {
      close(try FolderPlace(of: hidden).createFile(O_WRONLY, mode: 0o666))
    } catch {
      throw Self.failure(path, error)
    }
    self.path = path
    temporary = hidden
    isDone = false
  }

  deinit {
    if !isDone { unlink(temporary.string) }
  }

  /// Writes the whole contents.
  func write(_ bytes: UnsafeRawBufferPointer) throws(LeaflogError) {
    try Self.write(bytes, to: temporary, for: path)
  }

  /// Writes the whole contents of a file. One that is missing is created, accessible to its owner only.
  ///
  /// - Parameter path: the path that an error names; nil means that of the file.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to file: FilePath, for path: FilePath? = nil
  ) throws(LeaflogError) {
    do {
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite)
      try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
    } catch { throw failure(path ?? file, error as? Errno ?? .ioError) }
  }

  /// Puts it in place, replacing an existing file.
  ///
  /// - Returns: its size in bytes.
  consuming func replace() throws(LeaflogError) -> Int {
    let byteCount = try sync()
    guard rename(temporary.string, path.string) == 0 else {
      throw Self.failure(path, Errno(rawValue: errno))
    }
    isDone = true
    return byteCount
  }

  /// Puts it in place unless a file exists there.
  ///
  /// - Returns: false when a file exists; it is untouched.
  consuming func putIfAbsent() throws(LeaflogError) -> Bool {
    _ = try sync()
    if link(temporary.string, path.string) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case EPERM, EOPNOTSUPP, ENOSYS:  // FAT and similar file systems have no hard links
      guard access(path.string, F_OK) != 0 else { return false }
      guard rename(temporary.string, path.string) == 0 else {
        throw Self.failure(path, Errno(rawValue: errno))
      }
      isDone = true
      return true
    case let code: throw Self.failure(path, Errno(rawValue: code))
    }
  }

  private func sync() throws(LeaflogError) -> Int {
    let file = temporary.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    var status = stat()
    guard file >= 0, fsync(file) == 0, fstat(file, &status) == 0 else {
      throw Self.failure(path, Errno(rawValue: errno))
    }
    return Int(status.st_size)
  }

  static func failure(_ path: FilePath, _ error: Errno) -> LeaflogError {
    switch error {
    case .noSpace, .diskQuotaExceeded:
      LeaflogError(.noSpace, "No space left to write \(path). Make room on the disk.")
    case .noSuchFileOrDirectory:
      LeaflogError(.failed, "\(path) cannot be written: there is no such folder.")
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      LeaflogError(.readOnly, "\(path) cannot be written: \(error). Choose another place.")
    default: LeaflogError(.failed, "\(path) cannot be written: \(error).")
    }
  }
}

/// A new folder among the system's temporary files, accessible to its owner only. It is removed with this value.
final class ScratchFolder: Sendable {
  let path: String

  /// - Throws: `LeaflogError` when none can be made.
  init() throws(LeaflogError) {
    path = FileManager.default.temporaryDirectory.path + "/leaflog-\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0 else {
      throw LeaflogError(
        .failed, "No folder for temporary files can be made: \(Errno(rawValue: errno)).")
    }
  }

  /// Removes it now.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  deinit { remove() }
}
