internal import SystemPackage

/// A document that was made, not yet written anywhere.
public struct MadeDocument: Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// How many characters of it no font of this system has; boxes stand for them.
  public let missingGlyphCount: Int

  /// Writes it to a file, which comes into being whole or not at all; what is there is replaced.
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
