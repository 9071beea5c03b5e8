internal import BlobStorage
internal import DiaryModel
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

extension FileNameText {
  /// Whether there is a file or folder. A dangling link counts.
  package static func isThere(_ text: String) -> Bool {
    let path = FilePath(text: text)
    return (try? FileStatus(path)) != nil || FileStatus.isLink(path)
  }
}

extension FilePath.Component {
  /// The name for people, and for rules about names.
  var text: String {
    withPlatformString {
      FileNameText.text(of: UnsafeRawBufferPointer(start: $0, count: strlen($0)))
    }
  }
}

extension FilePath {
  /// The path of a text. A file with literally this name is preferred; otherwise, escapes in it stand for bytes.
  init(text: String) {
    self.init(text)
    guard FileNameText.isEscaped(text), (try? FileStatus(self)) == nil, !FileStatus.isLink(self)
    else { return }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      let byte = FileNameText.escaped(rest)
      // A path cannot contain NUL.
      bytes.append(byte == 0 ? first : byte ?? first)
      rest = rest.dropFirst(byte == nil || byte == 0 ? 1 : 4)
    }
    self = FilePath(bytes: bytes)
  }

  /// A path of these bytes, which must not contain NUL.
  init(bytes: [UInt8]) {
    self = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { text in
      FilePath(platformString: Array(text) + [0])
    }
  }

  /// The bytes of the path, without the terminating NUL.
  var bytes: [UInt8] {
    withPlatformString { UnsafeRawBufferPointer(start: $0, count: strlen($0)).map { $0 } }
  }

  /// The absolute path, with links resolved.
  func resolved() throws(Errno) -> FilePath {
    guard let resolved = withPlatformString({ realpath($0, nil) }) else {
      throw Errno(rawValue: errno)
    }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
}
