package import DiaryModel
package import SystemPackage

extension FileSystem {
  /// Puts a small file in place, whole or not at all; when it returns, it survives a power cut.
  package func writeDurably(_ bytes: ByteBuffer, to path: FilePath) throws(BlobStoreError) {
    let temporary = path.removingLastComponent()
      .appending("\(path.lastComponent?.string ?? "").\(UInt64.random(in: .min ... .max))")
    try attempt("write", path) { () throws(Errno) in
      let file = try createFile(temporary)
      do throws(Errno) {
        try bytes.withUnsafeBytes { bytes throws(Errno) in
          var rest = bytes[...]
          while !rest.isEmpty {
            rest = rest.dropFirst(try write(UnsafeRawBufferPointer(rebasing: rest), to: file))
          }
        }
        try sync(file)
        try rename(temporary, to: path)
      } catch {
        try? unlink(temporary)
        try? file.close()
        throw error
      }
      try? file.close()
      try syncDirectory(path.removingLastComponent())
    }
  }
}
