internal import SystemPackage

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
