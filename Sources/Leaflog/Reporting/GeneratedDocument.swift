internal import SystemPackage

/// A generated document in memory.
public struct GeneratedDocument: Sendable {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// How many characters are missing from all fonts of this system; they are drawn as boxes.
  public let missingGlyphCount: Int

  /// Writes it to a file, atomically; an existing file is replaced.
  public func write(to path: String) throws(LeaflogError) {
    let file = try OutputFile(FilePath(path))
    let failure: LeaflogError? = bytes.withUnsafeBytes { bytes in
      do throws(LeaflogError) { try file.write(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
    _ = try file.replace()
  }
}
