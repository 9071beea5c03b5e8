internal import BlobStorage
internal import Glibc
internal import SystemPackage

/// A name in a folder: its bytes in the file system, and its text for people and for rules about
/// names.
struct FolderEntry: Sendable {
  let component: FilePath.Component
  /// Nil if the file system does not say.
  private let knownToBeLink: Bool?
  let text: String
  /// Lower-case, without the dot; empty when there is none.
  let fileExtension: String
  /// Lower-case, the text without its last extension.
  let stem: String

  init(_ component: FilePath.Component, isLink: Bool? = nil) {
    self.component = component
    knownToBeLink = isLink
    text = component.text
    let lower = text.lowercased()
    if let dot = lower.lastIndex(of: "."), dot != lower.startIndex {
      fileExtension = String(lower[lower.index(after: dot)...])
      stem = String(lower[..<dot])
    } else {
      (fileExtension, stem) = ("", lower)
    }
  }

  /// A name by its bytes: two that differ in case or in their Unicode form are different ones.
  struct Name: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
  }

  var name: Name { Name(text) }

  /// The text without its last extension.
  var stemAsWritten: String { String(text[..<endOfStem]) }
  /// The last extension with its dot; empty when there is none.
  var endingAsWritten: String { String(text[endOfStem...]) }

  private var endOfStem: String.Index {
    fileExtension.isEmpty ? text.endIndex : text.lastIndex(of: ".") ?? text.endIndex
  }

  /// The names in a folder, in order, without `.` and `..`.
  static func list(_ folder: FilePath) throws(Errno) -> [FolderEntry] {
    try DirectoryItem.list(folder).compactMap { item in
      // `.` and `..` are special components.
      guard let component = FilePath.Component(platformString: item.name),
        component.kind == .regular
      else { return nil }
      return FolderEntry(
        component, isLink: item.type == Int(DT_UNKNOWN) ? nil : item.type == Int(DT_LNK))
    }.sorted { $0.text < $1.text }
  }

  /// Whether it is a symbolic link; `path` is its full path.
  func isLink(at path: FilePath) -> Bool { knownToBeLink ?? FileStatus.isLink(path) }
}
