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
